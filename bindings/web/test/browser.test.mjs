// The page in Chromium, used as people use it: with mouse, finger and keyboard.

import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import axe from "axe-core";
import { FILE, picture } from "../picture.mjs";
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
  assert.equal(await (await page.innerText("#lines")).replace(/\s+/g, " ").trim(), object(PRINZ).result.pv_san);
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
  for (const format of ["svg", "json", "olv", "popeye", "html", "latex"]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`[data-format=${format}]`)]);
    saved[format] = readFileSync(await file.path(), "utf8");
  }
  assert.equal(saved.popeye.trim(), matesolve("report", PRINZ, "-s", "#2", "--tries=1", "--format", "popeye").trim());
  assert.equal(saved.olv.trim(), matesolve("report", PRINZ, "-s", "#2", "--tries=1", "--format", "olv").trim());
  assert.equal(saved.svg, matesolve("diagram", PRINZ, "-s", "#2", "--coordinates"));
  assert.equal(JSON.parse(saved.json).result.soundness, "sound");
  assert.match(saved.html, /<script type="application\/json" id="report">/);
  assert.match(saved.latex, /\\board\{5Kbk\/6pp/);
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
  await page.waitForFunction(() => document.getElementById("about").textContent.startsWith("Phases: "));
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.getElementById("about").textContent);
  await other.click("#whole");
  assert.match(await other.locator("#verdict:visible").innerText(), /^Sound/);
  assert.equal(await other.locator("#verdict").getAttribute("class"), "good");
  assert.equal(await other.innerText("#text-error"), "");
  await other.frameLocator("#solution").getByRole("link", { name: "wRh1-->h2" }).click();
  await other.frameLocator("#solution").locator("#p2.current").waitFor();
  assert.equal(await other.inputValue("#text"), popeye);
  // The tree stands within the frame, at the width that a small window leaves.
  await other.setViewportSize({ width: 1200, height: 900 });
  const frame = other.frames().find((one) => one !== other.mainFrame());
  const [inner, seen] = await frame.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inner <= seen, `${inner} of ${seen}`);
  await other.close();
  await drag(square("h1"), square("a1"));
  assert.deepEqual([await page.innerText("#about"), await text()], ["", "5Kbk/6pp/6P1/8/8/8/8/R7 w - -"]);
});

/** Sam Loyd, 1869: mate in 3. */
const LOYD = "8/8/8/8/8/4k3/8/R3K1RQ w - -";

test("the first tap and the first Enter on Solve after entering a text answer it", async () => {
  const solve = {
    click: () => page.click("#solve"),
    Enter: async () => {
      await page.keyboard.press("Tab");
      await page.focus("#solve");
      await page.keyboard.press("Enter");
    },
    "Enter in the field of the length": () => page.press("#moves", "Enter"),
  };
  for (const [how, act] of Object.entries(solve)) {
    await open(HARD, "2");
    await page.locator("#text").selectText();
    await page.keyboard.insertText(PRINZ);
    await act();
    assert.equal(await verdict(), "Mate in 2, proved shortest", how);
    assert.equal(await page.innerText("#status"), "", how);
  }
});

test("an illegal text is not solved, and its sentence stands beside it", async () => {
  await open(PRINZ, "2");
  const wrong = "5kbk/6pp/6P1/8/8/8/8/7R w - -";
  await page.fill("#text", wrong);
  for (const button of ["#solve", "#whole", "#first"]) {
    await page.click(button);
    await page.waitForFunction(() => document.activeElement.id === "text");
    assert.equal(await page.locator("#result").isVisible(), false);
    assert.equal(await page.innerText("#text-error"), object(wrong).error);
  }
});

test("each button asks the question of a text that was just put into the field", async () => {
  const CHARLES = "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - -";
  for (const [button, pasted, expected] of [
    ["#whole", `${CHARLES} dm 3; id "Loyd 1859";`, /^Sound: Rxg3$/],
    ["#solve", `${CHARLES} dm 3;`, /^Mate in 3, proved shortest$/],
    ["#first", `${CHARLES} dm 3;`, /first moves/],
    ["#whole", `${CHARLES} stip "=1";`, /^No solution/],
    ["#solve", `${CHARLES} stip "=1";`, /^No stalemate/],
  ]) {
    await open(PRINZ, "s%232");
    assert.equal(await page.inputValue("#goal"), "s#");
    await page.fill("#text", pasted);
    // Without a pause: the field is read when it is left, and the button waits for that.
    await page.click(button);
    await page.waitForFunction(() => document.getElementById("result").hidden === false);
    assert.match(await verdict(), expected, `${button} ${pasted}`);
    assert.equal(await page.inputValue("#goal"), pasted.includes("dm") ? "#" : "=");
    if (button === "#first") assert.match(await page.innerText("#lines"), /^mate in 3: 1. Rxg3/);
  }
});

test("a pasted position asks for its own length, not for that of the position before", async () => {
  await open(PRINZ, "2");
  await page.fill("#text", LOYD);
  await page.click("#solve");
  assert.equal(await verdict(), `Mate in ${object(LOYD).result.mate_in}, proved shortest`);
  assert.equal(await page.inputValue("#moves"), "");
  await page.fill("#text", `${PRINZ} dm 2;`);
  await page.locator("#text").blur();
  await page.waitForFunction(() => document.getElementById("moves").value === "2");
  await page.fill("#moves", "4");
  await page.fill("#text", LOYD);
  await page.locator("#text").blur();
  await page.waitForFunction((fen) => document.getElementById("text").value === fen, LOYD);
  assert.equal(await page.inputValue("#moves"), "4", "a length that was just entered is meant for the new position");
});

test("changes are undone with a button, the keyboard and the browser's Back", async () => {
  await open(PRINZ);
  const is = (fen) => page.waitForFunction((text) => document.getElementById("text").value === text, fen);
  assert.ok(await page.isDisabled("#undo"));
  const [moved, without] = ["5Kbk/6pp/6P1/8/R7/8/8/8 w - -", "5Kbk/6pp/6P1/8/8/8/8/8 w - -"];
  await drag(square("h1"), square("a4"));
  await drag(square("a4"), null);
  await is(without);
  await page.keyboard.press("Control+z");
  await is(moved);
  await page.keyboard.press("Control+Shift+z");
  await is(without);
  await page.click("#undo");
  await is(moved);
  await page.goBack();
  await is(PRINZ);
  assert.ok(await page.isDisabled("#undo"));
});

test("the board is turned round, with its coordinates, and stays usable", async () => {
  await open(PRINZ);
  const place = async (name) => {
    const { x, y } = await square(name).boundingBox();
    return [x, y];
  };
  const [corner, opposite] = [await place("a8"), await place("h1")];
  const shown = (name, part) => square(name).evaluate((one, part) => getComputedStyle(one, part).content, part);
  assert.deepEqual([await shown("a8", "::before"), await shown("h1", "::after"), await shown("h8", "::before")], ['"8"', '"h"', "none"]);
  await page.click("#flip");
  assert.deepEqual([await place("h1"), await place("a8")], [corner, opposite]);
  assert.deepEqual([await shown("h1", "::before"), await shown("a8", "::after")], ['"1"', '"a"']);
  await square("a4").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("q");
  assert.equal(await text(), "5Kbk/6pp/6P1/8/8/Q7/8/7R w - -");
});

test("the square of a capture en passant is chosen", async () => {
  await open("4k3/8/8/3Pp3/8/8/8/4K3 w - -");
  assert.deepEqual(await page.locator("#en-passant option").allInnerTexts(), ["no", "e6"]);
  await page.selectOption("#en-passant", "e6");
  assert.equal(await text(), "4k3/8/8/3Pp3/8/8/8/4K3 w - e6");
  await page.check("input[name=turn][value=b]");
  assert.equal(await page.locator("#en-passant-field").isVisible(), false);
});

test("a file is opened with the button", async () => {
  await open(HARD);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open")]);
  await chooser.setFiles({ name: "problem.epd", mimeType: "text/plain", buffer: Buffer.from(`${PRINZ} dm 2;\n`) });
  await page.waitForFunction((fen) => document.getElementById("text").value === fen, PRINZ);
  assert.equal(await page.inputValue("#moves"), "2");
});

test("the line of an answer is played on the board, and the diagram stays the position", async () => {
  await open(PRINZ, "2");
  await page.click("#solve");
  await page.locator("#lines button", { hasText: "Rh6" }).click();
  assert.equal(await square("h6").getAttribute("aria-label"), "h6, white rook");
  await page.click("#forward");
  assert.equal(await square("a2").getAttribute("aria-label"), "a2, black bishop");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.innerText("#played"), "1. Rh6 Ba2 2. Rxh7#");
  assert.equal(await text(), PRINZ);
  await page.click("#diagram");
  assert.equal(await square("h1").getAttribute("aria-label"), "h1, white rook");
  await page.click("#forward");
  await drag(square("h6"), square("e6"));
  assert.equal(await text(), "5Kbk/6pp/4R1P1/8/8/8/8/8 b - -", "a man that is moved after a move changes the position there");
});

test("castling, en passant and promotion are played on the board", async () => {
  const after = async (fen, san) => {
    await open(fen, "1");
    await page.click("#first");
    await page.waitForSelector("#lines button");
    await page.locator("#lines button", { hasText: san }).first().click();
    await drag(square("a1"), square("a2"));
    return text();
  };
  assert.equal(await after("6k1/8/8/8/8/8/8/N3K2R w K -", "O-O"), "6k1/8/8/8/8/8/N7/5RK1 b - -");
  assert.equal(await after("7k/8/8/3Pp3/8/8/8/N3K3 w - e6", "dxe6"), "7k/8/4P3/8/8/8/N7/4K3 b - -");
  assert.equal(await after("7k/P7/8/8/8/8/8/N3K3 w - -", "a8=N"), "N6k/8/8/8/8/8/N7/4K3 b - -");
});

test("the first moves are listed with their lengths", async () => {
  await open(PRINZ, "2");
  await page.click("#first");
  await page.waitForSelector("#lines button");
  const rows = (await page.locator("#lines p").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
  const { moves } = JSON.parse(matesolve(PRINZ, "--mate", "2", "--moves", "--format", "json"));
  assert.equal(rows.length, moves.length);
  assert.match(rows[0], /^mate in 2: 1\. Rh6 /);
  assert.match(rows.at(-1), /^no mate in 2: /);
});

test("the phases stand side by side and the themes below them, if they are chosen", async () => {
  // T. R. Dawson, 1920: a mutate with two changed mates.
  await open("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - -", "2");
  await page.click("#more summary");
  for (const id of ["#set-play", "#tries"]) await page.check(id);
  const report = page.frameLocator("#solution");
  const shown = async (...ids) => {
    for (const id of ["#phases", "#themes"]) await page.setChecked(id, ids.includes(id));
    const before = await page.getAttribute("#solution", "src");
    await page.click("#whole");
    await page.waitForFunction((old) => {
      const frame = document.getElementById("solution");
      return frame.src && frame.src !== old && frame.contentWindow.location.href === frame.src;
    }, before);
    await report.locator("#tree").waitFor();
    const themes = await report.locator("li").allInnerTexts();
    const rows = await report.locator(".phases table").first().locator("tr").count();
    return [rows, themes.some((theme) => theme.startsWith("Mutate: set play"))];
  };
  // The letters, the defences, the set play, two tries and the solution.
  assert.deepEqual(await shown("#phases", "#themes"), [6, true]);
  for (const width of [1200, 390]) {
    await page.setViewportSize({ width, height: 850 });
    const cut = await page.frames()[1].evaluate(() => [...document.querySelectorAll("table")]
      .filter((table) => table.getBoundingClientRect().right > document.documentElement.clientWidth).length);
    assert.equal(cut, 0, `tables that are cut at ${width}`);
  }
  assert.deepEqual(await shown("#phases"), [6, false]);
  await page.uncheck("#phases");
  await page.click("#whole");
  await page.waitForFunction(() => !document.getElementById("solution").contentDocument?.querySelector(".phases"));
});

test("a link carries the content of the whole solution", async () => {
  await open(PRINZ, "2");
  await page.click("#more summary");
  for (const id of ["#set-play", "#tries", "#themes"]) await page.check(id);
  await page.fill("#refutations", "3");
  await page.locator("#refutations").blur();
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.getElementById("text").value);
  const checked = await other.evaluate(() => [...document.querySelectorAll("#more input:checked")].map((one) => one.id));
  assert.deepEqual(checked, ["set-play", "tries", "themes"]);
  assert.equal(await other.inputValue("#refutations"), "3");
  await other.close();
});

test("a long search shows that it lives", async () => {
  await open("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - -");
  await page.click("#solve");
  const nodes = async () => Number(/([\d,]+) nodes/.exec(await page.textContent("#clock"))?.[1].replaceAll(",", "") ?? 0);
  const seen = new Set();
  // The numbers between two proved lengths.
  await page.waitForFunction(() => /no mate in \d/.test(document.getElementById("status").textContent));
  while (seen.size < 4) {
    seen.add(await nodes());
    await page.waitForTimeout(100);
  }
  await page.click("#cancel");
});

test("a report has the stamp, and every link of the page leads somewhere", async () => {
  await open(PRINZ, "2");
  await page.click("#whole");
  assert.match(await page.innerText("#stamp:visible"), /^C\+ matesolve \d/);
  assert.match(await page.evaluate(async () => (await fetch(document.querySelector("footer a").href)).text()), /GNU GENERAL PUBLIC LICENSE/);
  const links = await page.locator("a").evaluateAll((all) => all.map((one) => one.href));
  const { repository } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const elsewhere = links.filter((link) => !link.startsWith(browser.address));
  assert.equal(elsewhere.length, repository ? 1 : 0, "a link to the source stands there once there is one");
});

/** The windows of a desktop and of a phone. */
const SIZES = [{ width: 1200, height: 850 }, { width: 390, height: 844 }];

test("the field for a text and its errors stand on the first screen, and each button has a line of help", async () => {
  for (const size of SIZES) {
    await open(PRINZ, "2", size);
    await page.fill("#text", "5Kbk/6pp w - -");
    await page.click("#solve");
    await page.waitForFunction(() => document.getElementById("text-error").textContent);
    for (const id of ["#text", "#text-error", "#board"]) {
      const { y, height } = await page.locator(id).boundingBox();
      assert.ok(y >= 0 && height > 10 && y + height <= size.height, `${id} at ${y} + ${height}`);
    }
    const helpless = await page.evaluate(() => [...document.querySelectorAll("button:not([data-square])")]
      .filter((one) => !one.title && !one.ariaLabel && !document.getElementById(one.getAttribute("aria-describedby"))?.textContent)
      .map((one) => one.outerHTML));
    assert.deepEqual(helpless, []);
  }
});

test("first moves appear one by one", async () => {
  await open(PRINZ, "2");
  await page.evaluate(() => {
    window.seen = new Set();
    const lines = document.getElementById("lines");
    new MutationObserver(() => window.seen.add(lines.childElementCount)).observe(lines, { childList: true });
  });
  await page.click("#first");
  await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
  const [seen, count] = await page.evaluate(() => [[...window.seen], document.getElementById("lines").childElementCount]);
  assert.ok(seen.length > 2 && seen.some((number) => number > 0 && number < count), `${seen} of ${count}`);
});

test("the length that is known stands below the board", async () => {
  await open(PRINZ, "");
  assert.deepEqual([await page.innerText("#asked"), await page.innerText("#count")], ["#", "3+4"]);
  for (const button of ["#solve", "#whole"]) {
    await page.click(button);
    await page.waitForFunction(() => document.getElementById("asked").textContent === "#2");
    await page.click("#flip");
  }
  await drag(square("h1"), square("a4"));
  assert.equal(await page.innerText("#asked"), "#");
});

test("there is one board and one verdict, and the tree moves the men on it", async () => {
  for (const size of SIZES) {
    await open(PRINZ, "2", size);
    await page.click("#whole");
    assert.equal(await verdict(), "Sound: Rh6");
    const report = page.frameLocator("#solution");
    await report.getByText("gxh6").click();
    await page.waitForFunction(() => document.querySelector("[data-square=g7]").ariaLabel === "g7, white pawn");
    for (const id of ["#board", ".verdict"]) assert.equal(await report.locator(id).isVisible(), false, id);
    assert.equal(await square("h6").getAttribute("aria-label"), "h6, black pawn");
    const { y, height } = await page.locator("#board").boundingBox();
    assert.ok(y >= -1 && y + height <= size.height, `the board stays in sight: ${y} + ${height}`);
    await report.locator("#first").click();
    assert.equal(await square("h1").getAttribute("aria-label"), "h1, white rook");
    const [inner, seen] = await page.frames()[1].evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    assert.ok(inner <= seen + 1, `the solution does not scroll in its frame: ${inner} of ${seen}`);
  }
});

test("the lines of a game have the numbers of its moves", async () => {
  await open(HARD);
  await page.fill("#text", '[Event "Fool"]\n\n1. f3 e5 2. g4 *');
  await page.click("#solve");
  assert.equal(await verdict(), "Mate in 1, proved shortest");
  assert.equal((await page.innerText("#lines")).replace(/\s+/g, " ").trim(), "2... Qh4#");
  await open("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 40", "2");
  await page.click("#solve");
  await page.waitForFunction(() => /^40\./.test(document.querySelector("#lines").innerText.trim()));
  assert.match((await page.innerText("#lines")).replace(/\s+/g, " "), /^40\. Rh6 \S+ 41\. \S+#/);
});

/** Presses Tab, or Shift+Tab, until this element has the focus; each stop on the way must be seen. */
async function tab(selector, key = "Tab") {
  for (let stops = 0; stops < 100; stops++) {
    const focus = await page.evaluate((wanted) => {
      const one = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      const { width, height } = one.getBoundingClientRect();
      // What has just been hidden keeps the focus for a moment.
      const shown = one !== document.body && one.tagName !== "IFRAME" && width * height > 0;
      const seen = !shown || (outlineStyle !== "none" && outlineWidth !== "0px");
      return { reached: one.matches(wanted), seen, name: one.outerHTML.slice(0, 80) };
    }, selector);
    if (focus.reached) return assert.ok(focus.seen, `the focus is not seen on ${focus.name}`);
    if (stops > 0) assert.ok(focus.seen, `the focus is not seen on ${focus.name}`);
    await page.keyboard.press(key);
  }
  assert.fail(`${selector} is not reached by ${key}`);
}

test("everything is done with the keyboard alone", async () => {
  for (const size of SIZES) {
    await page.goto("about:blank");
    await open(HARD, "3", size);
    await page.waitForSelector("#solve:enabled");
    const { keyboard } = page;
    // A text, its stipulation and its length, and the answer.
    await tab("#text");
    await keyboard.press("Control+a");
    await keyboard.insertText("8/B7/RQ6/7k/8/8/6PP/3n2RK w - -");
    await tab("#goal");
    await keyboard.type("selfmate");
    await tab("#moves");
    await keyboard.press("Control+a");
    await keyboard.type("2");
    await tab("#solve");
    await keyboard.press("Enter");
    assert.equal(await verdict(), "Selfmate in 2, proved shortest");
    // Men and the side to move.
    await tab("#clear");
    await keyboard.press("Enter");
    await tab("[data-square]", "Shift+Tab");
    const at = () => page.evaluate(() => document.activeElement.dataset.square);
    const go = async (name) => {
      for (let now = await at(); now !== name; now = await at()) {
        const [file, rank] = [name.charCodeAt(0) - now.charCodeAt(0), name[1] - now[1]];
        await keyboard.press(file > 0 ? "ArrowRight" : file < 0 ? "ArrowLeft" : rank > 0 ? "ArrowUp" : "ArrowDown");
      }
    };
    for (const [man, name] of [["K", "f8"], ["R", "h1"], ["P", "g6"], ["k", "h8"], ["b", "g8"], ["p", "g7"], ["p", "h7"]]) {
      await go(name);
      await keyboard.press(man === man.toUpperCase() ? man.toLowerCase() : `Shift+${man.toUpperCase()}`);
    }
    assert.equal(await text(), PRINZ);
    // The whole solution with tries, and its tree.
    await tab("#goal");
    await keyboard.type("mate (");
    await tab("#more summary");
    await keyboard.press("Enter");
    await tab("#tries");
    await keyboard.press("Space");
    await tab("#tries-with-play");
    await keyboard.press("Space");
    await tab("#whole", "Shift+Tab");
    await keyboard.press("Enter");
    assert.equal(await verdict(), "Sound: Rh6");
    const report = page.frameLocator("#solution");
    assert.doesNotMatch(await report.locator("#tree").innerText(), /Rxh7\+/);
    await tab("iframe");
    const frame = page.frames().find((one) => one !== page.mainFrame() && one.url() !== "about:blank") ?? page.frames()[1];
    const role = () => frame.evaluate(() => document.activeElement.getAttribute("role"));
    for (let stops = 0; stops < 20 && (await role()) !== "treeitem"; stops++) await keyboard.press("Tab");
    assert.equal(await role(), "treeitem");
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await keyboard.press(key);
    await page.waitForFunction(() => document.querySelector("[data-square=h1]").ariaLabel === "h1, empty");
    // A form of the answer as a file.
    await tab("[data-format=olv]");
    const [file] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
    assert.match(readFileSync(await file.path(), "utf8"), /1\.Rh1-h6 !/);
    // First moves, and a search that is cancelled.
    await tab("#first", "Shift+Tab");
    await keyboard.press("Enter");
    await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
    await tab("#text", "Shift+Tab");
    await keyboard.press("Control+a");
    await keyboard.insertText(HARD);
    await tab("#moves");
    await keyboard.press("Control+a");
    await keyboard.press("Delete");
    await keyboard.press("Enter");
    await page.waitForSelector("#cancel:enabled");
    await tab("#cancel");
    await keyboard.press("Enter");
    await page.waitForFunction(() => /^Cancelled\./.test(document.getElementById("status").textContent));
    assert.equal(await page.evaluate(() => document.activeElement.id), "solve");
  }
});

test("axe finds nothing, at both sizes, light and dark", async () => {
  const findings = [];
  const look = async (state) => {
    for (const frame of page.frames().filter((one) => one.url() !== "about:blank")) {
      await frame.evaluate(axe.source);
      const { violations } = await frame.evaluate(() => window.axe.run({ iframes: false }));
      for (const { id, nodes } of violations) findings.push(`${state}: ${id}: ${nodes.map((node) => node.html).join(" ")}`);
    }
  };
  for (const size of SIZES) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const state = `${size.width} ${colorScheme}`;
      await open("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - -", "2", size);
      await page.waitForSelector("#solve:enabled");
      await look(state);
      await page.click("#first");
      await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
      await look(`${state} first moves`);
      if (!(await page.locator("#phases").isVisible())) await page.click("#more summary");
      await page.check("#phases");
      await page.check("#themes");
      await page.click("#whole");
      await page.frameLocator("#solution").locator("#tree").waitFor();
      await look(`${state} solution`);
      await page.fill("#text", "nothing");
      await page.click("#solve");
      await page.waitForFunction(() => document.getElementById("text-error").textContent);
      await look(`${state} error`);
    }
  }
  assert.deepEqual(findings, []);
});

test("on a phone Solve stands below the board, within two screens", async () => {
  await open(PRINZ, "2", { width: 360, height: 740 });
  const { y, height } = await page.locator("#solve").boundingBox();
  assert.ok(y + height < 1.1 * 740, `${y}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 360);
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
    const { result } = await solver.solve(position, { engine: "dfpn", mate: 1000, first: true, nodes: 200_000 });
    solver.close();
    return result;
  }, LONG_MATE);
  assert.ok(result.verified && result.mate_in >= 50, JSON.stringify(result));
});

test("the picture of a report in the readme is what Chromium shows", async () => {
  const pictures = [await picture(browser.context), readFileSync(FILE)];
  const [drawn, printed] = await page.evaluate(async (texts) => {
    const pixels = async (text) => {
      const image = await createImageBitmap(await (await fetch(text)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return { width: image.width, height: image.height, data: [...context.getImageData(0, 0, image.width, image.height).data] };
    };
    return Promise.all(texts.map(pixels));
  }, pictures.map((bytes) => `data:image/png;base64,${bytes.toString("base64")}`));
  assert.deepEqual([drawn.width, drawn.height], [printed.width, printed.height]);
  // Fonts differ from machine to machine; board and men do not.
  const count = drawn.width * drawn.height;
  const differs = (other) => drawn.data.filter((value, index) => Math.abs(value - other(index)) > 24).length / (4 * count);
  assert.ok(differs((index) => printed.data[index]) < 0.08, `${differs((index) => printed.data[index])}`);
  const background = drawn.data.slice(0, 4);
  assert.ok(differs((index) => background[index % 4]) > 0.12, "the picture is empty");
});
