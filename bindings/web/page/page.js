// The page: a position is set up, a question is asked, the answer is shown. This file says which control does what.

import { board, download, firstMoves, mend, join, solve, wholeSolution } from "./answer.js";
import { EMPTY, fromFen } from "./position.js";
import { changeQuestion, changes, fit, openAddress, openEntry, openProblem, readField, readText, set } from "./problem.js";
import { byId, loaded, off, state, unfold } from "./state.js";

const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/** Calls `action` when an event comes, and shows the sentence of its error. */
function on(target, event, action) {
  (target.addEventListener ? target : byId(target)).addEventListener(event, async (it) => {
    try {
      await action(it);
    } catch (error) {
      byId("error").textContent = error.message;
    }
  });
}

async function openFile(file) {
  if (file) await readText(await file.text());
}

on("solution", "load", join);
on("text", "change", readField);
on("text", "paste", () => setTimeout(readField));
on("problems", "change", () => openProblem(byId("problems").selectedOptions[0].problem));
on("open", "click", () => byId("file").click());
on("file", "change", () => openFile(byId("file").files[0]).finally(() => (byId("file").value = "")));
on(document, "dragover", (event) => event.preventDefault());
on(document, "drop", (event) => {
  event.preventDefault();
  return openFile(event.dataTransfer.files[0]);
});
on("clear", "click", () => set({ ...EMPTY, turn: state.position.turn }));
on("initial", "click", () => set(fromFen(INITIAL)));
on("flip", "click", () => board.flip());
on("undo", "click", () => history.back());
on(document, "keydown", (event) => {
  const isWriting = event.target.matches("textarea, input[type=text], input[type=number]");
  if (isWriting || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.shiftKey) history.forward();
  else if (changes() > 0) history.back();
});
for (const radio of document.querySelectorAll("input[name=turn]")) {
  on(radio, "change", () => set({ ...state.position, turn: radio.value, enPassant: "-" }));
}
on("castling", "change", () => {
  const boxes = [...byId("castling").querySelectorAll("input:checked")].filter((box) => !box.parentElement.hidden);
  set({ ...state.position, castling: boxes.map((box) => box.value).join("") });
});
on("en-passant", "change", () => set({ ...state.position, enPassant: byId("en-passant").value }));
on("ask", "change", changeQuestion);
on("ask", "submit", (event) => {
  event.preventDefault();
  return solve();
});
on("whole", "click", () => wholeSolution());
on("moves-list", "click", firstMoves);
on("mend-it", "click", mend);
on("stop", "click", async () => (await loaded)[0].cancel());
for (const id of ["first", "back", "forward", "last"]) on(id, "click", () => state.step(id));
on(document, "keydown", (event) => {
  const where = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  const isElsewhere = event.defaultPrevented || event.target.matches("textarea, input, select") || event.ctrlKey || event.altKey || event.metaKey;
  if (!where || !state.step || isElsewhere) return;
  event.preventDefault();
  if (!byId(where).disabled) state.step(where);
});
for (const id of ["edit", "more"]) on(id, "click", () => unfold(id, byId(id).getAttribute("aria-expanded") !== "true"));
on("save-as", "keydown", (event) => {
  if (event.key !== "Escape") return;
  byId("save-as").open = false;
  byId("save-as").querySelector("summary").focus();
});
on("save-as", "focusout", ({ relatedTarget }) => relatedTarget && !byId("save-as").contains(relatedTarget) && (byId("save-as").open = false));
on("save-as", "click", ({ target }) => {
  const format = target.closest("button")?.dataset.format;
  if (format) return download(format);
});
on(document, "click", ({ target }) => byId("save-as").contains(target) || (byId("save-as").open = false));
for (const example of document.querySelectorAll("nav a[href^='#']")) {
  on(example, "click", (event) => {
    event.preventDefault();
    return openAddress(example.hash.slice(1));
  });
}
on("text", "input", fit);
on(window, "resize", fit);
on(window, "popstate", openEntry);
off("solve", "matesolve is being loaded");
loaded.then(openEntry).then(() => off("solve", ""), (error) => (byId("error").textContent = error.message));
