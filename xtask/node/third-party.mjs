// The authors whose work the package carries, and its terms: those licences want to be passed on with it.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The module: its crate, and the target it is compiled for. Crates that only run while it is compiled are not in it. */
const MODULE = { name: "verified-swap", target: "wasm32-unknown-unknown" };
const SHAPE = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];

/** The texts of licences: of those to choose from the shorter one, then the only one. */
const TEXTS = [/^LICEN[CS]E-MIT/i, /^LICEN[CS]E(\.\w+)?$/i];

/** The library that no crate stands for. */
const STANDARD = { name: "Rust's standard library", license: "MIT OR Apache-2.0", authors: ["The Rust Project Contributors"] };

/** The work that is carried: the crates that are compiled in, Rust's library, and `libraries`, folders of npm packages. */
export function carried(root, libraries) {
  const paths = libraries.map((library) => join(library, "package.json"));
  const scripts = paths.map((manifest_path) => ({ ...JSON.parse(readFileSync(manifest_path, "utf8")), manifest_path }));
  return { ...crates(root, MODULE), standard: STANDARD, scripts };
}

/** The same of the sandbox's program for this target. */
export const carriedBySandbox = (root, target) => ({ ...crates(root, { name: "sandbox", target }), standard: STANDARD, scripts: [] });

/** The notices of all that is carried; those of one text share it. Throws where there is none to be had. */
export function notices(root, { crates, standard, scripts }) {
  const permission = readFileSync(join(root, "LICENSE-MIT"), "utf8").replace(/^[^]*?(?=Permission is hereby granted)/, "");
  const sharing = new Map();
  for (const one of [...crates, standard, ...scripts]) {
    const text = (textOf(one) ?? mit(one, permission)).trim();
    sharing.set(text, [...(sharing.get(text) ?? []), [one.name, one.version, `(${one.license})`].filter(Boolean).join(" ")]);
  }
  const sections = [...sharing].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return ["The package carries the work of others.\n", ...sections].join(`\n${"=".repeat(80)}\n\n`);
}

/** Crates as cargo describes them, without those of this workspace, and what each of all needs: `{ crates, nodes }`. */
function crates(root, { name, target }) {
  const cargo = (...words) => execFileSync("cargo", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  const compiled = new Set(cargo("tree", "--locked", "--package", name, "--target", target, ...SHAPE).split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages, resolve } = JSON.parse(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target));
  const crates = packages.filter(({ name, version, source }) => source !== null && compiled.has(`${name} v${version}`));
  return { crates, nodes: resolve.nodes };
}

function textOf({ name, license, manifest_path }) {
  if (manifest_path === undefined) return undefined;
  const folder = dirname(manifest_path);
  const files = readdirSync(folder);
  const read = (file) => file && readFileSync(join(folder, file), "utf8").replace(/\r\n/g, "\n");
  const chosen = read(TEXTS.map((pattern) => files.find((name) => pattern.test(name))).find(Boolean));
  // A licence behind AND is that of other parts of it, and is passed on, too: under its own name, or that of the part.
  const others = license.split(" AND ").slice(1).map((id) => {
    const named = new RegExp(`^LICEN[CS]E(-${id.split("-")[0]}|\\.(?!md$|txt$)\\w+)$`, "i");
    const text = read(files.find((name) => named.test(name)));
    if (!text) throw new Error(`${name} comes without the text of ${id}`);
    return text;
  });
  return chosen && [chosen, ...others].join("\n\n");
}

/** A crate's authors where its licence is not among its files. */
function mit({ name, license, authors, repository }, permission) {
  if (!/\bMIT\b/.test(license)) throw new Error(`${name} (${license}) comes without the text of its licence`);
  const holders = authors?.length ? authors.join(", ") : `the contributors of ${repository}`;
  return `Copyright (c) ${holders.replace(/ <[^>]*>/g, "")}\n\n${permission}`;
}
