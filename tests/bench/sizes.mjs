/** Download sizes of this package and of what a user would install instead, from bundles built in the same run. */
import { brotliCompressSync, constants } from "node:zlib";
import { bundled, wasmParts } from "./bundles.mjs";

/** Rows of `{ what, brotli }`, of all paths, in bytes; `role` is how a row is compared: ours, or see `PEERS`. */
export async function measureSizes() {
  const parts = [...(await wasmParts()).map(({ bytes }) => bytes), await bundled("bundles/ours.js")];
  const ours = parts.map(brotli).reduce((all, part) => all + part, 0);
  const rows = [{ what: "verified-swap: module and glue", brotli: ours, role: "ours" }];
  for (const { what, entry, role, external } of PEERS) rows.push({ what, brotli: brotli(await bundled(entry, { external })), role });
  return rows;
}

/** `whole`: all an application needs. `alone`: what comes on top of a viem it ships anyway. */
const PEERS = [
  { what: "Velora SDK simple + viem", entry: "bundles/velora-all.js", role: "whole" },
  { what: "Velora SDK partial + picked viem actions", entry: "bundles/velora-partial-all.js", role: "whole" },
  { what: "Velora SDK simple alone: the app ships viem anyway", entry: "bundles/velora-all.js", role: "alone", external: ["viem"] },
  { what: "Velora SDK partial alone: the app ships viem anyway", entry: "bundles/velora-partial-all.js", role: "alone", external: ["viem"] },
];

function brotli(content) {
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}
