// What the tests share: the program matesolve, and the problems of its benchmark.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");

/** The program to compare with: `MATESOLVE`, or the one that `cargo build` makes. */
export const PROGRAM = process.env.MATESOLVE ?? resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/matesolve");
if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing; run \`cargo build\`, or name the program in MATESOLVE`);

export const matesolve = (...words) => execFileSync(PROGRAM, words, { encoding: "utf8" });

/** The names that the options of the program have in the package, where they can be the source of a question. */
const OPTIONS = { "-s": "stipulation", "--mate": "mate" };

/**
 * The JSON object that the program prints; it may end with any exit code. The option that states the question has the
 * name that it has in the package.
 */
export function object(...words) {
  const { stdout } = spawnSync(PROGRAM, [...words, "--format", "json"], { encoding: "utf8" });
  return JSON.parse(stdout, (key, value) => (key === "from" ? (OPTIONS[value] ?? value) : value));
}

/** The problems of `matesolve bench`, one line each. */
export function benchmark() {
  const suites = ["classics", "quiet_keys", "long_checks", "zugzwang"];
  const text = suites.map((suite) => readFileSync(join(ROOT, "problems", `${suite}.epd`), "utf8")).join("\n");
  return text.split("\n").filter((line) => line.trim() && !/^[#%]/.test(line));
}

/** D. G. Prinz, Research 1952. */
export const PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
/**
 * The first mate found in 200,000 nodes has more than fifty moves: Black can wait for long in the corner, and White
 * wanders. Searches call themselves at each ply, so it needs much stack. If a change of the search makes the mate
 * short, the tests of the stack need another position.
 */
export const LONG_MATE = "7k/8/8/p3p2p/P3P2P/8/8/1QK5 w - -";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
