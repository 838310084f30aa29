// The page in Chromium, used as people use it: with mouse, finger and keyboard.

import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { start } from "./browser.mjs";
import { LONG_MATE, PRINZ, matesolve, object } from "./support.mjs";

let browser;
let page;
let failures;
before(async () => (browser = await start()));
after(() => browser?.stop());
beforeEach(async () => {
  page = await browser.context.newPage();
  failures = [];
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("requestfailed", (request) => failures.push(request.url()));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
});
afterEach(async () => {
  await page.close();
  assert.deepEqual(failures, []);
});

/** Opens the page with a question in its address, and waits until the board shows it. */
async function open(fen, moves = "", size = { width: 1280, height: 900 }) {
  await page.setViewportSize(size);
  await page.goto(`${browser.address}#fen=${fen.replaceAll(" ", "_")}&moves=${moves}`);
  await page.waitForFunction((text) => document.getElementById("text").value === text, fen);
}

const square = (name) => page.locator(`[data-square=${name}]`);
const text = () => page.inputValue("#text");
const verdict = () => page.locator("#verdict:visible").innerText();
const HARD = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";

/** Drags from the middle of one element to that of another, or to a place beside the board. */
async function drag(from, to) {
  const middle = async (locator) => {
    const box = await locator.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(to ? await middle(to) : [5, 300]), { steps: 4 });
  await page.mouse.up();
}

test("a position is set up with the mouse and solved", async () => {
  await open(PRINZ);
  await page.click("#clear");
  for (const [man, name] of [["white king", "f8"], ["white rook", "a1"], ["white pawn", "g6"], ["black king", "h8"], ["black bishop", "g8"]]) {
    await page.click(`#tools [aria-label="${man}"]`);
    await square(name).click();
  }
  await drag(page.locator("#tools [aria-label='black pawn']"), square("g7"));
  await drag(page.locator("#tools [aria-label='black pawn']"), square("h7"));
  await drag(page.locator("#tools [aria-label='white queen']"), square("e5"));
  await page.click("#tools [aria-label='move men']");
  await drag(square("a1"), square("h1"));
  await drag(square("e5"), null);
  assert.equal(await text(), PRINZ);
  assert.equal(await square("h1").getAttribute("aria-label"), "h1, white rook");
  await page.click("#solve");
  assert.equal(await verdict(), "Mate in 2, proved shortest");
  assert.equal(await page.innerText("#line"), object(PRINZ).result.pv_san);
});

test("a position is set up with the keyboard", async () => {
  await open(PRINZ);
  await page.click("#clear");
  await square("a8").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+B");
  await page.keyboard.press("Shift+Q");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Shift+B");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await text(), "5Kb1/8/6R1/8/8/8/8/8 w - -");
});

test("a wrong text gives the sentence of the command line, and so does a position that cannot be solved", async () => {
  await open(PRINZ);
  for (const wrong of ["no position", "5Kbk/6pp/6P1/8/8/8/8/7R x - -"]) {
    await page.fill("#text", wrong);
    await page.locator("#text").blur();
    await page.waitForFunction(() => document.getElementById("text-error").textContent);
    assert.equal(await page.innerText("#text-error"), object(wrong).error);
    await page.fill("#text", PRINZ);
    await page.locator("#text").blur();
    await page.waitForFunction(() => !document.getElementById("text-error").textContent);
  }
  await page.click("#tools [aria-label='remove men']");
  await square("f8").click();
  await page.click("#solve");
  assert.equal(await verdict(), "This position cannot be solved");
  const { error } = object(await text());
  assert.ok(error.length > 10 && (await page.innerText("#notes")).includes(error), error);
});

test("the whole solution is a tree to click through, and can be saved in every form", async () => {
  await open(PRINZ, "2");
  await page.click("#more summary");
  await page.check("#tries");
  await page.click("#whole");
  assert.equal(await verdict(), "Sound: Rh6");
  const tree = page.frameLocator("#solution").locator("#tree");
  assert.match(await tree.innerText(), /1\.Rh6! zugzwang/);
  await tree.getByText("Rh5").click();
  await tree.getByText("1...h6!").click();
  assert.equal((await page.frameLocator("#solution").locator("#line").innerText()).replace(/\s+/g, " ").trim(), "1.Rh5 h6");
  const saved = {};
  for (const format of ["svg", "json", "olv", "popeye", "html"]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`[data-format=${format}]`)]);
    saved[format] = readFileSync(await file.path(), "utf8");
  }
  assert.equal(saved.popeye.trim(), matesolve("report", PRINZ, "-s", "#2", "--tries=1", "--format", "popeye").trim());
  assert.equal(saved.olv.trim(), matesolve("report", PRINZ, "-s", "#2", "--tries=1", "--format", "olv").trim());
  assert.equal(saved.svg, matesolve("diagram", PRINZ, "-s", "#2", "--coordinates"));
  assert.equal(JSON.parse(saved.json).result.soundness, "sound");
  assert.match(saved.html, /<script type="application\/json" id="report">/);
});

test("a hard search shows what is proved, is cancelled at once, and the next one is answered", async () => {
  await open(HARD);
  await page.click("#solve");
  await page.waitForFunction(() => /no mate in [3-9]/.test(document.getElementById("status").textContent));
  assert.ok(await page.isDisabled("#solve"));
  await page.click("#cancel");
  await page.waitForFunction(() => /^Cancelled\. So far: no mate in/.test(document.getElementById("status").textContent));
  await open(PRINZ);
  await page.click("#solve");
  assert.equal(await verdict(), "Mate in 2, proved shortest");
});

test("a changed position ends the search for the old one", async () => {
  await open(HARD);
  await page.click("#solve");
  await page.waitForFunction(() => /no mate in/.test(document.getElementById("status").textContent));
  await drag(square("a2"), square("a3"));
  await page.waitForSelector("#solve:enabled");
  assert.equal(await page.locator("#result").isVisible(), false);
});

test("a collection is pasted, and the address carries the position", async () => {
  await open(HARD);
  const olv = (men, n) => `---\nauthors: [A ${n}]\nalgebraic: {white: [${men}], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#${n}'\n`;
  await page.fill("#text", olv("Kf8, Rh1, Pg6", 2) + olv("Kf8, Ra1, Pg6", 3));
  await page.locator("#text").blur();
  await page.waitForSelector("#choice:not([hidden])");
  assert.deepEqual([await text(), await page.inputValue("#moves")], [PRINZ, "2"]);
  await page.selectOption("#problems", { index: 1 });
  assert.deepEqual([await text(), await page.inputValue("#moves")], ["5Kbk/6pp/6P1/8/8/8/8/R7 w - -", "3"]);
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.getElementById("text").value);
  assert.deepEqual([await other.inputValue("#text"), await other.inputValue("#moves")], ["5Kbk/6pp/6P1/8/8/8/8/R7 w - -", "3"]);
  await other.close();
});

test("another stipulation is chosen beside the length, and the address carries it", async () => {
  await open("8/B7/RQ6/7k/8/8/6PP/3n2RK w - -", "s%232");
  assert.deepEqual([await page.inputValue("#goal"), await page.inputValue("#moves")], ["s#", "2"]);
  await page.click("#solve");
  await page.waitForSelector("#result:not([hidden])");
  assert.equal(await page.textContent("#verdict"), "Selfmate in 2, proved shortest");
  await page.selectOption("#goal", "=");
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("moves"), "=2");
  await page.click("#solve");
  await page.waitForSelector("#result:not([hidden])");
  assert.equal(await page.textContent("#verdict"), "Stalemate in 2, proved shortest");
  await page.fill("#moves", "h#2.5");
  await page.locator("#moves").blur();
  assert.deepEqual([await page.inputValue("#goal"), await page.inputValue("#moves")], ["h#", "2.5"]);
});

test("Popeye's input with twins is solved whole, and the address carries it", async () => {
  await open(HARD);
  const popeye = "BeginProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nTwin Move h1 h2\nEndProblem";
  await page.fill("#text", popeye);
  await page.locator("#text").blur();
  await page.waitForFunction(() => document.getElementById("twins").textContent.startsWith("Phases: "));
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.getElementById("twins").textContent);
  await other.click("#whole");
  assert.match(await other.locator("#verdict:visible").innerText(), /^Sound/);
  await other.frameLocator("#solution").getByRole("link", { name: "wRh1-->h2" }).click();
  await other.frameLocator("#solution").locator("#p2.current").waitFor();
  assert.equal(await other.inputValue("#text"), popeye);
  await other.close();
  await drag(square("h1"), square("a1"));
  assert.deepEqual([await page.innerText("#twins"), await text()], ["", "5Kbk/6pp/6P1/8/8/8/8/R7 w - -"]);
});

test("the page fits a phone, and every control has a name", async () => {
  await open(HARD, "3", { width: 360, height: 740 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, iframe")]
    .filter((one) => !one.ariaLabel && !one.title && !one.textContent.trim() && !one.labels?.length)
    .map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
});

test("men are moved and placed with a finger", async () => {
  await open(PRINZ, "2", { width: 360, height: 740 });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const place = async (locator) => {
    const box = await locator.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await place(square("h1")), await place(square("a4"))];
  await touch("touchStart", from);
  await touch("touchMove", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
  await touch("touchMove", to);
  await touch("touchEnd");
  assert.equal(await text(), "5Kbk/6pp/6P1/8/R7/8/8/8 w - -");
  const tap = async (target) => {
    await target.scrollIntoViewIfNeeded();
    await touch("touchStart", await place(target));
    await touch("touchEnd");
  };
  // On a busy machine a tap can last so long that the browser takes it for a long press.
  const knight = page.locator("#tools [aria-label='black knight']");
  for (let taps = 0; taps < 10 && (await knight.getAttribute("aria-pressed")) !== "true"; taps++) {
    await tap(knight);
    await page.waitForTimeout(300);
  }
  assert.equal(await knight.getAttribute("aria-pressed"), "true");
  await tap(square("c3"));
  await page.waitForFunction((fen) => document.getElementById("text").value === fen, "5Kbk/6pp/6P1/8/R7/2n5/8/8 w - -");
});

test("castling rights are shown where king and rook allow them", async () => {
  await open("4k3/8/8/8/8/8/8/R3K2R w KQ -");
  assert.equal(await page.locator("#castling input:visible").count(), 2);
  await page.uncheck("#castling input[value=Q]");
  assert.equal(await text(), "4k3/8/8/8/8/8/8/R3K2R w K -");
  await drag(square("h1"), square("h2"));
  assert.equal(await text(), "4k3/8/8/8/8/8/7R/R3K3 w - -");
});

test("a long mate is found within the stack of this browser", async () => {
  await open(PRINZ);
  const result = await page.evaluate(async (position) => {
    const { createSolver } = await import("./matesolve/browser.js");
    const solver = await createSolver();
    const { result } = await solver.solve(position, { mate: 1000, nodes: 200_000 });
    solver.close();
    return result;
  }, LONG_MATE);
  assert.ok(result.verified && result.mate_in >= 100, JSON.stringify(result));
});
