// Tries the finished page in a browser without a window, drawn in software: `HASHES=… node page/test/page.test.mjs`.
// Words after it choose the tests whose names have them.

import assert from "node:assert/strict";
import { BAR, Opened, PATIENCE, address, closeBrowser } from "./browser.mjs";
import { phoneTests } from "./phone.mjs";
import { shellTests } from "./shell.mjs";

assert(process.env.HASHES, "HASHES must have the hashes of this machine, as `tasks page-test` gives them");

/** Returns a test: a click at a place of an example sends a unit, which arrives. */
function sends(example, x, y, button) {
  return async () => {
    const opened = await Opened.example(`?example=${example}`);
    await opened.picture(example);
    const from = opened.log.length;
    await opened.click(x, y, button);
    await opened.picture(`${example}_clicked`);
    await opened.says("arrived", from);
    return opened.close();
  };
}

const tests = {
  ...shellTests,

  "soldier: a click sends it, and it arrives": sends("soldier", 450, 360),
  "squad: the right button sends all twelve": sends("squad", 560, 500, "right"),
  "shapes: a click sends the soldier of a map": sends("shapes", 210, 170),
  "waypoints: a click sends the traveller along the streets": sends("waypoints", 412, 353),

  "doors: a click on the town sends the soldier through a door": sends("doors", 1000, 300),

  async "crowd: units arrive"() {
    const opened = await Opened.example("?example=crowd");
    await opened.says("arrived");
    await opened.picture("crowd");
    return opened.close();
  },

  async "towers: a click builds one"() {
    const opened = await Opened.example("?example=towers");
    await opened.picture("towers");
    const place = { x: 560, y: 500 };
    const before = await opened.around(place);
    await opened.click(place.x, place.y);
    await opened.move(20, 700);
    await opened.picture("towers_clicked");
    assert.notDeepEqual(await opened.around(place), before, "there is a tower now");
    return opened.close();
  },

  async "laboratory: a link is copied, stands in the address, and opens the same race"() {
    const opened = await Opened.example("?example=path_lab");
    await opened.picture("path_lab");
    // R chooses the rival, Y copies the link.
    for (const key of ["r", "y"]) {
      await opened.page.keyboard.press(key, { delay: 200 });
      await opened.frames();
    }
    await opened.picture("path_lab_clicked");
    const link = opened.page.url();
    assert.match(link, /\?example=path_lab#map=16x12\*.*&race=/);
    assert.equal(await opened.page.evaluate(() => navigator.clipboard.readText()), link);
    const again = await Opened.example(link.slice(address.length));
    await again.picture("path_lab_link");
    // The panel is folded, so that both boards are large.
    await again.page.keyboard.press("y", { delay: 200 });
    await again.frames();
    assert.equal(again.page.url(), link);
    await again.close();
    return opened.close();
  },

  ...phoneTests,

  async "searches and a game have the hashes of this machine"() {
    const hashes = await Opened.at("?example=determinism");
    const body = await hashes.page.waitForSelector("body[data-hashes]", { timeout: PATIENCE, state: "attached" });
    assert.equal(await body.getAttribute("data-hashes"), process.env.HASHES);
    await hashes.close();
  },
};

let failed = 0;
const chosen = process.argv.slice(2);
for (const [name, test] of Object.entries(tests)) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  try {
    const told = await test();
    console.log(`ok: ${name}${told ? `: ${told}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}\n${error.stack}`);
    console.log(["its log:", ...Opened.last.log.slice(-20), "its errors:", ...Opened.last.errors].join("\n"));
  }
}
await closeBrowser();
process.exitCode = failed > 0 ? 1 : 0;
