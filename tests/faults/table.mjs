/** The matrix: its cells, how they are run, and how docs/faults.md shows them. */
import { readFile, writeFile } from "node:fs/promises";
import { run } from "./cells.mjs";
import { FLOWS } from "./flows.mjs";
import { WALLET_KINDS, isKindOf, isOfWallet } from "./wallet.mjs";

const FILE = new URL("../../docs/faults.md", import.meta.url);
/** Cells that run side by side; most of them wait. */
const WIDTH = 24;
const TIMES = { once: 1, always: -1 };

/** Every cell as `{ name, flow, kind, often, times }`. */
export async function cells(world) {
  const kinds = [...(await world.sandbox.control("GET", "fault")).map(({ kind }) => kind), ...WALLET_KINDS];
  return FLOWS.flatMap((flow) =>
    kinds.filter((kind) => isOf(kind, flow)).flatMap((kind) =>
      Object.entries(TIMES).map(([often, times]) => ({ name: nameOf(titleOf(flow), kind, often), flow, kind, often, times })),
    ),
  );
}

/** Wallets fail in other ways, and an error of JSON-RPC is a node's. */
const isOf = (kind, { endpoint }) =>
  isOfWallet(endpoint) ? isKindOf(kind, endpoint) : !WALLET_KINDS.includes(kind) && (kind !== "429 JSON-RPC" || endpoint.startsWith("eth_"));

const titleOf = ({ endpoint, call, of, beside, leaves }) =>
  `\`${call}\`${of ? ` of ${of}` : ""} at \`${endpoint}\`${beside && leaves ? `, \`${beside.endpoint}\` reset after accept` : ""}`;
const nameOf = (title, kind, often) => `${title}: ${kind}, ${often}`;

/**
 * Runs cells; each outcome, by its name. One that failed, or had another than expected, is run once more by
 * itself: beside others, on a machine that does not keep up, the package's times run out too early.
 */
export async function ran(world, cells, expected, width = WIDTH) {
  const said = new Map();
  let tenants = 0;
  const attempt = async (cell) => {
    said.set(cell.name, await run(world, `cell${tenants++}`, cell).catch((error) => `fails: ${error.message}`));
  };
  const queue = cells.values();
  const work = async () => {
    for (const cell of queue) await attempt(cell);
  };
  await Promise.all(Array.from({ length: width }, work));
  for (const cell of cells) {
    const heard = said.get(cell.name);
    if (heard.startsWith("fails") || heard !== (expected.get(cell.name) ?? heard)) await attempt(cell);
  }
  return said;
}

/** The published outcomes, by cell. */
export async function published() {
  const said = new Map();
  for (const part of (await readFile(FILE, "utf8")).split("\n### ").slice(1)) {
    const [title, ...lines] = part.split("\n");
    const [alike] = lines.filter((line) => line.startsWith("The same: "));
    const titles = [title, ...(alike?.slice("The same: ".length, -1).split("; ") ?? [])];
    for (const line of lines.filter((line) => line.startsWith("| ")).slice(1)) {
      const [kinds, ...outcomes] = line.slice(2, -2).split(" | ");
      for (const kind of kinds.split(", ")) {
        Object.keys(TIMES).forEach((often, index) => titles.forEach((title) => said.set(nameOf(title, kind, often), outcomes[index])));
      }
    }
  }
  return said;
}

/** The cells with another outcome than expected. */
export function differences(said, expected) {
  const different = [...said].filter(([name, heard]) => expected.get(name) !== heard);
  return different.map(([name, heard]) => `${name}: ${heard}, not ${expected.get(name)}`);
}

/** Writes the tables behind what is written by hand: one for all flows with the same outcomes. */
export async function publish(cells, said) {
  const tables = new Map();
  for (const flow of FLOWS) {
    const rows = new Map();
    for (const kind of new Set(cells.map(({ kind }) => kind))) {
      if (!isOf(kind, flow)) continue;
      const row = Object.keys(TIMES).map((often) => said.get(nameOf(titleOf(flow), kind, often))).join(" | ");
      rows.set(row, [...(rows.get(row) ?? []), kind]);
    }
    const lines = [...rows].map(([row, kinds]) => `| ${kinds.join(", ")} | ${row} |`);
    const table = ["| fault | once | always |", "|---|---|---|", ...lines].join("\n");
    tables.set(table, [...(tables.get(table) ?? []), titleOf(flow)]);
  }
  const sections = [...tables].map(([table, [title, ...alike]]) =>
    [`### ${title}`, ...(alike.length ? [`The same: ${alike.join("; ")}.`] : []), table].join("\n\n"),
  );
  const [hand] = (await readFile(FILE, "utf8")).split("\n### ");
  await writeFile(FILE, [hand.trimEnd(), ...sections].join("\n\n") + "\n");
}
