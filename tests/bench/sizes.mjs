/** Download sizes of this package and of what a user would install instead, from bundles built in the same run. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bundled, wasmFile } from "./bundles.mjs";

/** Rows of `{ what, raw, gzip, brotli }` in bytes; `role` says how a row is compared. */
export async function measureSizes() {
  const wasm = await wasmFile();
  const glue = Buffer.from(await bundled("bundles/ours.js"));
  const simple = await bundled("bundles/velora-simple.js");
  const ours = sum("verified-swap: module and glue", [sizeOf("", wasm.bytes), sizeOf("", glue)]);
  return [
    { ...sizeOf("verified-swap: WebAssembly module", wasm.bytes), role: "part" },
    { ...sizeOf("verified-swap: bundled glue (default entry)", glue), role: "part" },
    { ...ours, role: "ours" },
    { ...sizeOf("Velora SDK, simple + viem (whole gasless flow)", simple), role: "peer" },
    { ...sizeOf("Velora SDK, partial + picked viem actions (same flow)", await bundled("bundles/velora-partial.js")), role: "peer" },
    { ...sizeOf("Velora SDK, simple, alone: the app ships viem anyway", await bundled("bundles/velora-simple.js", { external: ["viem"] })), role: "peer" },
    { ...sizeOf("Velora SDK, partial, alone: the app ships viem anyway", await bundled("bundles/velora-partial.js", { external: ["viem"] })), role: "peer" },
    { ...sizeOf("viem, only the functions this package replaces", await bundled("bundles/viem-functions.js")), role: "peer" },
  ];
}

function sizeOf(what, content) {
  const bytes = Buffer.from(content);
  return { what, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes) };
}

function brotli(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}

function sum(what, parts) {
  const total = (key) => parts.reduce((so_far, part) => so_far + part[key], 0);
  return { what, raw: total("raw"), gzip: total("gzip"), brotli: total("brotli") };
}
