"use strict";
const all = (selector) => [...document.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const slider = byId("slider"), now = byId("now"), play = byId("play"), zoom = byId("zoom");
const last = Number(slider.max);
const passing = all("[data-from], [data-to]").map((element) => ({
  element,
  from: Number(element.dataset.from ?? 0),
  to: Number(element.dataset.to ?? Infinity),
}));
const numbers = all("[data-values]").map((element) => ({
  element,
  card: element.closest(".cards > li"),
  values: element.dataset.values.split(" ").map((pair) => pair.split(":").map(Number)),
}));
const race = document.querySelector(".race svg"), past = byId("past"), cursor = byId("cursor");
const [left, across] = [Number(race.dataset.left), Number(race.dataset.across)];
let step = last, timer = 0;

function show(wanted) {
  step = Math.min(Math.max(wanted, 0), last);
  for (const { element, from, to } of passing) {
    element.toggleAttribute("hidden", step < from || step >= to);
    element.classList.toggle("new", step === from && step > 0);
  }
  for (const { element, card, values } of numbers) {
    const [since, value] = values.findLast(([since]) => since <= step);
    element.classList.toggle("new", since === step && step > 0);
    element.textContent = String(value).replace("-", "−");
    card?.toggleAttribute("hidden", value === 0);
  }
  const reached = (across * step) / Math.max(last, 1);
  past.setAttribute("width", left + reached + 1);
  cursor.setAttribute("transform", `translate(${reached} 0)`);
  slider.value = step;
  tell();
}

function tell() {
  all("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
  const move = byId(`move${step}`), link = move?.querySelector("a");
  const words = (link?.textContent ?? `Turn ${step}`).trim().replace(/\s+/g, " ");
  link?.setAttribute("aria-current", "step");
  now.textContent = words;
  slider.setAttribute("aria-valuetext", words);
  const list = move?.parentElement; // only the list is scrolled, never the page
  if (list && list.scrollHeight > list.clientHeight)
    list.scrollTop = move.offsetTop - list.clientHeight / 3;
}

function go(wanted) {
  show(wanted);
  history.replaceState(null, "", `#step${step}`);
}

function pause() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play";
  now.setAttribute("aria-live", "polite");
}

function playOrPause() {
  if (timer) return pause();
  if (step === last) go(0);
  play.textContent = "Pause";
  now.setAttribute("aria-live", "off"); // nobody can listen as fast
  timer = setInterval(() => (step < last ? go(step + 1) : pause()), 1000);
}

const goes = {
  first: () => go(0),
  back: () => go(step - 1),
  on: () => go(step + 1),
  last: () => go(last),
};
const keys = { Home: goes.first, ArrowLeft: goes.back, ArrowRight: goes.on, End: goes.last, " ": playOrPause };

for (const button of all("[data-go]"))
  button.addEventListener("click", () => {
    pause();
    goes[button.dataset.go]();
  });
play.addEventListener("click", playOrPause);
zoom.addEventListener("click", () => {
  const zoomed = byId("map").classList.toggle("zoomed");
  zoom.setAttribute("aria-pressed", zoomed);
});
slider.addEventListener("input", () => {
  pause();
  go(Number(slider.value));
});
race.addEventListener("click", (event) => {
  const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(race.getScreenCTM().inverse());
  pause();
  go(Math.round(((x - left) / across) * last));
});
for (const link of all(".moves a"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    pause();
    go(Number(link.hash.slice("#step".length)));
  });
addEventListener("keydown", (event) => {
  const act = keys[event.key];
  const pressed = event.key === " " && event.target.closest("button");
  if (!act || pressed || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (event.key !== " ") pause();
  act();
});
addEventListener("hashchange", () => showHash());

function showHash() {
  const match = /^#step(\d+)$/.exec(location.hash);
  show(match ? Number(match[1]) : 0);
}

byId("controls").hidden = false;
document.documentElement.classList.add("scripted");
showHash();
