// Compares the speed with that of the program on one thread: the same problems, with the same nodes, in turn.
// `node bench.mjs [ROUNDS]`; MATESOLVE names the program, by default `target/release/matesolve`.

import { createSolver } from "matesolve";
import { join } from "node:path";

process.env.MATESOLVE ??= join(import.meta.dirname, "../../target/release/matesolve");
const { START, matesolve, object } = await import("./test/support.mjs");

const PROBLEMS = [
  ["the initial position", START],
  ["castling rights", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -"],
  ["a middle game", "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - -"],
  ["a pawn ending", "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 w - -"],
];
const NODES = 1_000_000;
const rounds = Number(process.argv[2] ?? 3);
const solver = await createSolver();
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

// The engine compiles the module better after it has run for a while.
await solver.solve(START, { nodes: NODES, otherSide: false });
console.log("| problem | program, nodes a second | Node, nodes a second | ratio |\n|---|---|---|---|");
for (const [name, fen] of PROBLEMS) {
  const speeds = [[], []];
  for (let round = 0; round < rounds; round++) {
    const native = object(fen, "--nodes", String(NODES), "--threads", "1").stats;
    const web = (await solver.solve(fen, { nodes: NODES })).stats;
    if (native.nodes !== web.nodes) throw new Error(`${fen}: ${native.nodes} and ${web.nodes} nodes`);
    for (const [list, { nodes, time_ms: time }] of [[speeds[0], native], [speeds[1], web]]) list.push(nodes / time * 1000);
  }
  const [program, web] = speeds.map(median);
  const thousands = (speed) => `${Math.round(speed / 1000)} k`;
  console.log(`| ${name} | ${thousands(program)} | ${thousands(web)} | ${(web / program).toFixed(2)} |`);
}
console.log(matesolve("--version").trim());
solver.close();
