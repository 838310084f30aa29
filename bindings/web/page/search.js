// Runs a search: its progress, its clock, Stop, and its end.

import { line, readField, which } from "./problem.js";
import { byId, forget, isWide, loaded, state, unfold } from "./state.js";
import { Progress, noun } from "./words.js";

/** The memory of a search, in MiB: so much that a phone gives it to a page. */
const HASH = 128;

const limits = () => ({ ...which(), hash: HASH, time: byId("time").value ? Number(byId("time").value) * 1000 : undefined });

/** Ends the search that runs. */
export function endTask() {
  if (!state.task) return;
  state.task.solver.cancel();
  state.task = null;
  busy(false);
}

/**
 * Runs a search with its progress, its clock and its end: calls this method of the solver, and `show` with the answer.
 * `options` reads the question from the page; `event` is called with each event. `isQuiet`: it belongs to the answer that
 * stands, which stays.
 */
export async function run(method, options, show, { event = () => {}, isQuiet = false } = {}) {
  const [solver] = await loaded;
  // A text that was just entered comes first; without a position there is nothing to ask. It may bring its own question,
  // so the question is read after it.
  if (!isQuiet && !(await readField())) return byId("text").focus();
  if (isQuiet) endTask();
  else forget();
  state.isChosen = false;
  if (!isWide()) unfold("edit", false);
  const [text, asked] = [line(), { ...limits(), ...options() }];
  const [progress, started] = [new Progress(noun(byId("goal").value)), performance.now()];
  const tick = () => {
    const seconds = (performance.now() - started) / 1000;
    byId("clock").textContent = [`${Math.floor(seconds)} s`, progress.nodes(seconds)].filter(Boolean).join(", ");
  };
  const say = () => (byId("status").textContent = method === "write" && isQuiet ? "The whole solution follows…" : `Searching… ${progress}`);
  const mine = (state.task = { solver });
  const hear = (heard) => {
    progress.add(heard);
    if (state.task === mine) event(heard);
  };
  busy(true);
  say();
  tick();
  // Screen readers read every change of the status aloud, so it changes once a second.
  const timers = [setInterval(tick, 250), setInterval(say, 1000)];
  const end = () => {
    timers.forEach(clearInterval);
    if (state.task !== mine) return false;
    state.task = null;
    busy(false);
    for (const id of ["status", "clock"]) byId(id).textContent = "";
    return true;
  };
  let answer;
  try {
    answer = await solver[method](text, { ...asked, onProgress: hear });
  } catch (error) {
    // The search of an old question ends without a word.
    if (!end()) return;
    if (error.name === "AbortError") byId("status").textContent = `Stopped.${`${progress}` ? ` So far: ${progress}` : ""}`;
    else byId("error").textContent = error.message;
    return;
  }
  if (end()) return show(answer);
}

/** Shows Stop in the place of Solve while a search runs. */
function busy(isBusy) {
  const [gone, come] = isBusy ? [byId("solve"), byId("stop")] : [byId("stop"), byId("solve")];
  const hadFocus = document.activeElement === gone;
  [gone.hidden, come.hidden] = [true, false];
  if (hadFocus) come.focus({ preventScroll: true });
  byId("question").setAttribute("aria-busy", String(isBusy));
}

/** Says a result to those who do not see it. */
export const announce = (text) => (byId("announce").textContent = text);

