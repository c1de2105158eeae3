/** The pages of the benchmark, as a host of static files serves them: brotli, and files that never change. */
import { createServer } from "node:http";
import { extname } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { bundled, wasmParts } from "../bundles.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html; charset=utf-8" };
const FOREVER = "public, max-age=31536000, immutable";

/** `{ origin, close }` of a server with `/ours.html`, `/preload.html`, `/plain.html` and `/peer.html`. */
export async function openSite() {
  const parts = await wasmParts();
  const preload = `<link rel="preload" href="/${parts[0].name}" as="fetch" type="application/wasm" crossorigin>`;
  const files = {
    "/ours.js": await bundled("cold/ours.mjs"),
    "/plain.js": await bundled("cold/plain.mjs"),
    "/peer.js": await bundled("cold/peer.mjs"),
    ...Object.fromEntries(parts.map(({ name, bytes }) => [`/${name}`, bytes])),
    "/ours.html": page("ours"),
    "/preload.html": page("ours", preload),
    "/plain.html": page("plain"),
    "/peer.html": page("peer"),
  };
  const packed = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, brotli(Buffer.from(content))]));
  const server = createServer(({ url }, response) => {
    if (!packed[url]) return response.writeHead(404).end();
    const caching = url.endsWith(".html") ? "no-cache" : FOREVER;
    const headers = { "content-type": TYPES[extname(url)], "content-encoding": "br", "cache-control": caching };
    response.writeHead(200, { ...headers, "content-length": packed[url].length }).end(packed[url]);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

function page(app, more = "") {
  return `<!doctype html><title>cold</title>${more}<script type="module" src="/${app}.js"></script><p id="price">`;
}

function brotli(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}
