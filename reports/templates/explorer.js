"use strict";
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const ALL = "all", MOST = 3, BELIEVED = 0.05;
const LISTS = ["tickets", "routes", "cities"];
const COLOURED = "Green or red: clearly not 0, by intervals that hold for all tickets of a table at once.";
const state = { table: 0, strategy: ALL, list: "tickets", tickets: [], route: null, city: null, way: null };

/* Elements and numbers as text. Names from boards are only ever set as text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name === "click") element.addEventListener("click", value);
    else if (value !== undefined) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}
const minus = (text) => text.replace("-", "−");
const share = (value) => (value == null ? "–" : `${Math.round(100 * value)} %`);
const signed = (value, digits = 1) => {
  const text = value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
  return (value > 0 && Number(text) ? "+" : "") + minus(text);
};
function effect([value, low, high], scale) {
  if (value == null) return "not known";
  const half = low == null ? null : (scale * (high - low)) / 2;
  return signed(scale * value) + (half == null ? "" : ` ± ${half.toFixed(1)}`);
}
const sign = ([, low, high]) => (low > 0 ? "plus" : high < 0 ? "minus" : "");
const wins = (estimate) => make("b", { class: sign(estimate) }, effect(estimate, 100));
const plain = (estimate, scale) => make("b", {}, effect(estimate, scale));
const points = (estimate) => make("b", { class: sign(estimate) }, effect(estimate, 1));

/* What the page knows of what is chosen. */
const table = () => data.tables[state.table];
const known = () => state.strategy === ALL || table().strategies.includes(state.strategy);
const who = () => (known() ? state.strategy : ALL); // of whom numbers are shown
const whom = () => (who() === ALL ? "all strategies" : who());
const of = (what) => table()[what][who()];
const where = () => `with ${table().players} players`;
const ticketName = (t) => `${data.tickets[t].name} (${data.tickets[t].points})`;
function waysOf(t) {
  const found = table().ways[t];
  if (!found) return { seats: 0, ways: [] };
  const place = table().strategies.indexOf(who());
  const seats = (counts) => (place < 0 ? counts.reduce((a, b) => a + b, 0) : counts[place]);
  const ways = found.ways.map((way) => ({ ...way, seats: seats(way.seats) })).filter((way) => way.seats);
  return { seats: seats(found.completed), ways: ways.sort((a, b) => b.seats - a.seats) };
}
function pairOf(a, b) {
  const pair = table().pairs.find(([x, y]) => (x === a && y === b) || (x === b && y === a));
  return pair && { scoreQ: pair[2], score: pair[3], winBoth: pair[4], scoreBoth: pair[5] };
}

/* The map: the width of a line says how often a route is used. */
function drawMap() {
  const width = new Map(), ends = new Set();
  let words;
  if (state.tickets.length) {
    for (const t of state.tickets) {
      const { seats, ways } = waysOf(t);
      for (const way of state.way == null ? ways : ways.slice(state.way, state.way + 1))
        for (const route of way.routes) width.set(route, (width.get(route) ?? 0) + way.seats / seats);
      ends.add(data.tickets[t].a).add(data.tickets[t].b);
    }
    words = `Lines: the most frequent ways to complete ${state.tickets.length > 1 ? "these tickets" : "this ticket"} by ` +
      `own routes, in ${table().way_games.toLocaleString("en")} games ${where()} (${whom()}); wider is more frequent.`;
  } else {
    of("routes").forEach(([[rate]], route) => width.set(route, rate ?? 0));
    words = `Lines: how often a route is claimed ${where()}, by ${whom()}; wider is more often.`;
  }
  const most = Math.max(...width.values(), 0.01);
  for (const element of document.querySelectorAll(".route")) {
    const route = Number(element.dataset.route);
    element.querySelector(".ink").style.strokeWidth = (9 * (width.get(route) ?? 0)) / most;
    element.classList.toggle("chosen", route === state.route);
  }
  for (const element of document.querySelectorAll(".city")) {
    const city = Number(element.dataset.city);
    element.classList.toggle("end", ends.has(city));
    element.classList.toggle("chosen", city === state.city);
  }
  byId("key").textContent = words;
}
/* Where the map is wider than the window, bring what is chosen into its middle. */
function pan() {
  const middle = (box) => (box.left + box.right) / 2;
  const chosen = [...document.querySelectorAll(".city.end, .city.chosen, .route.chosen")].map((one) => middle(one.getBoundingClientRect()));
  if (chosen.length) byId("pan").scrollLeft += (Math.min(...chosen) + Math.max(...chosen)) / 2 - middle(byId("pan").getBoundingClientRect());
}

/* The panel of what is chosen. */
function grid(caption, what, number, column, written) {
  const names = [ALL, ...data.strategies];
  const head = make("tr", {}, make("th", { scope: "col" }, "Players"),
    ...data.tables.map((t, i) => make("th", { scope: "col", class: i === state.table ? "now" : undefined }, `${t.players}`)));
  const rows = names.map((name) => make("tr", {},
    make("th", { scope: "row", class: name === who() ? "now" : undefined }, name === ALL ? "all of them" : name),
    ...data.tables.map((t) => make("td", {}, t[what][name] ? written(t[what][name][number][column]) : "–"))));
  return [make("h3", {}, caption), make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)))];
}
function ticketParts(t) {
  const [win, score, kept, completed, turn] = of("tickets")[t];
  const parts = [
    make("p", { class: "big" }, "Offered at the start: ", wins(win), " wins per 100 games, ", points(score), " points."),
    t === state.tickets[0] ? make("p", { class: "faint" }, `Against seats that were not offered it, ${where()}; for ${whom()}. ${COLOURED}`) : "",
    make("p", {}, `Kept in ${share(kept[0])} of offers, completed in ${share(completed[0])} of those kept` +
      (turn[0] == null ? "." : `, on average in the player's turn ${Math.round(turn[0])}.`)),
  ];
  if (state.tickets.length > 1) return parts;
  return [...parts, ...wayParts(t), ...partnerParts(t), ...grid("Extra wins per 100 games, by who plays", "tickets", t, 0, wins)];
}
function wayParts(t) {
  const { seats, ways } = waysOf(t);
  if (!ways.length) return [make("p", { class: "faint" }, `Nobody of ${whom()} completed it in the games looked at.`)];
  const rows = ways.map((way, place) => row(way.cities, share(way.seats / seats), state.way === place, () => {
    state.way = state.way === place ? null : place;
    show();
  }));
  return [make("h3", {}, "Ways to complete it"), make("ul", {}, ...rows)];
}
function partnerParts(t) {
  const partners = table().pairs.filter(([a, b, q]) => (a === t || b === t) && q != null && q <= BELIEVED)
    .map((pair) => ({ other: pair[0] === t ? pair[1] : pair[0], score: pair[3] }))
    .sort((a, b) => b.score[0] - a.score[0]);
  const good = partners.filter((p) => p.score[0] > 0).slice(0, 3), bad = partners.filter((p) => p.score[0] < 0).slice(-3).reverse();
  const list = (title, some) => some.length
    ? [make("h3", {}, title), make("ul", {}, ...some.map((p) => row(ticketName(p.other), `${effect(p.score, 1)} points`, false, () => choose("tickets", p.other))))]
    : [];
  if (!partners.length) return [make("p", { class: "faint" }, "No other ticket clearly fits or clashes with it in these games.")];
  return [...list("Goes well with (points beyond the sum of both)", good), ...list("Clashes with", bad)];
}
function offerParts() {
  const parts = [];
  for (const [i, a] of state.tickets.entries())
    for (const b of state.tickets.slice(i + 1)) {
      const pair = pairOf(a, b);
      parts.push(make("h3", {}, `${data.tickets[a].name} with ${data.tickets[b].name}`));
      if (!pair) {
        parts.push(make("p", {}, "They never come in one opening offer."));
        continue;
      }
      parts.push(make("p", {}, "Offered both: ", plain(pair.winBoth, 100), " wins per 100 games and ", plain(pair.scoreBoth, 1), " points, against seats offered neither."));
      parts.push(make("p", {}, "Beyond the sum of the two: ", plain(pair.score, 1), " points" +
        (pair.scoreQ != null && pair.scoreQ <= BELIEVED ? "." : "; that may be chance.")));
    }
  if (state.tickets.length === MOST) parts.push(make("p", { class: "faint" }, "Offers of all three together are too rare to be counted; the pairs say what is known."));
  parts.push(make("p", { class: "faint" }, `Tested was being offered these tickets, not keeping them; pairs are over all strategies, ${where()}. Their intervals each hold on their own, so they are not coloured.`));
  return parts;
}
function clearButton() {
  return make("button", { type: "button", class: "clear", click: () => { clear(); show(); } }, "Clear");
}
function ticketPanel() {
  const parts = [clearButton()];
  for (const t of state.tickets) parts.push(make("h2", {}, `${data.tickets[t].name} · ${data.tickets[t].points} points`), ...ticketParts(t));
  return state.tickets.length > 1 ? [...parts, ...offerParts()] : parts;
}
function ticketsAlong(route) {
  const used = data.tickets.map((_, t) => {
    const { seats, ways } = waysOf(t);
    return { t, part: ways.filter((w) => w.routes.includes(route)).reduce((sum, w) => sum + w.seats, 0) / (seats || 1) };
  }).filter(({ part }) => part >= 0.1).sort((a, b) => b.part - a.part).slice(0, 5);
  if (!used.length) return [];
  return [make("h3", {}, "Tickets completed over it"), make("ul", {}, ...used.map(({ t, part }) => row(ticketName(t), share(part), false, () => choose("tickets", t))))];
}
function routePanel() {
  const r = data.routes[state.route], [rate, turn] = of("routes")[state.route];
  return [clearButton(), make("h2", {}, `${r.name} · ${r.length} ${r.length === 1 ? "train" : "trains"}, ${r.colour}`),
    make("p", { class: "big" }, who() === ALL ? "Claimed in " : `${who()} claims it in `, make("b", {}, share(rate[0])), " of games" +
      (turn[0] == null ? "." : `, on average in the player's turn ${Math.round(turn[0])}.`)),
    make("p", { class: "faint" }, `What players chose ${where()}, not what the route is worth.`), ...ticketsAlong(state.route),
    ...grid("Claimed, by who plays (all of them: by anybody)", "routes", state.route, 0, ([value]) => share(value))];
}
function cityPanel() {
  const [visitors, turn] = of("cities")[state.city];
  const tickets = data.tickets.map((ticket, t) => ({ ticket, t })).filter(({ ticket }) => ticket.a === state.city || ticket.b === state.city);
  const seats = who() === ALL ? "players on average" : `of 100 seats of ${who()}`;
  const number = visitors[0] == null ? "–" : who() === ALL ? visitors[0].toFixed(1) : Math.round(100 * visitors[0]);
  return [clearButton(), make("h2", {}, data.cities[state.city]),
    make("p", { class: "big" }, make("b", {}, `${number}`), ` ${seats} build there` + (turn[0] == null ? "." : `, first in their turn ${Math.round(turn[0])}.`)),
    make("p", { class: "faint" }, `What players chose ${where()}, not what the city is worth.`),
    ...(tickets.length ? [make("h3", {}, "Tickets that end here"), make("ul", {}, ...tickets.map(({ t }) => row(ticketName(t), "", false, () => choose("tickets", t))))] : []),
    ...grid("Seats that build there, by who plays", "cities", state.city, 0, ([value]) => (value == null ? "–" : value > 1 ? value.toFixed(1) : share(value)))];
}
function nothingPanel() {
  const worth = of("tickets").map(([win], t) => ({ t, win })).filter(({ win }) => win[0] != null).sort((a, b) => b.win[0] - a.win[0]);
  const rows = (some) => make("ul", {}, ...some.map(({ t, win }) => row(ticketName(t), wins(win), false, () => choose("tickets", t))));
  return [make("h2", {}, `Which tickets help ${where()}?`),
    make("p", { class: "faint" }, `Extra wins per 100 games when it is in the opening offer, for ${whom()}.`),
    make("h3", {}, "Those that help most"), rows(worth.slice(0, 3)), make("h3", {}, "Those that hurt most"), rows(worth.slice(-3).reverse())];
}

/* The lists: what can be reached on the map can be reached here by keyboard. */
function row(left, right, pressed, click) {
  return make("li", {}, make("button", { type: "button", class: "row", "aria-pressed": `${pressed}`, click }, make("span", {}, left), make("span", {}, right)));
}
function drawList() {
  const what = state.list;
  const columns = {
    tickets: { words: `Extra wins per 100 games when offered at the start; ± is half of the 95 % interval. ${COLOURED}`,
      rows: data.tickets.map((_, i) => ({ i, name: ticketName(i), at: of("tickets")[i][0] })), text: wins, chosen: (i) => state.tickets.includes(i) },
    routes: { words: "Share of games in which it is claimed; for one strategy, of its seats.",
      rows: data.routes.map((r, i) => ({ i, name: `${r.name}, ${r.length}`, at: of("routes")[i][0] })), text: ([value]) => share(value), chosen: (i) => state.route === i },
    cities: { words: "Players that build there; for one strategy, the share of its seats.",
      rows: data.cities.map((name, i) => ({ i, name, at: of("cities")[i][0] })), chosen: (i) => state.city === i,
      text: ([value]) => (value == null ? "–" : who() === ALL ? value.toFixed(1) : share(value)) },
  }[what];
  const rows = columns.rows.sort((a, b) => (b.at[0] ?? -Infinity) - (a.at[0] ?? -Infinity));
  byId("list").replaceChildren(make("p", { class: "faint" }, columns.words),
    make("ul", {}, ...rows.map(({ i, name, at }) => row(name, columns.text(at), columns.chosen(i), () => choose(what, i)))));
  byId("list").setAttribute("aria-labelledby", `tab-${what}`);
  for (const name of LISTS) {
    byId(`tab-${name}`).setAttribute("aria-selected", `${name === what}`);
    byId(`tab-${name}`).tabIndex = name === what ? 0 : -1;
  }
}

/* Choosing; the address holds what is chosen, so that it can be shared. */
function clear() {
  Object.assign(state, { tickets: [], route: null, city: null, way: null });
}
function choose(what, number) {
  const before = state.tickets;
  const same = (what === "routes" && state.route === number) || (what === "cities" && state.city === number);
  clear();
  if (what === "tickets") state.tickets = before.includes(number) ? before.filter((t) => t !== number) : [...before, number].slice(-MOST);
  else if (!same) state[what === "routes" ? "route" : "city"] = number;
  state.list = what;
  show();
}
function hash() {
  const parts = { players: table().players, strategy: state.strategy, tickets: state.tickets.join("."), route: state.route ?? "", city: state.city ?? "" };
  return "#" + new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== "" && value !== ALL)).toString();
}
function readHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const within = (text, all) => (/^\d+$/.test(text ?? "") && Number(text) < all.length ? Number(text) : null);
  clear();
  state.table = Math.max(0, data.tables.findIndex((t) => `${t.players}` === wanted.get("players")));
  state.strategy = data.strategies.includes(wanted.get("strategy")) ? wanted.get("strategy") : ALL;
  state.tickets = [...new Set((wanted.get("tickets") ?? "").split(".").map((t) => within(t, data.tickets)).filter((t) => t != null))].slice(0, MOST);
  if (!state.tickets.length) state.route = within(wanted.get("route"), data.routes);
  if (!state.tickets.length && state.route == null) state.city = within(wanted.get("city"), data.cities);
}
function show() {
  const focused = document.activeElement?.closest(".row")?.firstChild.textContent;
  const panel = state.tickets.length ? ticketPanel() : state.route != null ? routePanel() : state.city != null ? cityPanel() : nothingPanel();
  if (!known()) panel.unshift(make("p", { class: "warning" }, `${state.strategy} did not play ${where()}; shown are all strategies.`));
  byId("detail").replaceChildren(...panel);
  drawMap();
  pan();
  drawList();
  byId("strategy").value = state.strategy;
  document.querySelector(`[name="players"][value="${state.table}"]`).checked = true;
  byId("made").textContent = `${table().games.toLocaleString("en")} games ${where()} of ${table().strategies.join(", ")}.`;
  history.replaceState(null, "", hash());
  if (focused) // what was pressed was drawn anew
    [...document.querySelectorAll("#list .row, #detail .row")].find((one) => one.firstChild.textContent === focused)?.focus({ preventScroll: true });
}

byId("strategy").append(make("option", { value: ALL }, "all of them"), ...data.strategies.map((name) => make("option", { value: name }, name)));
byId("strategy").addEventListener("change", (event) => { state.strategy = event.target.value; state.way = null; show(); });
for (const radio of document.querySelectorAll('[name="players"]'))
  radio.addEventListener("change", () => { state.table = Number(radio.value); state.way = null; show(); });
for (const element of document.querySelectorAll(".route")) element.addEventListener("click", () => choose("routes", Number(element.dataset.route)));
for (const element of document.querySelectorAll(".city")) element.addEventListener("click", () => choose("cities", Number(element.dataset.city)));
for (const [place, name] of LISTS.entries()) {
  const pick = (list) => { state.list = list; drawList(); };
  byId(`tab-${name}`).addEventListener("click", () => pick(name));
  byId(`tab-${name}`).addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = LISTS[(place + step + LISTS.length) % LISTS.length];
    pick(next);
    byId(`tab-${next}`).focus();
  });
}
addEventListener("hashchange", () => { readHash(); show(); });
byId("choose").hidden = false;
document.querySelector("main").hidden = false;
readHash();
show();
