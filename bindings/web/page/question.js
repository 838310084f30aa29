// The question of the page: the stipulation, and what the whole solution has. The address carries all of it.

const byId = (id) => document.getElementById(id);

/** The switches of the whole solution: their fields, and their names in the address and as options of the library. */
const SWITCHES = [
  ["set-play", "setPlay"],
  ["phases", "phases"],
  ["themes", "themes"],
  ["short-variations", "shortVariations"],
  ["post-key", "postKey"],
];

/** The goals of the list. */
const GOALS = [...byId("goal").options].map((option) => option.value);

/** Splits a stipulation such as `s#3` or `3` into its goal and its length; null if the list has no such goal. */
function parts(text) {
  const [, goal = "#", moves] = /^\s*([a-z-]*[#=])?\s*(.*?)\s*$/i.exec(text);
  return GOALS.includes(goal.toLowerCase()) ? { goal: goal.toLowerCase(), moves } : null;
}

/** Makes a stipulation the question of the page. One that the list has not stays in the field as it is. */
export function ask(text) {
  const { goal, moves } = parts(text) ?? { goal: "#", moves: text };
  byId("goal").value = goal;
  byId("moves").value = moves;
}

/** The question as the address has it: `3`, `s#3`, or nothing for the shortest mate. */
export function question() {
  const [goal, moves] = [byId("goal").value, byId("moves").value.trim()];
  return goal === "#" ? moves : goal + moves;
}

export const isNumber = (text) => /^\d+$/.test(text);

/** The question as a stipulation: `#3`, `s#`. */
export function stipulation() {
  const asked = question();
  return isNumber(asked) || !asked ? `#${asked}` : asked;
}

/** The question as options of a solve. A number is the longest mate that counts; anything else is a stipulation. */
export function solveOptions() {
  const asked = question();
  return isNumber(asked) ? { mate: Number(asked) } : asked ? { stipulation: asked } : {};
}

/** The content of the whole solution as options of a report. */
export function reportOptions() {
  const switches = SWITCHES.map(([id, name]) => [name, byId(id).checked]);
  const refutations = Number(byId("refutations").value) || 1;
  const shown = byId("tries-with-play").checked ? `${refutations},play` : refutations;
  return { ...Object.fromEntries(switches), tries: byId("tries").checked ? shown : undefined, letters: byId("letters").value };
}

/** Adds what a text asks for. */
export function addAsked({ setPlay, tries, postKey }) {
  byId("set-play").checked ||= setPlay;
  byId("post-key").checked = postKey;
  byId("tries").checked ||= Boolean(tries);
  if (tries) byId("refutations").value = tries;
}

/** Writes the question into the parts of the address. */
export function save(address) {
  if (question()) address.set("moves", question());
  const { tries, ...options } = reportOptions();
  if (tries) address.set("tries", tries);
  for (const [, name] of SWITCHES) if (options[name]) address.set(name, "1");
}

/** Reads the question from the parts of the address. */
export function load(address) {
  ask(address.get("moves") ?? "");
  byId("tries").checked = address.has("tries");
  const [refutations, play] = (address.get("tries") ?? "1").split(",");
  byId("refutations").value = refutations;
  byId("tries-with-play").checked = Boolean(play);
  for (const [id, name] of SWITCHES) byId(id).checked = address.has(name);
}
