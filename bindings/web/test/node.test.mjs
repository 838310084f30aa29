// The package in Node, compared with the program.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import { createSolver } from "matesolve";
import { Solver } from "../js/solver.js";
import { Host } from "../js/worker.js";
import { LONG_MATE, PRINZ, START, benchmark, matesolve, object } from "./support.mjs";

let solver;
before(async () => (solver = await createSolver()));
after(() => solver.close());

/** Removes all times. */
const untimed = (value) => JSON.parse(JSON.stringify(value, (key, one) => (["time_ms", "stamp"].includes(key) ? 0 : one)));

/** Removes what depends on the machine. */
const timeless = ({ stats, stamp, ...rest }) => ({ ...rest, stats: { ...stats, time_ms: 0, found_at: 0 } });

test("the benchmark makes the same nodes as the program", async () => {
  const problems = benchmark();
  let nodes = 0;
  for (const problem of problems) {
    const options = { nodes: 200_000, hash: 64, anyLength: true, otherSide: false };
    nodes += (await solver.solve(problem, options)).stats.nodes;
  }
  const [, expected] = /^nodes ([\d,]+)$/m.exec(matesolve("bench"));
  assert.equal(nodes, Number(expected.replaceAll(",", "")));
});

test("200 problems need no more memory than 20", async () => {
  const problems = benchmark().filter((_, index) => index % 5 === 0).slice(0, 20);
  const alone = new Host(new WebAssembly.Module(readFileSync(new URL("../js/matesolve.wasm", import.meta.url))));
  const memory = [];
  for (let round = 0; round < 10; round++) {
    for (const text of problems) alone.answer({ op: "solve", text, options: { nodes: 20_000 } });
    memory.push(alone.memory);
  }
  assert.ok(memory[0] > 1 << 20 && memory.at(-1) <= memory[0] + (4 << 20), `${memory}`);
});

test("results and reports are the objects of the program", async () => {
  const limits = ["--nodes", "30000", "--threads", "1", "--hash", "64"];
  const problems = [PRINZ, `${PRINZ} dm 2;`, START, "7k/8/8/8/8/8/8/K7 w - -", "7k/5Q2/6K1/8/8/8/8/8 b - -", "startpos moves f2f3 e7e5 g2g4"];
  for (const problem of problems) {
    const result = await solver.solve(problem, { nodes: 30_000, hash: 64 });
    assert.deepEqual(timeless(result), timeless(object(problem, ...limits)), problem);
  }
  for (const problem of [`${PRINZ} dm 2;`, "8/8/8/8/8/5k2/7R/4K2R w K -", "4k3/8/8/8/8/8/4PPPP/4K2R"]) {
    const words = ["report", problem, "-s", "#2", "--tries=2", "--set-play", "--short-variations", ...limits];
    const options = { stipulation: "#2", tries: 2, setPlay: true, shortVariations: true, nodes: 30_000, hash: 64 };
    assert.deepEqual(timeless(await solver.report(problem, options)), timeless(object(...words)), problem);
  }
  const tries = async (more) => (await solver.report(PRINZ, { stipulation: "#2", tries: 1, ...more })).tries.map(({ san }) => san);
  assert.deepEqual([await tries({}), await tries({ tries: "play" })], [["Rh5", "Rxh7+"], ["Rh5"]]);
});

test("the objects follow the schemas that the program prints", async () => {
  const ajv = new Ajv({ strict: false });
  const valid = { solve: ajv.compile(JSON.parse(matesolve("schema"))), report: ajv.compile(JSON.parse(matesolve("schema", "report"))) };
  const check = (kind, value) => assert.ok(valid[kind](value), JSON.stringify(valid[kind].errors));
  const limits = { nodes: 20_000 };
  for (const problem of [PRINZ, START, "no position", ...benchmark().slice(0, 10)]) {
    check("solve", await solver.solve(problem, limits));
    check("report", await solver.report(problem, { ...limits, stipulation: "#2", tries: true, setPlay: true }));
    check("report", await solver.report(problem, { ...limits, stipulation: "#2", full: true }));
  }
});

test("errors are the sentences of the program", async () => {
  const wrong = ["", "no position", "5Kbk/6pp/6P1/8/8/8/8/7R x - -", "8/8/8/8/8/8/8/8 w - -", "9/8/8/8/8/8/8/8 w - -", "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm x;"];
  for (const text of wrong) {
    const expected = object(text);
    assert.equal((await solver.solve(text)).error, expected.error);
    assert.equal((await solver.report(text)).error, expected.error);
    assert.ok(expected.result.status === "invalid" && expected.error.length > 20, text);
  }
});

test("wrong options are refused with a sentence that names them", async () => {
  const refused = [
    [() => solver.solve(PRINZ, { nods: 5 }), "solve has no option nods"],
    [() => solver.solve(PRINZ, { max: 5 }), "solve has no option max; write mate"],
    [() => solver.report(PRINZ, { tries: 0 }), /^the option tries: "0" says of no tries; write a number of refutations/],
    [() => solver.solve(PRINZ, { mate: 0 }), "the option mate is a whole number from 1 to 1000, not 0"],
    [() => solver.solve(PRINZ, { mate: 2, anyLength: true }), "mate and anyLength exclude one another; give one of them"],
    [() => solver.solve(PRINZ, { attacker: "x" }), "the option attacker is one of white, black, not \"x\""],
    [() => solver.solve(PRINZ, { engine: "x" }), "there is no engine x"],
    [() => solver.report(PRINZ, { setPlay: 1 }), "the option setPlay is true or false, not 1"],
    [() => solver.report(PRINZ, { castling: "x" }), "the option castling is one of fen, assume, none, not \"x\""],
    [() => solver.report(PRINZ, { formats: ["json"] }), "report has no option formats; use write"],
    [() => solver.write(PRINZ, { formats: ["pdf"] }), "there is no format \"pdf\"; the formats are text, json, popeye, html, latex, olv, pgn"],
    [() => solver.solve(5), "solve needs a text with a position"],
  ];
  for (const [call, message] of refused) await assert.rejects(call, { name: "TypeError", message });
});

test("a value that no option can have is refused for its call alone", async () => {
  const list = ["json"];
  list.push(list);
  const values = [
    [{ mate: () => 1 }, "the option mate is a text, a number, a switch or a list of them, not a value of type function"],
    [{ mate: 2n }, "the option mate is a text, a number, a switch or a list of them, not the bigint 2n"],
    [{ mate: NaN }, "the option mate is a text, a number, a switch or a list of them, not NaN"],
    [{ stipulation: Symbol("#2") }, "the option stipulation is a text, a number, a switch or a list of them, not a value of type symbol"],
    [{ formats: list }, "the option formats is a text, a number, a switch or a list of them, not a list of lists"],
    [{ hash: new Map() }, "the option hash is a text, a number, a switch or a list of them, not a value of type object"],
    [{ onProgress: 5 }, "the option onProgress is a function"],
    [null, "the options of a call are an object"],
  ];
  for (const [options, message] of values) {
    // Each stands between two calls that wait for it in the queue.
    const before = solver.solve(PRINZ);
    const refused = ["solve", "moves", "write", "diagram"].map((method) => solver[method](PRINZ, method === "write" ? { formats: ["json"], ...options } : options));
    const after = solver.solve(PRINZ);
    const expected = [...refused.keys()].map((index) => (index === 2 && options === null ? "fulfilled" : "rejected"));
    const settled = await Promise.allSettled(refused);
    assert.deepEqual(settled.map(({ status }) => status), expected, message);
    for (const { reason } of settled.filter(({ status }) => status === "rejected")) {
      assert.deepEqual([reason.name, reason.message], ["TypeError", message]);
    }
    assert.deepEqual([(await before).result.mate_in, (await after).result.mate_in], [2, 2]);
  }
});

test("a job that cannot be sent is rejected alone", async () => {
  let sends = 0;
  const answer = { result: "answered" };
  const fragile = new Solver((receive) => ({
    flag: null,
    hold: () => {},
    stop: () => {},
    post: ({ id }) => {
      if (++sends === 2) throw new Error("no room");
      setTimeout(() => receive({ id, answer: JSON.stringify({ value: answer }) }));
    },
  }));
  const jobs = await Promise.allSettled([fragile.solve(PRINZ), fragile.solve(PRINZ), fragile.solve(PRINZ)]);
  assert.deepEqual(jobs.map(({ value, reason }) => value ?? reason.message), [answer, "no room", answer]);
});

test("progress comes while a search runs, and limits end it", async () => {
  const events = [];
  const onProgress = (event) => events.push(event);
  const { result, stats } = await solver.solve(START, { time: 50 });
  assert.deepEqual([result.status, stats.stopped_by], ["undecided", "time"]);
  await solver.solve(START, { nodes: 30_000, onProgress });
  assert.ok(events.some((event) => event.kind === "refuted" && event.moves === 2), JSON.stringify(events));
  events.length = 0;
  await solver.report(PRINZ, { stipulation: "#2", onProgress });
  assert.ok(events.some((event) => event.kind === "key" && event.san === "Rh6"), JSON.stringify(events));
  events.length = 0;
  await solver.moves(START, { nodes: 100_000, mate: 2, onProgress });
  assert.ok(events.length > 0 && events.every(({ nodes }) => nodes > 0), JSON.stringify(events));
});

test("a cancelled search ends at once, and the next one is answered", async () => {
  const running = solver.solve(START);
  const waiting = solver.solve(PRINZ);
  await new Promise((resolve) => setTimeout(resolve, 100));
  solver.cancel();
  await assert.rejects(running, { name: "AbortError" });
  await assert.rejects(waiting, { name: "AbortError" });
  const control = new AbortController();
  const signalled = solver.solve(START, { signal: control.signal });
  const next = solver.solve(PRINZ);
  setTimeout(() => control.abort(), 50);
  await assert.rejects(signalled, { name: "AbortError" });
  assert.equal((await next).result.mate_in, 2);
});

test("a search whose time is over ends as fetch does", async () => {
  await assert.rejects(solver.solve(START, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  const over = AbortSignal.timeout(1);
  // The timer of such a signal keeps no program alive, so it is another one that is waited for.
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(over.aborted);
  await assert.rejects(solver.solve(START, { signal: over }), { name: "TimeoutError" });
});

test("a cancelled search gives what it has proved, and a running one shows its nodes", async () => {
  const events = [];
  const control = new AbortController();
  const onProgress = (event) => {
    events.push(event);
    if (events.filter(({ kind }) => kind === "nodes").length === 3) control.abort();
  };
  const error = await solver.solve(START, { signal: control.signal, onProgress }).catch((error) => error);
  assert.equal(error.name, "AbortError");
  assert.deepEqual([error.result.result.status, error.result.stats.stopped_by], ["undecided", "interrupt"]);
  assert.ok(error.result.result.refuted_through >= 3, JSON.stringify(error.result));
  assert.deepEqual(error.events.map(({ kind }) => kind), ["refuted", "nodes"]);
  const nodes = events.filter(({ kind }) => kind === "nodes").map(({ nodes }) => nodes);
  assert.ok(nodes.every((count, index) => index === 0 || count > nodes[index - 1]), `${nodes}`);
  // The worker is still there: the next answer needs no new one.
  assert.equal((await solver.solve(PRINZ)).result.mate_in, 2);
  const report = new AbortController();
  const counts = [];
  const watch = { signal: report.signal, onProgress: ({ kind, nodes }) => kind === "nodes" && counts.push(nodes) > 1 && report.abort() };
  const stopped = await solver.report(START, { ...watch, stipulation: "#8" }).catch((error) => error);
  assert.deepEqual([stopped.name, stopped.result.result.soundness], ["AbortError", "undecided"]);
  assert.ok(counts[1] > counts[0], `${counts}`);
});

test("the first moves are those of the program", async () => {
  const found = await solver.moves(PRINZ, { mate: 2, hash: 64 });
  assert.deepEqual(timeless(found), timeless(object(PRINZ, "--mate", "2", "--moves", "--threads", "1", "--hash", "64")));
  const selfmate = await solver.moves("2K4k/5q1r/8/7N/8/5R2/8/2Q5 b - -", { stipulation: "s#1" });
  assert.deepEqual(selfmate.moves.filter((m) => m.solved_in === 1).map((m) => m.san), ["Qf8+"]);
  assert.equal((await solver.moves("no position")).result.status, "invalid");
  await assert.rejects(solver.moves(PRINZ, { stipulation: "h#2" }), { name: "TypeError", message: /solve answers this stipulation/ });
});

test("a long mate needs less stack than a browser gives", async () => {
  const small = await createSolver({ stackSizeMb: 0.9 });
  const { result } = await small.solve(LONG_MATE, { engine: "dfpn", mate: 1000, first: true, nodes: 200_000 });
  assert.ok(result.verified && result.mate_in >= 50, JSON.stringify(result));
  small.close();
});

test("a search that overflows its stack is undecided, and the next one is answered", async () => {
  const tiny = await createSolver({ stackSizeMb: 0.3 });
  const { result, stats, warnings } = await tiny.solve(LONG_MATE, { mate: 1000, first: true, nodes: 200_000 });
  assert.deepEqual([result.status, result.mate_in, stats.stopped_by], ["undecided", null, "memory"]);
  assert.match(warnings[0], /needs more stack/);
  assert.equal((await tiny.solve(PRINZ)).result.mate_in, 2);
  tiny.close();
});

test("searches that get no memory never give a wrong answer, and a new instance answers for those that break", () => {
  // A process of its own, because V8's limit holds for all modules: from none to 256 pages more than an instance has at its start.
  const script = `
    import v8 from "node:v8";
    import { readFileSync } from "node:fs";
    const { Host } = await import(process.argv[1]);
    const module = new WebAssembly.Module(readFileSync(new URL("matesolve.wasm", process.argv[1])));
    const host = new Host(module);
    host.answer({ op: "version" });
    const answers = [];
    for (const pages of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]) {
      v8.setFlagsFromString("--wasm-max-mem-pages=" + (host.memory / 65536 + pages));
      const small = new Host(module);
      for (const text of ["${START}", "${PRINZ}"]) answers.push(small.answer({ op: "solve", text, options: { nodes: 100_000 } }));
    }
    console.log("[" + answers.join() + "]");`;
  const address = new URL("../js/worker.js", import.meta.url).href;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script, address], { encoding: "utf8" });
  const answers = JSON.parse(printed).map((answer) => answer.value);
  const broken = answers.filter(({ stats }) => stats.stopped_by === "memory");
  assert.ok(broken.length > 0 && broken.length < answers.length);
  for (const { result, warnings } of broken) {
    assert.equal(result.status, "undecided");
    assert.match(warnings[0], /needs more memory/);
  }
  for (const { fen, result, error } of answers) {
    assert.equal(error, null);
    assert.ok(result.status === "undecided" || (fen.startsWith("5Kbk") && result.mate_in === 2), JSON.stringify(result));
  }
});

test("texts with several problems are read", async () => {
  const olv = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\noptions: [SetPlay]\n---\nx: 1\n";
  const [first, second] = await solver.read(olv);
  assert.deepEqual([first.fen, first.stipulation, first.asked.setPlay], [`${PRINZ} 0 1`, "#2", true]);
  assert.match(second.error, /stipulation/);
  const lines = await solver.read(`${PRINZ} dm 2; id "a";\n8/8\n`);
  assert.deepEqual([lines[0].id, lines[0].line, typeof lines[1].error], ["a", 1, "string"]);
  const several = { name: "TypeError", message: "the text has 2 problems; choose one with the option problem, from 1" };
  await assert.rejects(solver.solve(olv), several);
  assert.equal((await solver.solve(olv, { problem: 1 })).result.mate_in, 2);
  assert.equal((await solver.solve(olv, { problem: 2 })).error, second.error);
});

test("an entry may begin on the line of its separator, and a field in another form is refused", async () => {
  const men = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}";
  const problems = await solver.read(`\n%YAML 1.2\n--- {${men}, stipulation: '#2'}\n--- # b\n${men}\nstipulation: ['#2']\n`);
  assert.deepEqual(problems.map(({ line, fen }) => [line, fen]).slice(0, 1), [[3, `${PRINZ} 0 1`]]);
  assert.match(problems[1].error, /the field "stipulation" is a list; write it as "#3"/);
  const [json] = await solver.read(JSON.stringify({ fen: PRINZ, twins: { b: null } }));
  assert.match(json.error, /the field "twins.b" is null; write it as {"b": "Move a1 b2"}/);
});

test("twins are solved as the program solves them", async () => {
  const popeye = "BeginProblem\nAuthor A\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nOption SetPlay\nTwin Move h1 a1\nEndProblem\n";
  const [problem] = await solver.read(popeye);
  assert.deepEqual([problem.phases.length, problem.asked.setPlay, problem.id], [2, true, "A"]);
  const report = await solver.report(popeye);
  assert.deepEqual(report.phases.map((phase) => phase.result.soundness), ["sound", "no_solution"]);
  const json = JSON.stringify({ fen: PRINZ, stipulation: "#2", twins: { b: "Move h1 a1" } });
  const limits = ["--nodes", "30000", "--threads", "1", "--hash", "64"];
  assert.deepEqual(untimed(await solver.report(json, { nodes: 30_000, hash: 64 })), untimed(object("report", json, ...limits)));
  const [fault] = await solver.read("BeginProblem\nForsyth 7k/8/8/8/8/8/8/K7\nStipulation pser-#2\nEndProblem\n");
  assert.match(fault.error, /the stipulation pser-#2 is not solved here/);
});

test("the side that mates may be stated", async () => {
  const fen = "k4r2/Pp1p1p2/1P1P1Pp1/6P1/6p1/5pP1/5P1K/6BN b - -";
  const black = await solver.solve(fen, { stipulation: "h#", attacker: "black" });
  assert.deepEqual([black.result.solved_in, black.stipulation.attacker], [0.5, "black"]);
  assert.equal((await solver.solve(fen, { stipulation: "h#" })).result.status, "no_solution");
});

test("help play has all its lines in results, reports and pages", async () => {
  const fen = "4k2r/5N2/4B3/8/6K1/8/8/B7 b k -";
  const solved = await solver.solve(fen, { stipulation: "h#2" });
  assert.deepEqual(solved.solutions.map((line) => line.san), ["1.O-O Kh5 2.Kh7 Ng5#"]);
  const limits = ["--threads", "1", "--hash", "64"];
  const report = await solver.report(fen, { stipulation: "h#2", setPlay: true, hash: 64 });
  assert.deepEqual(untimed(report), untimed(object("report", fen, "-s", "h#2", "--set-play", ...limits)));
  const { html, popeye } = await solver.write(fen, { stipulation: "h#2", formats: ["html", "popeye"] });
  assert.match(popeye, /^ {2}1\.0-0 Kg4-h5 {3}2\.Kg8-h7 Sf7-g5 #/);
  assert.match(html, /"lines":\[/);
  const [entry] = await solver.read("---\nalgebraic: {white: [Kc6, Rh2], black: [Ka8]}\nstipulation: ser-h#2\nintended-solutions: 2.1.1\n");
  assert.deepEqual([entry.stipulation, entry.asked.intended], ["ser-h#2", 2]);
});

test("other goals are solved as the program solves them", async () => {
  const fen = "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -";
  const texts = [];
  const onProgress = (event) => texts.push(event.text);
  const solved = await solver.solve(fen, { stipulation: "s#2", hash: 64, onProgress });
  assert.deepEqual([solved.result.status, solved.result.solved_in, solved.result.mate_in], ["solved", 2, null]);
  assert.deepEqual([solved.stipulation.play, solved.stipulation.goal], ["self", "mate"]);
  assert.ok(texts.includes("no selfmate in 1"), texts.join("; "));
  const limits = ["--threads", "1", "--hash", "64"];
  assert.deepEqual(untimed(solved), untimed(object(fen, "-s", "s#2", ...limits)));
  const shortest = await solver.solve(fen, { stipulation: "s#", mate: 3 });
  assert.equal(shortest.result.solved_in, 2);
  await assert.rejects(solver.solve(fen, { stipulation: "s#2", mate: 3 }), /states the length/);
  await assert.rejects(solver.solve(fen, { stipulation: "za5" }), /"za5" is not a stipulation that matesolve solves/);
});

test("the workbench mends as that of the program", async () => {
  const unsound = "5Kbk/6pp/8/8/8/8/8/7R w - -";
  const seen = [];
  const answer = await solver.mend(unsound, { stipulation: "#2", key: "Rh6", onProgress: ({ kind, tried }) => kind === "tried" && seen.push(tried) });
  assert.deepEqual(answer, JSON.parse(matesolve("mend", unsound, "-s", "#2", "--key", "Rh6", "--threads", "1", "--format", "json")));
  assert.ok(answer.proposals.length > 0 && seen.at(-1) === answer.tried);
  const one = await solver.mend(unsound, { stipulation: "#2", changes: 1, proposals: 1 });
  assert.ok(one.proposals.length === 1 && one.tried < answer.tried + 1);
  assert.equal(await solver.mend(PRINZ, { stipulation: "#2" }), null);
  for (const [options, why] of [[{ stipulation: "h#2" }, /the workbench does not know h#2/], [{}, /needs a length/], [{ stipulation: "#2", keys: "Rh6" }, /mend has no option keys/]]) {
    await assert.rejects(solver.mend(unsound, options), (error) => error instanceof TypeError && why.test(error.message));
  }
  await assert.rejects(solver.mend("8/8 w", { stipulation: "#2" }), TypeError);
});

test("reports are written in all formats, and positions are drawn", async () => {
  const formats = ["json", "text", "popeye", "html", "olv"];
  const written = await solver.write(PRINZ, { stipulation: "#2", formats, letters: "de" });
  assert.deepEqual(Object.keys(written), formats);
  assert.match(written.text, /1\. Th6! zugzwang/);
  assert.match(written.html, /^<!doctype html>/);
  assert.match(written.olv, /stipulation: "?#2/);
  const words = ["report", PRINZ, "-s", "#2", "--letters", "de", "--format", "popeye"];
  assert.equal(written.popeye.trim(), matesolve(...words).trim());
  assert.equal(await solver.diagram(PRINZ, { stipulation: "#2" }), matesolve("diagram", PRINZ, "-s", "#2"));
});
