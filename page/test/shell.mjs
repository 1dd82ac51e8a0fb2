// Tests of all that the page shows without its program.

import assert from "node:assert/strict";
import { ON_ITS_SIDE, Opened, UPRIGHT, address } from "./browser.mjs";

export const EXAMPLES = ["soldier", "squad", "shapes", "towers", "waypoints", "doors", "crowd", "path_lab"];
const PROGRAM = /tilepath_page_bg/;
// What a slow network brings in the first seconds.
const MOST_BYTES = 150_000;

/** Returns the bytes of all that has come. */
async function bytesOf(responses) {
  const bodies = await Promise.all(responses.map((response) => response.body().catch(() => Buffer.alloc(0))));
  return bodies.reduce((sum, body) => sum + body.length, 0);
}

/** Returns the least size of the letters of the page, in its pixels. */
function smallestText(page) {
  return page.evaluate(() => {
    const sizes = [...document.querySelectorAll("body *")]
      .filter((element) => element.checkVisibility() && element.innerText)
      .map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    return Math.min(...sizes);
  });
}

export const shellTests = {
  async "the menu shows every example, what to do in it, and its code"() {
    const menu = await Opened.at("");
    await menu.page.waitForLoadState("networkidle");
    assert.deepEqual(await menu.page.locator("[data-example]").evaluateAll((all) => all.map((one) => one.dataset.example)), EXAMPLES);
    for (const entry of await menu.page.locator("[data-example]").all()) {
      assert((await entry.locator(".to-do").innerText()).length > 20);
      const links = await entry.locator("a").evaluateAll((all) => all.map((link) => link.href));
      assert(links[0].includes("?example=") && links[1].includes("/examples/"), links.join(" "));
    }
    assert.equal(await menu.page.locator("h1:visible").innerText(), "tilepath");
    for (const name of ["og:title", "og:image", "og:description"]) {
      assert((await menu.page.locator(`meta[property="${name}"]`).getAttribute("content")).length > 10, name);
    }
    await menu.picture("menu");
    await menu.page.locator("[data-example=squad] a.open").click();
    assert(menu.page.url().endsWith("?example=squad"));
    await menu.context.close();
  },

  async "the page can be enlarged, and nothing is cut then"() {
    const menu = await Opened.at("", UPRIGHT);
    assert.doesNotMatch(await menu.page.locator("meta[name=viewport]").getAttribute("content"), /user-scalable|maximum-scale/);
    await menu.page.addStyleTag({ content: ":root { font-size: 200% !important }" });
    const [inside, room] = await menu.page.evaluate(() => [document.body.scrollWidth, innerWidth]);
    assert(inside <= room, `${inside} of ${room} pixels`);
    await menu.picture("menu_enlarged");
    await menu.close();
  },

  async "the first 150 kB hold text and picture"() {
    let most = 0;
    for (const options of [UPRIGHT, ON_ITS_SIDE]) {
      for (const example of EXAMPLES) {
        const responses = [];
        const hung = await Opened.at(`?example=${example}`, options, async (page) => {
          page.on("response", (response) => responses.push(response));
          await page.route(/tilepath_page\.js/, () => {});
        });
        // The program is asked for only when the picture is there.
        await hung.page.waitForRequest(/tilepath_page\.js/, { timeout: 10_000 }).catch(() => {});
        const bytes = await bytesOf(responses);
        assert(bytes <= MOST_BYTES, `${example}: ${bytes} bytes`);
        most = Math.max(most, bytes);
        const still = await hung.page.locator("#still").evaluate((image) => image.complete && image.naturalWidth > 0);
        assert(still, `${example} has a picture`);
        for (const id of ["loading-title", "loading-about", "hint"]) {
          assert((await hung.page.locator(`#${id}`).textContent()).length > 5, id);
        }
        assert((await smallestText(hung.page)) >= 8);
        await hung.context.close();
      }
    }
    return `at most ${most} bytes`;
  },

  async "an example that does not exist is named"() {
    for (const [query, name] of [["?example=foo", "foo"], ["?example=%E0%A4%A", "\uFFFD"], ["?example=", ""]]) {
      const menu = await Opened.at(query);
      await menu.shows("#wrong-example", `There is no example “${name}`);
      assert.equal(await menu.page.locator("[data-example]:visible").count(), EXAMPLES.length);
      if (name === "foo") await menu.picture("wrong_example");
      await menu.close();
    }
  },

  async "a blocked network: the page says so, and tries again"() {
    for (const options of [undefined, ON_ITS_SIDE]) {
      const blocked = await Opened.at("?example=shapes", options, (page) => page.route(PROGRAM, (route) => route.abort()));
      await blocked.shows("#progress-text", "The program cannot be loaded: the network does not answer.");
      assert.equal(await blocked.focused(), "again");
      await blocked.picture(options ? "blocked_phone" : "blocked");
      await blocked.page.unroute(PROGRAM);
      await blocked.page.route(PROGRAM, (route) => route.fulfill({ status: 503 }));
      await blocked.page.locator("#again").click();
      await blocked.shows("#progress-text", "the server says 503");
      await blocked.page.unroute(PROGRAM);
      await blocked.page.locator("#again").click();
      await blocked.hasFirstFrame();
      await blocked.context.close();
    }
  },

  async "a program that breaks off half-way is not started"() {
    const cut = async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      await route.fulfill({ response, body: body.subarray(0, body.length / 2), headers: { "content-type": "application/wasm" } });
    };
    const broken = await Opened.at("?example=shapes", undefined, (page) => page.route(PROGRAM, cut));
    await broken.shows("#progress-text", "broke off");
    assert(await broken.page.locator("#again").isVisible());
    await broken.context.close();
  },

  async "four damaged links: what is wrong, and the default map"() {
    const links = [
      ["map=4x2*1x7&from=0.0&to=3.1", "7 numbers instead of 8"],
      ["map=4x2*1x8&from=0.0&to=9.9", ""],
      ["map=4x2*1x8&from=0.0&to=3.1&algorithm=foo", "foo"],
      ["map=4x2*1x8&fr", ""],
    ];
    const said = [];
    for (const [link, fault] of links) {
      const opened = await Opened.at(`?example=path_lab#${link}`);
      await opened.shows("#progress-text", "This link is damaged:");
      await opened.shows("#progress-text", fault);
      said.push(await opened.page.locator("#progress-text").innerText());
      assert.equal(await opened.focused(), "default-map");
      if (link === links[0][0]) {
        await opened.picture("damaged_link");
        await opened.page.keyboard.press("Enter");
        await opened.hasFirstFrame();
        assert(opened.page.url().endsWith("?example=path_lab"), opened.page.url());
      }
      await opened.context.close();
    }
    assert.equal(new Set(said).size, links.length, said.join("\n"));
    return `\n  ${said.join("\n  ")}`;
  },

  async "a keyboard comes in, plays, and leaves"() {
    const { page, ...opened } = await Opened.example("?example=squad");
    const keyboard = Object.assign(Opened.last, { page });
    await page.evaluate(() => {
      window.taken = {};
      addEventListener("keydown", (event) => (window.taken[event.key] = event.defaultPrevented));
    });
    assert.equal(await keyboard.focused(), "window", "the example has the keys from its first frame");
    assert.equal(await page.locator("#window").getAttribute("role"), "application");
    assert.match(await page.locator("#window").getAttribute("aria-label"), /^Squad: /);
    assert.match(await page.locator("#window").textContent(), /Escape leaves/);
    const edge = () => page.evaluate(() => getComputedStyle(document.querySelector("#stage"), "::after").borderTopWidth);
    assert.equal(await edge(), "2px", "the focus is seen");
    // E selects all, which the panel and the rings show.
    const before = await keyboard.picture("keyboard");
    await page.keyboard.press("e", { delay: 200 });
    await keyboard.frames(6);
    assert.notDeepEqual(await keyboard.picture("keyboard_played"), before);
    await page.keyboard.press("Tab");
    assert.equal(await keyboard.focused(), "stop, go on", "Tab leaves");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await keyboard.focused(), "window", "and comes back");
    await page.keyboard.press("Escape");
    assert.equal(await keyboard.focused(), "Squad", "Escape gives the focus to the bar");
    assert.notEqual(await edge(), "2px");
    await page.keyboard.press("Tab");
    assert.equal(await keyboard.focused(), "Shapes");
    await page.locator("#window").focus();
    for (const key of ["F5", "F12", "e"]) await page.keyboard.press(key);
    const taken = await page.evaluate(() => window.taken);
    assert.deepEqual([taken.F5 ?? false, taken.F12 ?? false], [false, false], "these are the browser's");
    assert.deepEqual(opened.errors, []);
    return keyboard.close();
  },

  async "laboratory: Tab and Escape are its own while something is open or selected"() {
    const lab = await Opened.example("?example=path_lab");
    await lab.page.keyboard.press("F1", { delay: 200 });
    await lab.page.waitForSelector("body[data-keeps-keys=true]", { state: "attached" });
    await lab.page.keyboard.press("Escape", { delay: 200 });
    await lab.page.waitForSelector("body[data-keeps-keys=false]", { state: "attached" });
    assert.equal(await lab.focused(), "window", "the first Escape closes the sheet");
    await lab.page.keyboard.press("Escape");
    assert.equal(await lab.focused(), "Laboratory");
    return lab.close();
  },
};

export { address };
