// Serves the finished page: `node page/test/server.mjs` prints its address.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../target/page/", import.meta.url));
const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".png": "image/png",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};

/** Serves the page on a free port, or on the given one. Returns the server and the address. */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://page");
    const file = join(PAGE, normalize(decodeURIComponent(pathname)), pathname.endsWith("/") ? "index.html" : "");
    const found = file.startsWith(PAGE) && (await stat(file).catch(() => null));
    if (!found || !found.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, "Content-Length": found.size });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(Number(process.argv[2] ?? 8000));
  console.log(address);
}
