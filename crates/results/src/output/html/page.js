// The script of the page: the solution tree and the board. The page contains the report as JSON, a booklet one for each
// problem; `openReport` shows one of them. Lines share plays, so an item of the tree gets its children only when it is
// opened. The board is always computed from the diagram and the line of moves of the selected item.
let report = null;
const byId = (id) => document.getElementById(id);
const tree = byId("tree");
const END = -1;

// For each item of the tree: `line`, the plies from the diagram to it (null for a pass of the defender), and `children`,
// a function that creates the items below it (null if there are none). Items of the first level also have a `name`, such as
// "Try", and `next`, the first ply below them if their line has none.
const items = new WeakMap();

// The number of the ply at an index of a line. The key is move 1; a pass counts as a move of the defender.
function moveNumber(index) {
  const number = Math.floor((index + (report.defenderBegins ? 1 : 0)) / 2) + 1;
  return `${number}${isDefence(index) ? "..." : "."}`;
}

const isDefence = (index) => (index + (report.defenderBegins ? 1 : 0)) % 2 === 1;

// A span with a text and a CSS class.
function part(text, className) {
  const span = document.createElement("span");
  span.textContent = text;
  if (className) span.className = className;
  return span;
}

// The span for the ply at an index of a line: its number, its notation, and a mark such as "!".
function movePart(line, index, mark, className) {
  const span = part("", className);
  span.append(part(line[index].m ?? moveNumber(index), "number"), line[index].s + (mark || ""));
  return span;
}

// Returns a function that creates the items below a move of the attacker: threats, then variations. In set play, the
// moves that are not shown have no reply.
function below(next, line, isSetPlay) {
  if (next < 0) return null;
  const play = report.plays[next];
  return () => {
    const created = play.threats.map((threat) => continuation(threat, [...line, null], "threat"));
    for (const group of groups(play.variations)) {
      created.push(group.length === 1 ? variationItem(group[0], line) : groupItem(group, line));
    }
    if (play.unshown > 0) {
      const one = play.unshown === 1;
      const text = isSetPlay
        ? `other ${one ? "move has" : "moves have"} no reply`
        : `other ${one ? "defence does not meet the threat, or loses" : "defences do not meet the threat, or lose"} faster`;
      created.push(item([part(`${play.unshown} ${text}`, "note")], line, null));
    }
    return created;
  };
}

// Groups the variations with the same replies, if these end the line. Each other variation is a group of its own; so is
// one whose defence ends the line.
function groups(variations) {
  const found = new Map();
  for (const variation of variations) {
    const ends = variation.c.length > 0 && variation.c.every((c) => c.n === END);
    const name = ends ? variation.c.map((c) => c.p.s).join(" ") : variation;
    found.set(name, [...(found.get(name) || []), variation]);
  }
  return [...found.values()];
}

// The item for a defence and its replies.
function variationItem(variation, line) {
  const defended = [...line, variation.d];
  if (variation.c.length === 1) return continuation(variation.c[0], defended, "", line.length);
  const children = variation.c.length ? () => variation.c.map((c) => continuation(c, defended, "")) : null;
  return item([movePart(defended, line.length)], defended, children);
}

// The item for several defences with the same replies, which end the line. It shows the first of them; below it stand all.
function groupItem(group, line) {
  const defended = [...line, group[0].d];
  const defences = movePart(defended, line.length);
  defences.append(group.slice(1).map((variation) => `, ${variation.d.s}`).join(""));
  const replies = movePart([...defended, group[0].c[0].p], defended.length);
  replies.append(group[0].c.slice(1).map((c) => ` or ${c.p.s}`).join(""));
  const children = () => group.map((variation) => variationItem(variation, line));
  return item([defences, replies], [...defended, group[0].c[0].p], children, true);
}

// The notes after a move of the attacker: zugzwang, or that its play is left out.
function notes(next) {
  if (next === END) return [];
  if (next < END) return [part("left out", "note")];
  const play = report.plays[next];
  return play.zugzwang ? [part("zugzwang", "note")] : [];
}

// The item for a move of the attacker. `defence` is the index of the defence before it if both share a row.
function continuation(c, line, word, defence) {
  const path = [...line, c.p];
  const parts = word ? [part(word, "note")] : [];
  if (defence !== undefined) parts.push(movePart(path, defence));
  parts.push(movePart(path, line.length), ...notes(c.n));
  return item(parts, path, below(c.n, path));
}

// The item for a key or a try. The refutations of a try come after its play.
function firstMove(root) {
  const line = [root.p];
  const parts = [movePart(line, 0, root.mark, root.mark === "!" ? "key" : ""), ...notes(root.n)];
  if (root.note) parts.push(part(root.note, "note"));
  const play = below(root.n, line);
  const children = root.refutations ? () => [...(play ? play() : []), ...refuted(root.refutations, line)] : play;
  return named(item(parts, line, children), root.mark === "?" ? "Try" : "Key", root.p);
}

// Gives an item of the first level its name and the first ply below it.
function named(element, name, next) {
  Object.assign(items.get(element), { name, next });
  return element;
}

// The items for the defences that refute the first move.
function refuted(refutations, line) {
  return refutations.map((ply) => {
    const path = [...line, ply];
    return item([part("but", "note"), movePart(path, line.length, "!", "key")], path, null);
  });
}

// The item for the set play, or for the play after the key.
function group(root) {
  const line = root.pass ? [null] : [];
  const play = below(root.play, line, root.pass);
  const parts = [part(root.title, "key"), ...(play ? [] : notes(root.play))];
  const element = item(parts, line, () => [...(play ? play() : []), ...refuted(root.refutations || [], line)]);
  return named(element, root.title, report.plays[root.play]?.variations[0]?.d);
}

// The item for a part of the solutions of help play, and below it those for its lines.
function linesItem(root) {
  const lineItem = ({ line, note }) => {
    const parts = line.map((_, index) => movePart(line, index));
    return item(note ? [...parts, part(note, "note")] : parts, line, null);
  };
  const element = item([part(root.title, "key")], [], root.lines.length ? () => root.lines.map(lineItem) : null);
  return named(element, root.title, root.lines[0]?.line[0]);
}

// Creates an item of the tree with its label (`parts`), its line, and the function that creates its children. `ends`: the
// line ends here although there are items below.
function item(parts, line, children, ends) {
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
  items.set(element, { line, children, ends });
  return element;
}

// Opens or closes an item. Its children are created when it is opened for the first time.
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

// The items for the diagram and for the first key, the selected item, and the number of plies of its line that the board
// shows.
let diagram = null;
let start = null;
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

// Returns the men after the plies of a line, by square.
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

// The item of the first level above an item, or itself.
function rootOf(element) {
  const parent = element.parentElement?.closest("[role=treeitem]");
  return parent ? rootOf(parent) : element;
}

// Shows the first `count` plies of the selected line: marks, men, the text below the board, and the buttons.
function show(count) {
  const { line, children, ends } = items.get(selected);
  shown = count;
  const men = position(line.slice(0, shown));
  const last = line.slice(0, shown).filter(Boolean).at(-1);
  const next = last ? null : (line.find(Boolean) ?? items.get(selected === diagram && start ? start : selected).next);
  markMoves(byId("marks"), byId("arrow"), last, next);
  for (const [id, isMine] of [["white", (man) => man < "a"], ["black", (man) => man >= "a"]]) {
    const mine = Object.entries(men).filter(([, man]) => isMine(man));
    byId(id).replaceChildren(...mine.map(([square, man]) => {
      const [x, y] = corner(square);
      return svg("use", { href: `#${man.toLowerCase()}`, x, y });
    }));
  }
  const moves = line.map((ply, index) => {
    const number = ply?.m ?? (isDefence(index) && index > 0 && line[index - 1] ? "" : moveNumber(index));
    const text = ply ? number + ply.s : isDefence(index) ? `${number} pass` : "";
    if (index !== shown - 1) return text + " ";
    const mark = document.createElement("b");
    mark.textContent = text;
    return mark;
  });
  byId("line").replaceChildren(...moves.flatMap((move) => [move, " "]));
  byId("first").disabled = byId("back").disabled = shown === 0;
  byId("forward").disabled = shown === line.length && (!children || ends) && !(selected === diagram && start);
  byId("last").disabled = shown === line.length;
  // A page that embeds this one shows the position on its own board.
  const { name = "Diagram" } = items.get(rootOf(selected));
  const played = moves.slice(0, shown).map((move) => move.textContent ?? move).join("").trim();
  const words = shown ? `${name}, move ${shown} of ${line.length}: ${played}` : next ? `${name}; the arrow shows ${next.s}` : name;
  window.onBoard?.({ men, plies: shown, last, next, words });
}

// Goes one ply forward: along the line, at its end into the first item below it, from the diagram into the first key.
function forward() {
  const { line, children, ends } = items.get(selected);
  if (shown < line.length) {
    show(shown + 1);
  } else if (selected === diagram && start) {
    select(start, false);
    if (items.get(start).line.length) show(1);
    else forward();
  } else if (children && !ends) {
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
byId("forward").addEventListener("click", forward);
byId("last").addEventListener("click", () => show(items.get(selected).line.length));

// Shows a report. The first key, or the play after the key, is open at the start.
function openReport(data) {
  report = data;
  diagram = item([part("Diagram")], [], null);
  const roots = report.roots.map((root) => (root.lines ? linesItem(root) : root.p ? firstMove(root) : group(root)));
  tree.replaceChildren(diagram, ...roots);
  const opened = report.roots.findIndex((root) => root.open);
  start = roots[Math.max(opened, 0)];
  if (opened >= 0) expand(start, true);
  selected = null;
  select(diagram, false);
}

if (byId("report")) openReport(JSON.parse(byId("report").textContent));
