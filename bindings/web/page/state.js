// What the parts of the page share: its state, and small helpers.

import { createSolver } from "./matesolve/browser.js";
import { EMPTY } from "./position.js";

export const byId = (id) => document.getElementById(id);

/** Searches and short questions have a solver each, so that a text can be read while a search runs. */
export const loaded = Promise.all([createSolver(), createSolver()]);

export const state = {
  position: EMPTY,
  title: null,
  /** The text and the number of a problem with twins; null if the position says all. `stated` is its stipulation. */
  source: null,
  /** Whether somebody has chosen the question; else that of the next text replaces it. */
  isChosen: false,
  /** The position of a line that the board shows instead of the diagram. */
  inLine: null,
  /** Goes to the `first`, `back`, `forward` or `last` move of the line that the board shows; null without a line. */
  step: null,
  /** The forms of the last answer that can be saved, and the search that runs. */
  written: {},
  task: null,
  /** The stipulation that the workbench is asked to mend. */
  unsound: null,
  /** Removes the answer; the part of the page that shows it says how. */
  forget: () => {},
};

/** Removes the answer, and ends the search, because they belong to another question. */
export const forget = () => state.forget();

/** Says what removes the answer. */
export const onForget = (act) => (state.forget = act);

/** Whether there is room for the men beside a position that stands. */
export const isWide = () => matchMedia("(min-width: 801px)").matches;

/** Switches a button off, with the reason; without a reason on. */
export function off(id, why) {
  const button = typeof id === "string" ? byId(id) : id;
  button.help ??= button.title;
  button.disabled = Boolean(why);
  button.title = why || button.help;
}

/** Shows or hides a part of the page that a button opens. */
export function unfold(button, isOpen) {
  byId(button).setAttribute("aria-expanded", String(isOpen));
  byId(byId(button).getAttribute("aria-controls")).hidden = !isOpen;
}

