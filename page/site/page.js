// The page around the examples: a menu, what is shown until the program is there, and the program, which draws into the canvas.

import { letFingersBeAMouse } from "./fingers.js";
import { letKeysLeave, showKeys } from "./keys.js";

const CODE = "https://github.com/tilepath/tilepath/tree/main/examples/";
// Not in the menu: writes the hashes of searches and of a game into the page, for its test.
const CHECK = { name: "determinism", title: "Determinism", about: "", toDo: "" };

const element = (id) => document.getElementById(id);
const chosen = new URLSearchParams(location.search).get("example");
const examples = [...document.querySelectorAll("[data-example]")].map((article) => ({
  article,
  name: article.dataset.example,
  title: article.querySelector("h2").textContent,
  about: article.querySelector("p").textContent,
  toDo: article.querySelector(".to-do").textContent,
}));

for (const { name, title } of examples) {
  const link = Object.assign(document.createElement("a"), { href: `?example=${name}`, textContent: title });
  if (name === chosen) link.setAttribute("aria-current", "page");
  element("examples").append(link);
}
const example = [...examples, CHECK].find(({ name }) => name === chosen);
if (example) {
  showStage();
  element("again").addEventListener("click", tryAgain);
  run().catch(fail);
} else {
  showMenu();
}

function showMenu() {
  for (const [index, { article, name, title }] of examples.entries()) {
    const picture = Object.assign(document.createElement("img"), {
      src: `assets/stills/${name}.jpg`,
      alt: `The example ${title}`,
      loading: index === 0 ? "eager" : "lazy",
      width: 640,
      height: 360,
    });
    const links = document.createElement("p");
    links.append(
      Object.assign(document.createElement("a"), { href: `?example=${name}`, textContent: `Open ${title}`, className: "open" }),
      " · ",
      Object.assign(document.createElement("a"), { href: CODE + name, textContent: "its code" }),
    );
    article.prepend(picture);
    article.append(links);
  }
  if (chosen !== null) {
    element("wrong-example").textContent = `There is no example “${chosen.slice(0, 40)}”. Choose one of these:`;
    element("wrong-example").hidden = false;
  }
}

// Shows all that needs no program: what the example is, its picture, the keys as buttons.
function showStage() {
  const { name, title, about, toDo } = example;
  document.title = `tilepath: ${title}`;
  element("menu").hidden = true;
  for (const id of ["stage", "below"]) element(id).hidden = false;
  document.body.dataset.stage = name;
  element("loading-title").textContent = `tilepath: ${title}`;
  element("loading-about").textContent = `${about} ${toDo}`;
  element("hint").textContent = toDo;
  element("code").href = CODE + name;
  const canvas = element("window");
  canvas.setAttribute("aria-label", `${title}: ${about}`);
  canvas.textContent = `${about} ${toDo} The example is a picture without text for screen readers. Escape leaves it.`;
  if (example !== CHECK) element("still").src = `assets/stills/${name}.jpg`;
  letFingersBeAMouse(canvas);
  letKeysLeave(canvas, () => document.querySelector("nav [aria-current]") ?? element("home"));
  showKeys(element("keys"), canvas, name);
  // Another link in the same tab differs only after the `#`.
  window.addEventListener("hashchange", () => location.reload());
  // The program sets this when its first frame shows everything.
  new MutationObserver(() => element("loading")?.remove()).observe(document.body, {
    attributeFilter: ["data-first-frame"],
  });
  window.addEventListener("error", (event) => fail(event.error ?? event.message));
}

let attempts = 0;
let hasBegun = false;

async function run() {
  if (!document.createElement("canvas").getContext("webgl2")) {
    throw new Error("This browser has no WebGL 2, which draws the examples.");
  }
  // The picture comes before the program, which is a hundred times as large.
  await element("still").decode().catch(() => {});
  const again = attempts > 0 ? `?again=${attempts}` : "";
  const { default: start } = await import(`./tilepath_page.js${again}`).catch(() => {
    throw new NotLoaded("the start of the program did not come");
  });
  const program = await load(`tilepath_page_bg.wasm${again}`);
  say("The program is here. Now the browser compiles it.");
  const canvas = element("window");
  hasBegun = true;
  await start({ module_or_path: program });
  if (document.activeElement === document.body) canvas.focus();
}

function tryAgain() {
  if (hasBegun) {
    location.reload();
    return;
  }
  attempts += 1;
  element("remedies").hidden = true;
  element("progress").hidden = false;
  run().catch(fail);
}

class NotLoaded extends Error {}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

function say(text) {
  const line = element("progress-text");
  if (line && line.textContent !== text) line.textContent = text;
}

// Returns the program as a response whose progress the page shows.
async function load(file) {
  const size = (name) => Number(document.querySelector(`meta[name=${name}]`).content);
  const [total, sent] = [size("program-bytes"), size("program-sent-bytes")];
  const whole = `${megabytes(total)} MB, about ${megabytes(sent)} MB if the server compresses it`;
  say(`The program has ${whole}. It is on its way.`);
  const response = await fetch(file).catch(() => {
    throw new NotLoaded("the network does not answer");
  });
  if (!response.ok) throw new NotLoaded(`the server says ${response.status} ${response.statusText}`);
  let loaded = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      const part = Math.min(loaded / total, 1);
      element("progress").value = part;
      // In steps, so that a screen reader does not speak all the time.
      say(`The program has ${whole}. ${Math.floor(part * 20) * 5} % are here.`);
      controller.enqueue(chunk);
    },
  });
  const bytes = await new Response(response.body.pipeThrough(counted)).arrayBuffer().catch(() => {
    throw new NotLoaded(`the network broke off after ${megabytes(loaded)} MB`);
  });
  if (total > 0 && loaded !== total) throw new NotLoaded(`the network broke off after ${megabytes(loaded)} MB`);
  return new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
}

// Shows an error in place of the progress, and what to do. After the first frame only the console has it.
function fail(error) {
  console.error(error);
  if (!element("loading")) return;
  const text = String(error?.message ?? error);
  element("progress").hidden = true;
  element("remedies").hidden = false;
  const isLink = hasBegun && location.hash.length > 1;
  if (error instanceof NotLoaded) {
    say(`The program cannot be loaded: ${text}.`);
  } else if (isLink) {
    say(`This link is damaged: ${text.replace(/^(Error: )?path_lab: /, "")}.`);
    element("default-map").href = `?example=${example.name}`;
    element("default-map").hidden = false;
  } else {
    say(text);
  }
  element("again").hidden = isLink;
  // Whoever came by keyboard or screen reader is at what helps.
  const first = isLink ? element("default-map") : element("again");
  first.focus();
}
