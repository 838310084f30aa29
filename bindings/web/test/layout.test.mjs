// The page in windows of three sizes: what stands where, and that all of it can be used with the keyboard and is said to
// those who do not see it.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import axe from "axe-core";
import { HARD, SIZES, answered, followed, listMoves, more, open, page, square, text, verdict, whole } from "./page.mjs";
import { PRINZ } from "./support.mjs";

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
    await tab("#edit", "Shift+Tab");
    if ((await page.getAttribute("#edit", "aria-expanded")) === "false") await keyboard.press("Enter");
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
    await keyboard.type("mate");
    await tab("#more");
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
    await tab("#save-as summary", "Shift+Tab");
    await keyboard.press("Enter");
    await tab("[data-format=olv]");
    const [file] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
    assert.match(readFileSync(await file.path(), "utf8"), /1\.Rh1-h6 !/);
    // First moves, and a search that is cancelled.
    await tab("#moves-list");
    await keyboard.press("Enter");
    await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
    await tab("#text", "Shift+Tab");
    await keyboard.press("Control+a");
    await keyboard.insertText(HARD);
    await tab("#moves");
    await keyboard.press("Control+a");
    await keyboard.press("Delete");
    await keyboard.press("Enter");
    await page.waitForSelector("#stop:visible");
    await tab("#stop");
    await keyboard.press("Enter");
    await page.waitForFunction(() => /^Stopped\./.test(document.getElementById("status").textContent));
    assert.equal(await page.evaluate(() => document.activeElement.id), "solve");
  }
});

test("axe finds nothing, at three sizes, light and dark", async () => {
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
      await listMoves();
      await page.waitForFunction(() => /^\d+ first moves$/.test(document.getElementById("verdict").textContent));
      await look(`${state} first moves`);
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

/** What is outside the window, of these parts of the page. */
const outside = (...ids) => page.evaluate((wanted) => wanted.filter((id) => {
  const { top, left, bottom, right, width, height } = document.querySelector(id).getBoundingClientRect();
  return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || width * height === 0;
}), ids);

/** Pairs of controls and texts that overlap, where neither has the other in it. */
const overlaps = () => page.evaluate(() => {
  const all = [...document.querySelectorAll("header *, button:not([data-square]), input, select, textarea, summary, #frame, p, h2, #verdict, iframe, footer p")]
    .filter((one) => one.checkVisibility() && !one.closest(".hidden, .menu") && one.getClientRects().length > 0 && one.getBoundingClientRect().width > 1);
  const pairs = [];
  for (const one of all) {
    for (const other of all) {
      if (one === other || one.contains(other) || other.contains(one) || one.compareDocumentPosition(other) & 2) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (wide > 1 && high > 1) pairs.push(`${one.outerHTML.slice(0, 50)} and ${other.outerHTML.slice(0, 50)}`);
    }
  }
  return pairs;
});

test("at three sizes all that is needed is inside the window, nothing overlaps, and the board keeps size and place", async () => {
  // The longest FEN of legal men: 90 characters.
  const long = "r1bqk2r/p1p1p1p1/1p1p1p1p/n1b1n1B1/N1B1N1b1/1P1P1P1P/P1P1P1P1/R1BQK2R w KQkq - 199 1234567";
  for (const size of SIZES) {
    const isPhone = size.width < 801;
    await open(PRINZ, "2", size);
    if (isPhone) {
      // The men are folded while a position stands.
      assert.equal(await page.isVisible("#tools"), false);
      await page.click("#edit");
    }
    const state = `${size.width}`;
    assert.deepEqual(await outside("#text", "#frame", "#tools", "#turn", "#side", "#goal", "#moves", "#solve", "nav"), [], state);
    assert.deepEqual(await overlaps(), [], state);
    if (isPhone) await page.click("#edit");
    assert.deepEqual(await outside("#frame", "#edit", "#solve", "#save-as", "#more"), [], state);
    const place = async () => JSON.stringify(await page.locator("#frame").boundingBox());
    const before = await place();
    await page.click("#solve");
    await answered();
    assert.equal(await place(), before, `${state}: with the verdict`);
    await followed();
    assert.equal(await place(), before, `${state}: with the whole solution`);
    assert.deepEqual(await outside("#verdict", "#sound", "#lines", "#frame", "#steps", "#played", "#solve"), [], state);
    assert.deepEqual(await overlaps(), [], `${state} solved`);
    const [verdict, board] = [await page.locator("#verdict").boundingBox(), await page.locator("#frame").boundingBox()];
    assert.ok(isPhone ? verdict.y > board.y + board.height : verdict.x > board.x + board.width && verdict.y < board.y + 100, state);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), size.width);
    await page.click("#save-as summary");
    await page.locator(".menu").scrollIntoViewIfNeeded();
    const menu = await page.locator(".menu").boundingBox();
    assert.ok(menu.x >= 0 && menu.x + menu.width <= size.width, state);
    await page.keyboard.press("Escape");
    await page.evaluate(() => scrollTo(0, 0));
    // A long FEN is seen whole.
    await page.fill("#text", long);
    assert.equal(long.length, 90);
    const [inner, seen] = await page.evaluate(() => [document.getElementById("text").scrollHeight, document.getElementById("text").clientHeight]);
    assert.ok(inner <= seen && (await outside("#text")).length === 0, `${state}: ${inner} of ${seen}`);
  }
});

test("on a phone the board stays in sight while the solution is read", async () => {
  await open(PRINZ, "2", SIZES[2]);
  await page.click("#solve");
  await followed();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  assert.deepEqual(await outside("#frame"), []);
});

test("the page fits a phone, and every control has a name", async () => {
  await open(HARD, "3", { width: 360, height: 740 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, iframe")]
    .filter((one) => !one.ariaLabel && !one.title && !one.textContent.trim() && !one.labels?.length)
    .map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
});
