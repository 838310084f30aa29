// The problem of the page: its position and its text, how they are read, and their address.
//
// The position lives in `state.position`; the board, the fields and the address all show it. Each change of it is an entry
// in the history of the browser, so that going back undoes it. The library reads every text.

import { fromFen, possibleCastling, possibleEnPassant, toFen } from "./position.js";
import { addAsked, ask, load, question, save } from "./question.js";
import { byId, forget, isWide, loaded, off, state, unfold } from "./state.js";

/** The address of the first example. */
const EXAMPLE = document.querySelector("nav a").hash.slice(1);
/** What the text field says when it shows the position, and the reading of a text that somebody has put there. */
let shown = "";
let reading = null;

/** Makes the field of the text as high as its text. */
export function fit() {
  byId("text").style.height = "auto";
  byId("text").style.height = `${byId("text").scrollHeight + 2}px`;
}

/** Makes this the position of the page. A position that was changed has no name and no twins. */
export function set(next, name = null, text = null, isNew = true) {
  [state.position, state.title, state.source] = [next, name, text];
  shown = byId("text").value = state.source?.text ?? toFen(state.position);
  fit();
  reading = null;
  byId("count").textContent = counts(state.position.men);
  byId("side").textContent = `${state.position.turn === "w" ? "White" : "Black"} to move`;
  byId("about").textContent = state.source ? `Phases: ${state.source.phases.join("; ")}. The whole solution has all, Solve the first.` : "";
  byId("text-error").textContent = "";
  document.querySelector(`input[name=turn][value=${state.position.turn}]`).checked = true;
  const possible = possibleCastling(state.position.men);
  byId("castling").hidden = possible.length === 0;
  for (const box of byId("castling").querySelectorAll("input")) {
    box.parentElement.hidden = !possible.includes(box.value);
    box.checked = state.position.castling.includes(box.value);
  }
  const squares = possibleEnPassant(state.position);
  byId("en-passant-field").hidden = squares.length === 0;
  byId("en-passant").replaceChildren(...["-", ...squares].map((square) => new Option(square === "-" ? "no" : square, square)));
  byId("en-passant").value = squares.includes(state.position.enPassant) ? state.position.enPassant : "-";
  forget();
  if (isNew) remember();
}

/** The numbers of White's and Black's men, as they stand below a diagram. */
function counts(men) {
  const white = Object.values(men).filter((man) => man < "a").length;
  return `${white}+${Object.keys(men).length - white}`;
}

/** The address of the position and the question. */
function address() {
  const parts = new URLSearchParams(state.source
    ? { text: state.source.text, problem: state.source.number }
    : { fen: toFen(state.position).replaceAll(" ", "_") });
  save(parts);
  return `#${parts.toString().replaceAll("%2F", "/")}`;
}

/** The number of changes that can be undone. */
export const changes = () => history.state?.at ?? 0;

/** Adds the position to the history of the browser; the first one of the page replaces the entry that it has. */
function remember() {
  const isFirst = !history.state;
  const { position, title, source } = state;
  const entry = { at: isFirst ? 0 : changes() + 1, position, title, source };
  if (isFirst || address() === location.hash) history.replaceState({ ...entry, at: changes() }, "", address());
  else history.pushState(entry, "", address());
  offerUndo();
}

/** Shows the entry of the history that the browser has gone to, or an address that somebody has entered. */
export function openEntry() {
  const [entry, text] = [history.state, location.hash.slice(1) || EXAMPLE];
  offerUndo();
  if (!entry) return openAddress(text);
  load(new URLSearchParams(text));
  return set(entry.position, entry.title, entry.source, false);
}

const offerUndo = () => off("undo", changes() === 0 && "Nothing was changed");

/** Shows the position and the question of an address. */
export function openAddress(text) {
  const parts = new URLSearchParams(text);
  load(parts);
  state.isChosen = parts.has("moves");
  return readText(parts.get("text") ?? (parts.get("fen") ?? "").replaceAll("_", " "), Number(parts.get("problem") ?? 0));
}

/** The question was changed: an answer belongs to the old one. */
export function changeQuestion() {
  // A whole stipulation may be written in the field of the length, too.
  if (/[#=]/.test(byId("moves").value)) ask(byId("moves").value);
  if (address() === location.hash) return;
  state.isChosen = true;
  forget();
  history.replaceState(history.state, "", address());
}

/** Reads what somebody has put into the text field. Returns whether there is a position. */
export function readField() {
  const text = byId("text").value;
  if (text === shown) {
    byId("text-error").textContent = "";
    return true;
  }
  if (reading?.text !== text) reading = { text, done: readText(text) };
  return reading.done;
}

/**
 * Reads a text with one problem or several, and shows the one of this number, else the first, or the sentence that says
 * what is wrong. Returns whether there is one.
 */
export async function readText(text, number) {
  const [, reader] = await loaded;
  const problems = await reader.read(text);
  problems.forEach((problem, index) => Object.assign(problem, { text, number: index + 1 }));
  const usable = problems.filter((problem) => !problem.error);
  byId("choice").hidden = usable.length < 2;
  byId("problems").replaceChildren(...usable.map((problem, index) => {
    const name = problem.id ?? problem.fen;
    const option = new Option(`${problem.line ? `${problem.line}: ` : ""}${name}`, index);
    option.problem = problem;
    return option;
  }));
  const opened = Math.max(usable.findIndex((problem) => problem.number === number), 0);
  byId("problems").selectedIndex = opened;
  if (usable.length > 0) {
    openProblem(usable[opened]);
    return true;
  }
  forget();
  byId("text").value = text;
  fit();
  byId("text-error").textContent = problems[0]?.error ?? "There is no problem in this text.";
  return false;
}

export function openProblem(problem) {
  if (/^[a-z-]*[#=][\d.]*$/.test(problem.stipulation ?? "")) ask(problem.stipulation);
  else if (!state.isChosen) ask("");
  state.isChosen = false;
  addAsked(problem.asked);
  unfold("edit", isWide());
  set(fromFen(problem.fen), problem.id, problem.phases.length > 0 ? { ...problem, stated: question() } : null);
  byId("about").textContent = [byId("about").textContent, ...problem.warnings].filter(Boolean).join(" ");
}

/** The problem as a text for the library, and the options that go with it. */
export const line = () => state.source?.text ?? toFen(state.position) + (state.title ? ` id "${state.title.replace(/["\\;]/g, "")}";` : "");
export const which = () => ({ problem: state.source?.number });

