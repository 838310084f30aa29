// The lines of an answer: their moves are buttons, and the board shows the position after each.

import { play } from "./position.js";

/** The moves of a line with their numbers: `1. Rh6 Ba2 2. Rxh7#`, or `1.O-O Kh5 2.Kh7 Ng5#` of help play. */
const MOVES = /(\d+\.+)?\s*([^\s\d.]\S*)/g;

/** The number that a move of a line has in the game whose position this is; undefined after a move of White. */
function ofGame({ turn, number }, ply) {
  const half = ply + (turn === "b" ? 1 : 0);
  if (half % 2 === 1 && ply > 0) return undefined;
  return `${number + Math.floor(half / 2)}${half % 2 === 1 ? "..." : "."}`;
}

export class Lines {
  #element;
  #show;
  /** All moves in their order: the button, the position after it, and the number of its line. */
  #steps = [];
  #at = -1;

  /** `show` is called with a position and the moves that lead to it; with null for the diagram. */
  constructor(element, show) {
    this.#element = element;
    this.#show = show;
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.go(this.#at + step);
    });
  }

  get isEmpty() {
    return this.#steps.length === 0;
  }

  /** Shows lines that begin in this position: each has its moves as `san` and as a list `uci`, and a word before them. */
  set(position, lines) {
    [this.#steps, this.#at] = [[], -1];
    this.#element.replaceChildren(...lines.map((line, index) => this.#line(position, line, index)));
  }

  /** Adds a line below the others. */
  add(position, line) {
    this.#element.append(this.#line(position, line, this.#element.childElementCount));
  }

  #line(position, { label = "", san, uci }, index) {
    const element = document.createElement("p");
    if (label) element.append(Object.assign(document.createElement("span"), { textContent: label, className: "soft" }), " ");
    const moves = [...san.matchAll(MOVES)];
    if (moves.length !== uci.length) {
      element.append(san);
      return element;
    }
    let [after, played] = [position, ""];
    moves.forEach(([, ofLine, move], ply) => {
      const number = position.number > 1 ? ofGame(position, ply) : ofLine;
      after = play(after, uci[ply]);
      played += `${number ? `${number} ` : ""}${move} `;
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: move, className: "move" });
      const at = this.#steps.push({ button, after, played: played.trim(), index }) - 1;
      button.addEventListener("click", () => this.go(at));
      if (number) element.append(`${number} `);
      element.append(button, " ");
    });
    return element;
  }

  /** Shows the position after this move; before the first one is the diagram. */
  go(at) {
    if (at < -1 || at >= this.#steps.length) return;
    this.#steps[this.#at]?.button.removeAttribute("aria-current");
    this.#at = at;
    const step = this.#steps[at];
    step?.button.setAttribute("aria-current", "step");
    step?.button.focus({ preventScroll: true });
    this.#show(step?.after ?? null, step?.played ?? "");
  }

  /** Goes one move back or forward, within a line. */
  step(by) {
    const to = this.#at + by;
    const isOther = this.#steps[to] && this.#steps[this.#at] && this.#steps[to].index !== this.#steps[this.#at].index;
    this.go(isOther && by < 0 ? -1 : isOther ? this.#at : to);
  }
}
