// The bill of materials of the package, in the form of CycloneDX 1.6 (https://cyclonedx.org): the same bytes of the same
// sources, so that it has no date, and its serial number is made of its content. It lies in the tarball, whose hash it
// cannot have: it has those of the modules.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `manifest` is the package's own, then what it carries, and the modules in it, as `[name, bytes]`. */
export function sbom(root, { name, version, license }, { crates, nodes, standard, scripts }, modules) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const files = modules.map(([name, bytes]) => ({ type: "file", name, ...hash("SHA-256", sha256(bytes)) }));
  const own = { ...component({ name, version, license }, `pkg:npm/${name}@${version}`), components: files };
  const checksums = new Map([...read("Cargo.lock").matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource.*\nchecksum = "(.+)"/gm)].map(([, name, version, sum]) => [`${name}@${version}`, sum]));
  const refs = new Map(crates.map((one) => [one.id, `pkg:cargo/${one.name}@${one.version}`]));
  const isOfUse = ({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null);
  const needs = (id) => nodes.find((node) => node.id === id).deps.filter(isOfUse).map(({ pkg }) => refs.get(pkg)).filter(Boolean).sort();
  const cargo = crates.map((one) => ({ ...component(one, refs.get(one.id)), ...hash("SHA-256", checksums.get(`${one.name}@${one.version}`)) }));
  const rust = { ...standard, version: /^channel = "(.+)"$/m.exec(read("rust-toolchain.toml"))[1] };
  const { packages } = JSON.parse(read("package-lock.json"));
  const digest = (script) => Buffer.from(packages[`node_modules/${script.name}`].integrity.replace("sha512-", ""), "base64").toString("hex");
  const others = [
    component(rust, `pkg:generic/rust-std@${rust.version}`),
    ...scripts.map((script) => ({ ...component(script, `pkg:npm/${script.name}@${script.version}`), ...hash("SHA-512", digest(script)) })),
  ];
  const isOwn = ({ id }) => /[/#]verified-swap(-verify|-wasm|-verify-wasm)?[@#][^/]*$/.test(id);
  const direct = [...new Set(nodes.filter(isOwn).flatMap(({ id }) => needs(id)))].sort();
  const content = {
    version: 1,
    metadata: { component: own },
    components: [...cargo, ...others],
    dependencies: [
      { ref: own["bom-ref"], dependsOn: [...direct, ...others.map((other) => other["bom-ref"])] },
      ...crates.map(({ id }) => ({ ref: refs.get(id), dependsOn: needs(id) })),
    ],
  };
  const $schema = "http://cyclonedx.org/schema/bom-1.6.schema.json";
  return { $schema, bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialOf(JSON.stringify(content)), ...content };
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hash = (alg, content) => ({ hashes: [{ alg, content }] });

/** A UUID of the kind for hashes other than SHA-1 (RFC 9562, 5.8: version 8). */
function serialOf(text) {
  const [a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(text)).slice(1);
  return `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
}

/** One licence goes by its id, several by an SPDX expression. Old crates write their two with a slash. */
function component({ name, version, license }, purl) {
  const expression = license.replaceAll("/", " OR ");
  const licenses = [/\s/.test(expression) ? { expression } : { license: { id: expression } }];
  return { type: "library", "bom-ref": purl, name, version, licenses, purl };
}
