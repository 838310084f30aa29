// The board on which a position is set up: by dragging, by tapping with a chosen man, or with the keyboard.

import { markMoves } from "./marks.js";
import { FILES } from "./position.js";

const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const isWhite = (man) => man < "a";
const nameOf = (man) => `${isWhite(man) ? "white" : "black"} ${NAMES[man.toLowerCase()]}`;

/** The picture of a man. */
function picture(man) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("man", isWhite(man) ? "white" : "black");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${man.toLowerCase()}`);
  svg.append(use);
  return svg;
}

export class Board {
  #men = {};
  #squares = new Map();
  #tool = null;
  /** The square whose man was taken up with a tap or with Enter. */
  #taken = null;
  #drag = null;
  #changed;
  #grid;
  #isFlipped = false;
  /** Whether a mouse or a finger was last on the board; then the arrow keys are those of the answer, if there is one. */
  #isTouched = false;
  /** Whether an answer takes the arrow keys. */
  hasAnswer = false;

  /** Fills the grid and the toolbar. `changed` is called with the men after each change by the user. */
  constructor(grid, tools, changed) {
    this.#changed = changed;
    this.#grid = grid;
    for (let rank = 8; rank >= 1; rank--) {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (const file of FILES) row.append(this.#square(file + rank));
      grid.append(row);
    }
    this.#squares.get("a8").tabIndex = 0;
    for (const man of [..."KQRBNP", "", ..."kqrbnp", null]) tools.append(this.#button(man));
    this.#choose(null);
    document.addEventListener("pointermove", (event) => this.#moved(event));
    document.addEventListener("pointerup", (event) => this.#dropped(event));
    document.addEventListener("pointercancel", () => this.#endDrag());
  }

  /** Shows these men, the squares of the last move in colour, and an arrow for the next one. */
  show(men, last = null, next = null) {
    this.#men = { ...men };
    this.#draw();
    markMoves(document.getElementById("under"), document.getElementById("above"), last, next);
  }

  /** Turns the board round. */
  flip() {
    this.#isFlipped = this.#grid.parentElement.classList.toggle("flipped");
    const rows = [...this.#grid.children].reverse();
    for (const row of rows) row.replaceChildren(...[...row.children].reverse());
    this.#grid.replaceChildren(...rows);
  }

  #draw() {
    for (const [name, square] of this.#squares) {
      const man = this.#men[name];
      square.replaceChildren(...(man ? [picture(man)] : []));
      square.setAttribute("aria-label", `${name}, ${man ? nameOf(man) : "empty"}${this.#taken === name ? ", taken up" : ""}`);
      square.classList.toggle("taken", this.#taken === name);
    }
  }

  #set(changes) {
    for (const [square, man] of Object.entries(changes)) {
      if (man) this.#men[square] = man;
      else delete this.#men[square];
    }
    this.#taken = null;
    this.#draw();
    this.#changed({ ...this.#men });
  }

  #square(name) {
    const square = document.createElement("button");
    square.type = "button";
    square.className = "square";
    square.setAttribute("role", "gridcell");
    square.dataset.square = name;
    // The style sheet writes them at the edges of the board.
    [square.dataset.file, square.dataset.rank] = name;
    square.tabIndex = -1;
    square.addEventListener("pointerdown", (event) => this.#grasped(event, { man: this.#tool ?? this.#men[name], from: name }));
    square.addEventListener("keydown", (event) => this.#key(event, name));
    square.addEventListener("focus", () => this.#squares.forEach((other) => (other.tabIndex = other === square ? 0 : -1)));
    this.#squares.set(name, square);
    return square;
  }

  /** The button of a man; "" is the rubber, null the hand that moves men. */
  #button(man) {
    const button = document.createElement("button");
    button.type = "button";
    button.tool = man;
    if (man) button.append(picture(man));
    else button.textContent = man === "" ? "✕" : "↔";
    button.title = man ? nameOf(man) : man === "" ? "remove men" : "move men";
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", () => this.#choose(man));
    if (man) button.addEventListener("pointerdown", (event) => this.#grasped(event, { man }));
    this.#buttons.push(button);
    return button;
  }
  #buttons = [];

  #choose(tool) {
    this.#tool = tool;
    this.#taken = null;
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(button.tool === tool));
    this.#draw();
  }

  /** A finger or a mouse button goes down on a square or on a man of the toolbar. */
  #grasped(event, drag) {
    if (event.button !== 0) return;
    this.#isTouched = Boolean(drag.from);
    // Touch would send all further events to this element.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    const movable = drag.from ? this.#tool === null && drag.man : true;
    this.#drag = { ...drag, movable, x: event.clientX, y: event.clientY };
  }

  #moved(event) {
    const drag = this.#drag;
    if (!drag?.movable) return;
    if (!drag.image && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
    if (!drag.image) {
      drag.image = picture(drag.man);
      drag.image.id = "dragged";
      document.body.append(drag.image);
    }
    drag.image.style.left = `${event.clientX}px`;
    drag.image.style.top = `${event.clientY}px`;
  }

  #dropped(event) {
    const drag = this.#drag;
    this.#endDrag();
    if (!drag) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const to = under?.closest("[data-square]")?.dataset.square;
    if (drag.image) {
      // A man that is dropped beside the board leaves it.
      if (to !== drag.from) this.#set({ ...(drag.from && { [drag.from]: null }), ...(to && { [to]: drag.man }) });
    } else if (drag.from && drag.from === to) {
      this.#tapped(to);
    }
  }

  #endDrag() {
    this.#drag?.image?.remove();
    this.#drag = null;
  }

  /** A tap puts the chosen man on the square, or takes up a man and puts it down. */
  #tapped(name) {
    if (this.#tool !== null) {
      this.#set({ [name]: this.#men[name] === this.#tool ? null : this.#tool });
    } else if (this.#taken && this.#taken !== name) {
      this.#set({ [this.#taken]: null, [name]: this.#men[this.#taken] });
    } else {
      this.#taken = this.#taken || !this.#men[name] ? null : name;
      this.#draw();
    }
  }

  #key(event, name) {
    if (event.key === "Tab") this.#isTouched = false;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (steps[event.key] && this.hasAnswer && this.#isTouched) return;
    if (steps[event.key]) {
      const [file, rank] = steps[event.key].map((step) => (this.#isFlipped ? -step : step));
      const next = (FILES[FILES.indexOf(name[0]) + file] ?? name[0]) + Math.min(8, Math.max(1, Number(name[1]) + rank));
      this.#squares.get(next).focus();
    } else if (/^[kqrbnp]$/i.test(event.key)) {
      this.#set({ [name]: event.shiftKey ? event.key.toLowerCase() : event.key.toUpperCase() });
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.#set({ [name]: null });
    } else if (event.key === "Enter" || event.key === " ") {
      this.#tapped(name);
    } else {
      return;
    }
    event.preventDefault();
  }
}
