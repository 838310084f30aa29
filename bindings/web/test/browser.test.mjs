// The page in Chromium, used as people use it: with mouse, finger and keyboard.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { FILE, picture } from "../picture.mjs";
import { HARD, SIZES, answered, browser, drag, followed, listMoves, more, open, page, square, text, verdict, whole } from "./page.mjs";
import { LONG_MATE, PRINZ, matesolve, object } from "./support.mjs";

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
  await page.click("#more");
  await page.check("#tries");
  await whole();
  assert.equal(await verdict(), "Sound: Rh6");
  const tree = page.frameLocator("#solution").locator("#tree");
  assert.match(await tree.innerText(), /1\.Rh6! zugzwang/);
  await tree.getByText("Rh5").click();
  await tree.getByText("1...h6!").click();
  assert.equal(await page.innerText("#played"), "Try, move 2 of 2: 1.Rh5 h6");
  const saved = {};
  for (const format of ["svg", "json", "olv", "popeye", "html", "latex"]) {
    await page.click("#save-as summary");
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
  assert.match(await page.textContent("#clock"), /^\d+ s, [\d,]+ nodes, [\d,]+ a second$/);
  assert.equal(await page.isVisible("#solve"), false);
  await page.click("#stop");
  await page.waitForFunction(() => /^Stopped\. So far: no mate in/.test(document.getElementById("status").textContent));
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
  await other.click("#more");
  await other.click("#whole");
  assert.match(await other.locator("#verdict:visible").innerText(), /^Sound/);
  assert.equal(await other.locator("#verdict").getAttribute("class"), "good");
  assert.equal(await other.innerText("#text-error"), "");
  await other.frameLocator("#solution").getByRole("button", { name: /^b\) wRh1-->h2 Sound/ }).click();
  await other.frameLocator("#solution").locator("section:nth-of-type(2) > #viewer").waitFor();
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
    await followed();
    assert.equal(await page.innerText("#status"), "", how);
  }
});

test("an illegal text is not solved, and its sentence stands beside it", async () => {
  await open(PRINZ, "2");
  const wrong = "5kbk/6pp/6P1/8/8/8/8/7R w - -";
  await page.fill("#text", wrong);
  await page.click("#more");
  for (const button of ["#solve", "#whole", "#moves-list"]) {
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
    ["#moves-list", `${CHARLES} dm 3;`, /first moves/],
    ["#whole", `${CHARLES} stip "=1";`, /^No solution/],
    ["#solve", `${CHARLES} stip "=1";`, /^No stalemate/],
  ]) {
    await open(PRINZ, "s%232");
    assert.equal(await page.inputValue("#goal"), "s#");
    await more(() => page.fill("#text", pasted));
    // Without a pause: the field is read when it is left, and the button waits for that.
    await page.click(button);
    await page.waitForFunction(() => document.getElementById("result").hidden === false);
    assert.match(await verdict(), expected, `${button} ${pasted}`);
    assert.equal(await page.inputValue("#goal"), pasted.includes("dm") ? "#" : "=");
    if (button === "#moves-list") assert.match(await page.innerText("#lines"), /^mate in 3: 1. Rxg3/);
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

/** The squares that are coloured on the board, and the arrow: `h1h6`. */
const marks = () => page.evaluate(() => {
  const name = (x, y) => "abcdefgh"[Math.floor(x / 100)] + (8 - Math.floor(y / 100));
  const coloured = [...document.querySelectorAll("#under rect")].map((one) => name(one.getAttribute("x"), one.getAttribute("y")));
  const arrow = [...document.querySelectorAll("#above path")].map((one) => {
    const [x, y, turn] = one.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const length = Number(/L([\d.]+) 0/.exec(one.getAttribute("d"))[1]);
    const [toX, toY] = [x + length * Math.cos((turn * Math.PI) / 180), y + length * Math.sin((turn * Math.PI) / 180)];
    return name(x, y) + name(toX, toY);
  });
  return { coloured: coloured.join(""), arrow: arrow.join() };
});

test("the line of an answer is played on the board, with an arrow and coloured squares, and the diagram stays the position", async () => {
  await open(PRINZ, "2");
  assert.deepEqual(await marks(), { coloured: "", arrow: "" });
  assert.ok((await page.isDisabled("#forward")) && /Solve/.test(await page.getAttribute("#forward", "title")));
  await page.click("#solve");
  await answered();
  assert.deepEqual(await marks(), { coloured: "", arrow: "h1h6" });
  assert.equal(await page.innerText("#played"), "Diagram; the arrow shows 1. Rh6");
  await followed();
  // The arrow keys step through the main line, wherever the focus is after the answer.
  await page.keyboard.press("ArrowRight");
  assert.equal(await square("h6").getAttribute("aria-label"), "h6, white rook");
  assert.deepEqual(await marks(), { coloured: "h1h6", arrow: "" });
  await page.locator("#lines button", { hasText: "Ba2" }).click();
  assert.equal(await square("a2").getAttribute("aria-label"), "a2, black bishop");
  assert.equal((await marks()).coloured, "g8a2");
  assert.equal(await page.innerText("#played"), "Main line, move 2 of 3: 1. Rh6 Ba2");
  await page.click("#forward");
  assert.equal(await page.innerText("#played"), "Main line, move 3 of 3: 1. Rh6 Ba2 2. Rxh7#");
  assert.ok(await page.isDisabled("#forward"), "the line ends");
  assert.equal(await text(), PRINZ);
  await page.keyboard.press("Home");
  assert.equal(await square("h1").getAttribute("aria-label"), "h1, white rook");
  assert.equal((await marks()).arrow, "h1h6");
  // A board that a mouse has touched steps, too; with the keyboard one goes to its squares.
  await square("e4").click();
  await page.keyboard.press("ArrowRight");
  assert.equal((await marks()).coloured, "h1h6");
  await drag(square("h6"), square("e6"));
  assert.equal(await text(), "5Kbk/6pp/4R1P1/8/8/8/8/8 b - -", "a man that is moved after a move changes the position there");
  assert.deepEqual(await marks(), { coloured: "", arrow: "" });
});

test("the tree, tries, set play, first moves and help play have the arrow and the squares as well", async () => {
  await open("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - -", "2");
  await listMoves();
  await answered();
  assert.equal((await marks()).arrow, "a4b5");
  await page.locator("#lines button", { hasText: "Bc6" }).first().click();
  assert.equal((await marks()).coloured, "a4c6");
  assert.match(await page.innerText("#played"), /^Line \d+, move 1 of 1: 1\. Bc6|^Line \d+, move 1 of 1: Bc6/);
  await more(() => page.check("#set-play"));
  await more(() => page.check("#tries"));
  await whole();
  assert.match(await verdict(), /^Sound/);
  const tree = page.frameLocator("#solution");
  await tree.locator("[role=treeitem]").first().waitFor();
  await page.waitForFunction(() => document.querySelector("#above path"));
  assert.equal((await marks()).arrow, "a4b5", "the key at once, without a click");
  const says = async (row, words, coloured) => {
    await tree.locator(".row", { hasText: row }).first().click();
    await page.waitForFunction((text) => new RegExp(text).test(document.getElementById("played").textContent), words);
    assert.equal((await marks()).coloured, coloured, row);
  };
  await says("Bb5!", "^Key, move 1 of 1: 1\\.Bb5", "a4b5");
  await says("1...Bb7", "^Key, move 2 of 2: 1\\.Bb5 Bb7", "d5b7");
  await says("Ndb3+?", "^Try, move 1 of 1: 1\\.Ndb3\\+", "d4b3");
  await tree.locator(".row", { hasText: "Set play" }).first().click();
  await page.click("#forward");
  await page.waitForFunction(() => /^Set play.*, move [23] of \d/.test(document.getElementById("played").textContent));
  assert.notEqual((await marks()).coloured, "");
  await page.click("#first");
  assert.equal((await marks()).coloured, "");
  // The turned board has the same marks.
  await page.click("#flip");
  assert.notEqual((await marks()).arrow, "");
  await open("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", "h%232");
  await page.click("#solve");
  await answered();
  assert.equal((await marks()).arrow, "e8g8", "castling is the move of the king");
  await page.click("#last");
  assert.equal(await page.innerText("#played"), "Solution, move 4 of 4: 1. O-O Kh5 2. Kh7 Ng5#");
});

test("castling, en passant and promotion are played on the board", async () => {
  const after = async (fen, san) => {
    await open(fen, "1");
    await listMoves();
    await answered();
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
  await listMoves();
  await answered();
  const rows = (await page.locator("#lines p").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
  const { moves } = JSON.parse(matesolve(PRINZ, "--mate", "2", "--moves", "--format", "json"));
  assert.equal(rows.length, moves.length);
  assert.match(rows[0], /^mate in 2: 1\. Rh6 /);
  assert.match(rows.at(-1), /^no mate in 2: /);
});

test("the phases stand side by side and the themes below them, if they are chosen", async () => {
  // T. R. Dawson, 1920: a mutate with two changed mates.
  await open("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - -", "2");
  await page.click("#more");
  for (const id of ["#set-play", "#tries"]) await page.check(id);
  const report = page.frameLocator("#solution");
  const shown = async (...ids) => {
    for (const id of ["#phases", "#themes"]) await page.setChecked(id, ids.includes(id));
    const address = () => page.evaluate(() => document.getElementById("solution").contentWindow.location.href);
    const before = await address();
    await page.click("#whole");
    await page.waitForFunction((old) => document.getElementById("solution").contentWindow.location.href !== old, before);
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
  await page.click("#more");
  for (const id of ["#set-play", "#tries", "#themes"]) await page.check(id);
  await page.fill("#refutations", "3");
  await page.locator("#refutations").blur();
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.getElementById("text").value);
  const checked = await other.evaluate(() => [...document.querySelectorAll("#options input:checked")].map((one) => one.id));
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
  await page.click("#stop");
});

test("a report has the stamp, and every link of the page leads somewhere", async () => {
  await open(PRINZ, "2");
  await whole();
  assert.match(await page.innerText("#stamp:not(:empty)"), /^C\+ matesolve \d/);
  assert.match(await page.evaluate(async () => (await fetch(document.querySelector("footer a").href)).text()), /GNU GENERAL PUBLIC LICENSE/);
  const links = await page.locator("a").evaluateAll((all) => all.map((one) => one.href));
  const manual = links.find((link) => link.includes("/manual/"));
  assert.match(await page.evaluate(async (link) => (await fetch(link)).text(), manual), /<title>[^<]*matesolve/);
  const { repository } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const elsewhere = links.filter((link) => !link.startsWith(browser.address));
  assert.equal(elsewhere.length, repository ? 1 : 0, "a link to the source stands there once there is one");
});

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
  await listMoves();
  await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
  const [seen, count] = await page.evaluate(() => [[...window.seen], document.getElementById("lines").childElementCount]);
  assert.ok(seen.length > 2 && seen.some((number) => number > 0 && number < count), `${seen} of ${count}`);
});

test("the length that is known stands below the board", async () => {
  await open(PRINZ, "");
  assert.deepEqual([await page.innerText("#asked"), await page.innerText("#count")], ["#", "3+4"]);
  await page.click("#more");
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
    await whole();
    assert.equal(await verdict(), "Sound: Rh6");
    const report = page.frameLocator("#solution");
    await report.getByText("gxh6").click();
    await page.waitForFunction(() => document.querySelector("[data-square=g7]").ariaLabel === "g7, white pawn");
    for (const id of ["#view", ".verdict"]) assert.equal(await report.locator(id).isVisible(), false, id);
    assert.equal(await square("h6").getAttribute("aria-label"), "h6, black pawn");
    const { y, height } = await page.locator("#board").boundingBox();
    assert.ok(y >= -1 && y + height <= size.height, `the board stays in sight: ${y} + ${height}`);
    await page.click("#first");
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

test("each result is announced", async () => {
  await open(PRINZ, "2");
  assert.equal(await page.getAttribute("#announce", "aria-live"), "polite");
  const heard = () => page.textContent("#announce");
  await page.click("#solve");
  await page.waitForFunction(() => document.getElementById("announce").textContent === "Mate in 2, proved shortest");
  await page.waitForFunction(() => document.getElementById("announce").textContent === "Sound: Rh6");
  await listMoves();
  await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("announce").textContent));
  await whole();
  await page.waitForFunction(() => document.getElementById("announce").textContent === "Sound: Rh6");
  await drag(square("h1"), square("a4"));
  assert.equal(await heard(), "");
});

test("a button that does not apply is off and says why", async () => {
  await open("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", "h%232");
  await page.click("#more");
  assert.ok(await page.isDisabled("#moves-list"));
  assert.match(await page.innerText("#why"), /^First moves: not of help play/);
  assert.equal(await page.getAttribute("#moves-list", "title"), await page.innerText("#why"));
  await page.selectOption("#goal", "s#");
  assert.ok(await page.isEnabled("#moves-list"));
  assert.equal(await page.textContent("#why"), "");
  await page.click("#save-as summary");
  const off = await page.locator("#save-as button:disabled").allInnerTexts();
  assert.deepEqual(off.map((text) => text.split("\n").at(-1)), ["after Solve", ...Array(4).fill("after the whole solution")]);
  const silent = await page.evaluate(() => [...document.querySelectorAll("button:disabled")].filter((one) => !one.title).length);
  assert.equal(silent, 0);
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible("[data-format=svg]"), false);
});

test("the examples are set up by a click, and undone", async () => {
  await open(HARD);
  for (const [name, goal, said] of [["mate in two", "#", /^Mate in 2/], ["selfmate", "s#", /^Selfmate in 2/], ["helpmate", "h#", /^1 solution/]]) {
    const before = await text();
    await page.locator("nav a", { hasText: name }).click();
    await page.waitForFunction((old) => document.getElementById("text").value !== old, before);
    assert.deepEqual([await page.inputValue("#goal"), await page.inputValue("#moves")], [goal, "2"]);
    await page.click("#solve");
    await answered();
    assert.match(await verdict(), said);
    await followed();
  }
  await page.click("#undo");
  await page.waitForFunction(() => document.getElementById("text").value.startsWith("8/B7/"));
});

test("an unsound problem is mended, and a sound version is set up by a click", async () => {
  for (const [fen, moves, said] of [["5Kbk/6pp/8/8/8/8/8/7R w - -", "2", /^No mate in 2$/], ["8/2NQ4/NkP5/3p4/p7/P1N3K1/8/1B6 w - -", "2", /^Mate in 2/]]) {
    await open(fen, moves);
    await page.click("#solve");
    await answered();
    assert.match(await verdict(), said);
    await page.click("#mend-it");
    await page.waitForFunction(() => document.querySelector("#mended button"));
    assert.match(await page.innerText("#status"), /^\d+ sound versions? of [\d,]+ diagrams; click one/);
    assert.match(await page.locator("#mended button").first().innerText(), /^(Add|Remove|Move|Exchange|Substitute|Replace|Shift).*: 1\. /);
    await page.locator("#mended button").first().click();
    assert.equal(await page.isVisible("#mend"), false);
    await page.click("#solve");
    await followed();
    assert.match(await page.innerText("#sound"), /^Sound: /);
  }
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
  await page.click("#edit");
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
  const found = await page.evaluate(async (texts) => {
    const pixels = async (text) => {
      const image = await createImageBitmap(await (await fetch(text)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [drawn, printed] = await Promise.all(texts.map(pixels));
    const differs = (other) => drawn.data.reduce((count, value, index) => count + (Math.abs(value - other(index)) > 24), 0) / drawn.data.length;
    const sizes = [drawn, printed].map(({ width, height }) => [width, height]);
    return { sizes, changed: differs((index) => printed.data[index]), inked: differs((index) => drawn.data[index % 4]) };
  }, pictures.map((bytes) => `data:image/png;base64,${bytes.toString("base64")}`));
  assert.deepEqual(found.sizes[0], found.sizes[1]);
  // Fonts differ from machine to machine; board and men do not.
  assert.ok(found.changed < 0.08, `${found.changed}`);
  assert.ok(found.inked > 0.12, "the picture is empty");
});
