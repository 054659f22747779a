"use strict";
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const texts = [...body.rows].map((row) => row.cells[column].textContent);
    const numeric = texts.every((text) => text === "–" || !Number.isNaN(value(text)));
    if (numeric) for (const row of table.rows) row.cells[column].classList.add("number");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(heads, body, column, numeric));
    head.replaceChildren(button);
  });
}

function value(text) {
  return text === "" ? NaN : Number(text.split(/\sto\s/)[0].replace("−", "-").replaceAll(",", ""));
}

// Numbers begin with the largest, words with the first; what has no value stays last.
function sort(heads, body, column, numeric) {
  const before = heads[column].getAttribute("aria-sort");
  const up = before ? before === "descending" : !numeric;
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = (row) => row.cells[column].textContent;
  const order = (a, b) => (numeric ? value(text(a)) - value(text(b)) : text(a).localeCompare(text(b)));
  const rows = [...body.rows].sort((a, b) => {
    const [last, other] = [text(a) === "–", text(b) === "–"];
    return last !== other ? last - other : last ? 0 : (up ? 1 : -1) * order(a, b);
  });
  body.append(...rows);
}

// A link into what is folded unfolds it.
function unfold() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  for (let one = target; one; one = one.parentElement) if (one.localName === "details") one.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
