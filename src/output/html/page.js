"use strict";
// The report stands in the page as JSON. Plays are shared between lines, so the tree is unfolded only where it is
// opened, and the board is always replayed from the diagram along the line of the selected item.
const report = JSON.parse(document.getElementById("report").textContent);
const byId = (id) => document.getElementById(id);
const tree = byId("tree");
const MATE = -1;

// An item: `line` are all plies from the diagram to it (null where the defender passes), `parts` its label,
// `children` makes the items below it.
const items = new WeakMap();

function moveNumber(line, index, defends) {
  // The key is move 1; a pass takes the defender's turn.
  const number = Math.floor((index + (report.defenderBegins ? 1 : 0)) / 2) + 1;
  return `${number}${defends ? "..." : "."}`;
}

const isDefence = (index) => (index + (report.defenderBegins ? 1 : 0)) % 2 === 1;

function part(text, kind) {
  const span = document.createElement("span");
  span.textContent = text;
  if (kind) span.className = kind;
  return span;
}

function movePart(line, index, mark, kind) {
  const span = part("", kind);
  span.append(part(moveNumber(line, index, isDefence(index)), "number"), line[index].s + (mark || ""));
  return span;
}

// What stands below a move of the attacker: threats, then variations.
function below(next, line) {
  if (next < 0) return null;
  const play = report.plays[next];
  return () => {
    const made = play.threats.map((threat) => continuation(threat, [...line, null], "threat"));
    for (const variation of play.variations) {
      const defended = [...line, variation.d];
      if (variation.c.length === 1) {
        made.push(continuation(variation.c[0], defended, "", line.length));
      } else {
        const children = () => variation.c.map((c) => continuation(c, defended, ""));
        made.push(item([movePart(defended, line.length)], defended, children));
      }
    }
    if (play.unshown > 0) {
      const what = play.unshown === 1 ? "defence does" : "defences do";
      made.push(item([part(`${play.unshown} other ${what} not meet the threat, or lose faster`, "note")], line, null));
    }
    return made;
  };
}

function after(next) {
  if (next === MATE) return [];
  if (next < MATE) return [part("left out", "note")];
  const play = report.plays[next];
  return play.zugzwang ? [part("zugzwang", "note")] : [];
}

// A move of the attacker; `from` is the defence before it if both share a row.
function continuation(c, line, word, from) {
  const path = [...line, c.p];
  const parts = word ? [part(word, "note")] : [];
  if (from !== undefined) parts.push(movePart(path, from));
  parts.push(movePart(path, line.length), ...after(c.n));
  return item(parts, path, below(c.n, path));
}

function firstMove(root) {
  const line = [root.p];
  const parts = [movePart(line, 0, root.mark, root.mark === "!" ? "key" : ""), ...after(root.n)];
  if (root.note) parts.push(part(root.note, "note"));
  const play = below(root.n, line);
  if (!root.refutations) return item(parts, line, play);
  const refuted = () => root.refutations.map((ply) => {
    const path = [...line, ply];
    return item([part("but", "note"), movePart(path, 1, "!", "key")], path, null);
  });
  return item(parts, line, () => [...(play ? play() : []), ...refuted()]);
}

function group(root) {
  return item([part(root.title, "key")], root.pass ? [null] : [], below(root.play, root.pass ? [null] : []));
}

function item(parts, line, children) {
  const element = document.createElement("li");
  element.setAttribute("role", "treeitem");
  element.setAttribute("aria-selected", "false");
  element.tabIndex = -1;
  const row = part("", "row");
  row.append(part(children ? "▸" : "", "twist"));
  row.firstChild.setAttribute("aria-hidden", "true");
  const label = document.createElement("span");
  parts.forEach((one, index) => label.append(index ? " " : "", one));
  row.append(label);
  element.append(row);
  if (children) element.setAttribute("aria-expanded", "false");
  items.set(element, { line, children });
  return element;
}

function expand(element, open) {
  const { children } = items.get(element);
  if (!children) return;
  let list = element.querySelector(":scope > [role=group]");
  if (open && !list) {
    list = document.createElement("ul");
    list.setAttribute("role", "group");
    list.append(...children());
    element.append(list);
  }
  if (list) list.hidden = !open;
  element.setAttribute("aria-expanded", String(open));
}

const isOpen = (element) => element.getAttribute("aria-expanded") === "true";
const visible = () => [...tree.querySelectorAll("[role=treeitem]")].filter((element) => element.offsetParent !== null);

let selected = null;
let shown = 0;

function select(element, focus) {
  if (selected) {
    selected.setAttribute("aria-selected", "false");
    selected.tabIndex = -1;
  }
  selected = element;
  element.setAttribute("aria-selected", "true");
  element.tabIndex = 0;
  if (focus) element.focus();
  show(items.get(element).line.length);
}

function position(line) {
  const men = { ...report.men };
  for (const ply of line) {
    if (!ply) continue;
    const man = men[ply.f];
    delete men[ply.f];
    if (ply.e) delete men[ply.e];
    if (ply.r) {
      const rook = men[ply.r[0]];
      delete men[ply.r[0]];
      men[ply.r[1]] = rook;
    }
    men[ply.t] = ply.q || man;
  }
  return men;
}

const corner = (square) => [(square.charCodeAt(0) - 97) * 100, (8 - Number(square[1])) * 100];

function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function show(count) {
  const { line } = items.get(selected);
  shown = count;
  const last = line.slice(0, shown).filter(Boolean).at(-1);
  byId("marks").replaceChildren(...(last ? [last.f, last.t] : []).map((square) => {
    const [x, y] = corner(square);
    return svg("rect", { x, y, width: 100, height: 100 });
  }));
  for (const [id, isMine] of [["white", (man) => man < "a"], ["black", (man) => man >= "a"]]) {
    const men = Object.entries(position(line.slice(0, shown))).filter(([, man]) => isMine(man));
    byId(id).replaceChildren(...men.map(([square, man]) => {
      const [x, y] = corner(square);
      return svg("use", { href: `#${man.toLowerCase()}`, x, y });
    }));
  }
  const moves = line.map((ply, index) => {
    const number = isDefence(index) && index > 0 && line[index - 1] ? "" : moveNumber(line, index, isDefence(index));
    const text = ply ? number + ply.s : isDefence(index) ? `${number} pass` : "";
    if (index !== shown - 1) return text + " ";
    const mark = document.createElement("b");
    mark.textContent = text;
    return mark;
  });
  byId("line").replaceChildren(...moves.flatMap((move) => [move, " "]));
  byId("first").disabled = byId("back").disabled = shown === 0;
  byId("on").disabled = shown === line.length && !items.get(selected).children && !(selected === diagram && start);
  byId("last").disabled = shown === line.length;
}

// One ply on; at the end of the line, into the first item below it; from the diagram into the key.
function on() {
  const { line, children } = items.get(selected);
  if (shown < line.length) {
    show(shown + 1);
  } else if (selected === diagram && start) {
    select(start, false);
    show(Math.min(1, items.get(start).line.length));
  } else if (children) {
    expand(selected, true);
    const before = line.length;
    select(selected.querySelector("[role=treeitem]"), false);
    show(Math.min(before + 1, items.get(selected).line.length));
  }
}

tree.addEventListener("click", (event) => {
  const element = event.target.closest("[role=treeitem]");
  if (!element) return;
  const twist = event.target.classList.contains("twist");
  expand(element, twist || element === selected ? !isOpen(element) : true);
  select(element, true);
});

tree.addEventListener("keydown", (event) => {
  const all = visible();
  const index = all.indexOf(selected);
  const go = (element) => element && select(element, true);
  const parent = selected.parentElement.closest("[role=treeitem]");
  const keys = {
    ArrowDown: () => go(all[index + 1]),
    ArrowUp: () => go(all[index - 1]),
    Home: () => go(all[0]),
    End: () => go(all.at(-1)),
    ArrowRight: () => (isOpen(selected) ? go(selected.querySelector("[role=treeitem]")) : expand(selected, true)),
    ArrowLeft: () => (isOpen(selected) ? expand(selected, false) : go(parent)),
    Enter: () => expand(selected, !isOpen(selected)),
    " ": () => expand(selected, !isOpen(selected)),
  };
  if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
  show(shown);
});

byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(shown - 1));
byId("on").addEventListener("click", on);
byId("last").addEventListener("click", () => show(items.get(selected).line.length));

// The first key is what one came for: it is opened at once.
const diagram = item([part("Diagram")], [], null);
const roots = report.roots.map((root) => (root.p ? firstMove(root) : group(root)));
tree.append(diagram, ...roots);
const opened = report.roots.findIndex((root) => root.open);
const start = roots[Math.max(opened, 0)];
if (opened >= 0) expand(start, true);
select(diagram, false);
