// The page around the examples: a menu, a loading bar, and the program, which draws into the canvas.

import { letFingersBeAMouse } from "./fingers.js";

const EXAMPLES = [
  { name: "soldier", title: "Soldier", about: "Click, and it walks the cheapest path. Paint the ground, and it finds another." },
  { name: "squad", title: "Squad", about: "Draw a frame around units; hold or right-click to send them, in formation." },
  { name: "shapes", title: "Shapes", about: "Squares, diamonds and hexagons: one unit on each kind of tilemap." },
  { name: "towers", title: "Towers", about: "Tower defence: what you build changes the cheapest path of the creeps." },
  { name: "waypoints", title: "Waypoints", about: "A town of streets: move, join and remove waypoints while a traveller walks." },
  { name: "path_lab", title: "Laboratory", about: "Watch a search step by step, or race two algorithms on a map that you paint." },
];
// Screenshots of the laboratory are named after what they show.
const PICTURES = { path_lab: "path_lab_race" };

// Not in the menu: writes the hashes of searches and of a game into the page, for its test.
const CHECK = { name: "determinism", title: "Determinism" };

const element = (id) => document.getElementById(id);
const chosen = new URLSearchParams(location.search).get("example");

for (const { name, title } of EXAMPLES) {
  const link = document.createElement("a");
  link.href = `?example=${name}`;
  link.textContent = title;
  if (name === chosen) link.setAttribute("aria-current", "page");
  element("examples").append(link);
}
const example = [...EXAMPLES, CHECK].find(({ name }) => name === chosen);
if (example) {
  document.title = `tilepath: ${example.title}`;
  element("stage").hidden = false;
  run().catch(fail);
} else {
  showMenu();
}

function showMenu() {
  element("menu").hidden = false;
  for (const { name, title, about } of EXAMPLES) {
    const picture = Object.assign(document.createElement("img"), {
      src: `assets/screenshots/${PICTURES[name] ?? name}.png`,
      alt: "",
      loading: "lazy",
    });
    const heading = Object.assign(document.createElement("h2"), { textContent: title });
    const text = Object.assign(document.createElement("p"), { textContent: about });
    const entry = Object.assign(document.createElement("a"), { href: `?example=${name}` });
    entry.append(picture, heading, text);
    element("menu").append(entry);
  }
}

async function run() {
  const canvas = element("window");
  if (!document.createElement("canvas").getContext("webgl2")) {
    throw new Error("this browser has no WebGL 2, which draws the examples");
  }
  letFingersBeAMouse(canvas);
  // Another link in the same tab differs only after the `#`.
  window.addEventListener("hashchange", () => location.reload());
  // The program sets this when its first frame shows everything.
  new MutationObserver(() => element("loading").remove()).observe(document.body, {
    attributeFilter: ["data-first-frame"],
  });
  window.addEventListener("error", (event) => fail(event.error ?? event.message));
  const { default: start } = await import("./tilepath_page.js");
  await start({ module_or_path: await load("tilepath_page_bg.wasm") });
  canvas.focus();
}

// Returns the program as a response whose progress the bar shows.
async function load(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file} cannot be loaded: ${response.status} ${response.statusText}`);
  const total = Number(document.querySelector("meta[name=program-bytes]").content);
  let loaded = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      const part = Math.min(loaded / total, 1);
      element("progress").value = part;
      element("progress-text").textContent = part < 1 ? `loading: ${Math.floor(part * 100)} %` : "starting";
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers: { "Content-Type": "application/wasm" } });
}

// Shows an error in place of the loading bar. After the first frame only the console has it.
function fail(error) {
  console.error(error);
  if (!element("loading")) return;
  element("progress")?.remove();
  element("progress-text").textContent = String(error?.message ?? error);
}
