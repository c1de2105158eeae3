/** Download sizes of this package and of what a user would install instead, from bundles built in the same run. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bundled, wasmParts } from "./bundles.mjs";

/** Rows of `{ what, raw, gzip, brotli }` in bytes; `role` says how a row is compared: ours and its parts, or see `PEERS`. */
export async function measureSizes() {
  const [first, trade, rest] = (await wasmParts()).map(({ bytes }) => bytes);
  const glue = Buffer.from(await bundled("bundles/ours.js"));
  const ours = sum("verified-swap: module and glue, all paths", [first, trade, rest, glue].map((part) => sizeOf("", part)));
  const rows = [
    { ...sizeOf("verified-swap: WebAssembly module, what a first price needs", first), role: "part" },
    { ...sizeOf("verified-swap: WebAssembly module, what a gasless trade needs", trade), role: "part" },
    { ...sizeOf("verified-swap: WebAssembly module, the rest", rest), role: "part" },
    { ...sizeOf("verified-swap: bundled glue (default entry)", glue), role: "part" },
    { ...ours, role: "ours" },
  ];
  for (const { what, entry, role, external } of PEERS) rows.push({ ...sizeOf(what, await bundled(entry, { external })), role });
  return rows;
}

/** `whole`: all an application needs. `alone`: what comes on top of a viem it ships anyway. `narrow`: less. */
const PEERS = [
  { what: "Velora SDK simple + viem (all paths)", entry: "bundles/velora-all.js", role: "whole" },
  { what: "Velora SDK partial + picked viem actions (all paths)", entry: "bundles/velora-partial-all.js", role: "whole" },
  { what: "Velora SDK simple + viem (gasless swaps only)", entry: "bundles/velora-simple.js", role: "narrow" },
  { what: "Velora SDK partial + picked viem actions (gasless swaps only)", entry: "bundles/velora-partial.js", role: "narrow" },
  { what: "Velora SDK simple alone (all paths): the app ships viem anyway", entry: "bundles/velora-all.js", role: "alone", external: ["viem"] },
  { what: "Velora SDK partial alone (all paths): the app ships viem anyway", entry: "bundles/velora-partial-all.js", role: "alone", external: ["viem"] },
  { what: "Velora SDK partial alone (gasless swaps only): the app ships viem anyway", entry: "bundles/velora-partial.js", role: "narrow", external: ["viem"] },
  { what: "viem, only the functions this package replaces", entry: "bundles/viem-functions.js", role: "narrow" },
];

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
