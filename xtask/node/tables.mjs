// node tables.mjs [FOLDER]
//
// The compiled-in tables against their sources, which a person brings: FOLDER/PAGE/KEY, with any ending, or a folder of that name, is the
// source with that key on docs/PAGE.md. Fails on a row without a source that has a date, and on a difference.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), "utf8");
const domain = (name) => read(`crates/verify/src/domain/${name}.rs`);
export const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const ADDRESS = /0x[0-9a-fA-F]{40}/;
const hasDate = (text) => /\b20\d\d\b/.test(text);

/** A page's tables: rows of cells, below a heading or from the top. */
function cells(page, heading) {
  const text = read(`docs/${page}.md`);
  const from = heading ? text.indexOf(`# ${heading}\n`) : 0;
  if (from < 0) throw new Error(`docs/${page}.md has no heading ${heading}`);
  const section = text.slice(from).split(/\n#+ /)[0];
  return [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row.split(" | ").map((cell) => cell.replaceAll("`", "")));
}
/** The rows of a page with an address in this column, and with keys of sources in that one. */
const paged = (table, page, heading, column, from, name) =>
  cells(page, heading)
    .filter((row) => ADDRESS.test(row[column]))
    .map((row) => ({ table, page, name: name(row), address: row[column].match(ADDRESS)[0], keys: row[from].split(/[; ]+/).filter((word) => /^[A-Z]\d?$/.test(word)) }));

/** The operator's contracts of each pinned chain, by the code. */
export function contracts() {
  const code = domain("chain");
  const constant = (name) => code.match(new RegExp(`const ${name}: Address = address!\\("(\\w+)"\\)`))[1];
  const without = [...code.match(/let market_only = (.+);/)[1].matchAll(/chain_id == (\d+)/g)].map(([, id]) => Number(id));
  return [...code.matchAll(/^ {4}\((\d+), "[^"]+", address!\("(\w+)"\)\),$/gm)].flatMap(([, id, rfq]) => {
    const delta = without.includes(Number(id)) ? {} : { delta: constant("DELTA"), deltaWrappedNative: constant("WRAPPED_NATIVE") };
    return Object.entries({ ...delta, augustusV6_2: constant("ROUTER"), augustusRFQ: rfq }).map(([role, address]) => ({ chain: Number(id), role, address }));
  });
}

/** The tokens that are one asset, by the code: `{ symbol, tokens: [{ chain, address, decimals }] }`. */
export function assets() {
  const source = domain("asset");
  const constants = Object.fromEntries([...source.matchAll(/const (\w+): Address = address!\("(0x[0-9a-fA-F]{40})"\)/g)].map(([, name, at]) => [name, at]));
  return source.split("    Asset {").slice(1).map((row) => ({
    symbol: row.match(/symbol: "(\w+)"/)[1],
    tokens: [...row.matchAll(/\((\d+), (?:address!\("(0x[0-9a-fA-F]{40})"\)|(\w+)), (\d+)\)/g)].map(([, chain, literal, name, decimals]) => ({
      chain: Number(chain), address: literal ?? (name === "NATIVE" ? NATIVE : constants[name]), decimals: Number(decimals),
    })),
  }));
}

/** The delegates, by the code. */
export const delegates = () => [...domain("delegates").matchAll(/^ {4}\(address!\("(\w+)"\), "([^"]+)"\),$/gm)].map(([, address, name]) => ({ name, address }));

/** The day of each table, by the code. */
export const days = () => Object.fromEntries([...domain("tables").matchAll(/^ {4}\("(\w+)", "([\d-]+)"\),$/gm)].map(([, name, day]) => [name, day]));

/** All rows: `{ table, page, name, address, keys, chain?, role?, decimals? }`. Pages are held to the code by tests. */
export function rows() {
  const listed = Object.fromEntries(cells("tables", "Tables").slice(1).map(([table, , from]) => [table, from.split(" ")]));
  const services = cells("explain", "Contracts of other services").filter(([key]) => /^[A-Z]\d?$/.test(key));
  return [
    ...contracts().map((row) => ({ ...row, table: "contracts", page: "tables", name: `${row.role} on ${row.chain}`, keys: listed[`contracts: ${row.role}`] ?? [] })),
    ...assets().flatMap(({ symbol, tokens }) => tokens.filter(({ address }) => address !== NATIVE).map((token) => ({
      ...token, table: "assets", page: "tables", name: `${symbol} on ${token.chain}`, keys: listed[`assets: ${symbol}`] ?? listed.assets ?? [],
    }))),
    ...paged("factories", "references", "Pools", 1, 2, ([chain]) => `on ${chain}`),
    ...paged("feeds", "references", "Feeds", 2, 6, ([chain, asset]) => `${asset} on ${chain}`),
    ...paged("spenders", "spenders", "The operator's old contracts", 2, 3, ([chains, name]) => `${name} on ${chains}`),
    ...paged("delegates", "wallets", "Delegates", 1, 2, ([name]) => name),
    ...paged("services", "explain", "Contracts of other services", 2, 0, ([name, chains]) => `${name} on ${chains}`).map((row) => ({
      ...row, keys: services.filter((one) => one[3].split(", ").some((word) => row.name.split(" on ")[0].includes(word))).map(([key]) => key),
    })),
  ];
}

/** The sources of a page: key to `{ source, date }`. */
const sourcesOf = (page) =>
  new Map(read(`docs/${page}.md`).split("\n").filter((line) => /^\| [A-Z]\d? \|/.test(line)).map((line) => {
    const [key, source, date] = line.slice(2, -2).split(" | ");
    return [key, { source, date }];
  }));

/** The faults of the rows themselves, a sentence each. */
export function unsourced(all = rows()) {
  const pages = new Map([...new Set(all.map(({ page }) => page))].map((page) => [page, sourcesOf(page)]));
  const dated = ({ page, keys }) => keys.some((key) => hasDate(pages.get(page).get(key)?.date ?? ""));
  const unknown = ({ page, keys }) => keys.filter((key) => !pages.get(page).has(key));
  return all.flatMap((row) => [
    ...unknown(row).map((key) => `${row.table}: ${row.name}: docs/${row.page}.md has no source ${key}`),
    ...(dated(row) ? [] : [`${row.table}: ${row.name} ${row.address} has no source with a date`]),
  ]);
}

/** The differences between rows and a source that was brought, a sentence each. */
export function differences(all, text) {
  const same = (one, other) => one.toLowerCase() === other?.toLowerCase();
  let json;
  try { json = JSON.parse(text); } catch { json = null; }
  // The operator's list: both ways.
  if (json?.chains?.["1"]?.augustusV6_2) {
    const roles = ["delta", "deltaWrappedNative", "augustusV6_2", "augustusRFQ"];
    const there = Object.entries(json.chains).flatMap(([id, chain]) => roles.filter((role) => ADDRESS.test(chain[role] ?? "")).map((role) => ({ name: `${role} on ${id}`, address: chain[role] })));
    const wrong = all.map(({ name, address }) => [name, address, there.find((other) => other.name === name)?.address ?? "not there"]);
    const more = there.filter(({ name }) => !contracts().some(({ role, chain }) => name === `${role} on ${chain}`));
    return [
      ...wrong.filter(([, address, other]) => !same(address, other)).map(([name, address, other]) => `${name}: ${address} here, ${other} in the source`),
      ...more.map(({ name, address }) => `${name}: nothing here, ${address} in the source`),
    ];
  }
  // A token list (https://uniswap.org/tokenlist.schema.json), with decimals.
  if (Array.isArray(json?.tokens)) {
    const listed = ({ chain, address }) => json.tokens.find((token) => token.chainId === chain && same(token.address, address))?.decimals ?? "not there";
    return all.filter((row) => listed(row) !== row.decimals).map((row) => `${row.name} ${row.address}: ${row.decimals} decimals here, ${listed(row)} in the source`);
  }
  // Any other file: whether the address stands in it, also written byte by byte.
  const digits = text.toLowerCase().replace(/0x|[\s,]/g, "");
  return all.filter(({ address }) => !digits.includes(address.slice(2).toLowerCase())).map(({ name, address }) => `${name}: ${address} is not in the source`);
}

/** The text of a file, or of all files in a folder. */
const textOf = (path) => (statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((name) => join(path, name)).filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "utf8")).join("\n") : readFileSync(path, "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  const every = rows();
  let failed = unsourced(every);
  for (const [table, day] of Object.entries(days())) console.log(`${table}: ${every.filter((row) => row.table === table).length} rows, compared on ${day}`);
  if (folder && !existsSync(folder)) failed.push(`${folder} is not there`);
  for (const page of folder && existsSync(folder) ? [...new Set(every.map(({ page }) => page))] : []) {
    for (const [key, { source }] of sourcesOf(page)) {
      const mine = every.filter((row) => row.page === page && row.keys.includes(key));
      const brought = existsSync(join(folder, page)) ? readdirSync(join(folder, page)).find((name) => basename(name).split(".")[0] === key) : undefined;
      if (!brought) console.log(`not brought: ${page}/${key} (${source})`);
      else {
        const found = differences(mine, textOf(join(folder, page, brought)));
        console.log(`compared: ${page}/${key}, ${mine.length} rows, ${found.length} differences`);
        failed = failed.concat(found.map((what) => `${page}/${key}: ${what}`));
      }
    }
  }
  for (const what of failed) console.error(what);
  if (failed.length) process.exit(1);
}
