"use strict";
// Uses the page as a reader does: keys, clicks, buttons. The test `a_reader_can_use_the_page` runs this in a browser. The
// outcome is stored in the attribute `data-outcome` of the body, where the test reads it.
{
  const failures = [];
  const check = (name, actual, expected) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      failures.push(`${name}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
    }
  };
  const rows = () => visible().map((element) => element.querySelector(".row").textContent.replace("▸", ""));
  const men = (id) => [...byId(id).children].map((use) => {
    const [x, y] = [use.getAttribute("x") / 100, use.getAttribute("y") / 100];
    return use.getAttribute("href").slice(1) + "abcdefgh"[x] + (8 - y);
  }).sort().join(" ");
  const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const line = () => byId("line").textContent.trim().replace(/\s+/g, " ");

  try {
    check("the tree at the start", rows(), ["Diagram", "1.Rh6! zugzwang", "1...Ba2 2.Rxh7#", "1...gxh6 2.g7#", "Set play", "1.Rg1?"]);
    check("the diagram", [men("white"), men("black")], ["kf8 pg6 rh1", "bg8 kh8 pg7 ph7"]);
    check("the arrow of the key", byId("arrow").children.length, 1);
    check("the tab key stops once in the tree", tree.querySelectorAll("[tabindex='0']").length, 1);

    for (let i = 0; i < 3; i++) byId("forward").click();
    check("three moves forward from the diagram", [line(), men("white")], ["1.Rh6 Ba2 2.Rxh7#", "kf8 pg6 rh7"]);
    tree.querySelector("[tabindex='0']").focus();
    key("End");
    check("End selects the last item", line(), "1.Rg1");
    for (let i = 0; i < 2; i++) key("ArrowUp");
    check("a variation", [line(), men("white"), men("black")], ["1.Rh6 gxh6 2.g7#", "kf8 pg7", "bg8 kh8 ph6 ph7"]);
    check("two squares are marked", [byId("marks").children.length, byId("arrow").children.length], [2, 0]);
    key("ArrowLeft");
    check("ArrowLeft selects the key", line(), "1.Rh6");
    key("ArrowLeft");
    check("ArrowLeft closes the key", rows().length, 4);
    key("End");
    key("ArrowRight");
    check("the try opens", rows().slice(3), ["1.Rg1?", "threat 2.gxh7", "but 1...hxg6!"]);
    key("ArrowRight");
    check("the threat", [line(), men("white")], ["1.Rg1 pass 2.gxh7", "kf8 ph7 rg1"]);
    key("Enter");
    check("below the threat", rows()[5], "2...Kxh7 3.Rxg7+");

    byId("first").click();
    check("back to the diagram", [men("white"), byId("first").disabled, byId("forward").disabled], ["kf8 pg6 rh1", true, false]);
    for (let i = 0; i < 5; i++) byId("forward").click();
    check("five moves forward", [line(), men("white"), byId("last").disabled], ["1.Rg1 pass 2.gxh7 Kxh7 3.Rxg7+", "kf8 rg7", true]);

    const set = visible().find((element) => element.textContent.includes("Set play"));
    set.querySelector(".row").click();
    check("set play", rows().slice(2, 4), ["Set play", "1...gxh6 2.g7#"]);
    check("one item is selected", tree.querySelectorAll("[aria-selected='true']").length, 1);
    check("the page fits the window", document.documentElement.scrollWidth <= window.innerWidth, true);
  } catch (error) {
    failures.push(String(error));
  }
  document.body.dataset.outcome = failures.length ? failures.join("\n") : "passed";
}
