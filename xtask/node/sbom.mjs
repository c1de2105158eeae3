// What the package consists of, in the form of CycloneDX 1.6 (https://cyclonedx.org): the same bytes of the same sources, so
// that it has no date and no serial number.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `manifest` is the package's own, the rest what it carries. */
export function sbom(root, { name, version, license }, { crates, nodes, standard, script }) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const own = component({ name, version, license }, `pkg:npm/${name}@${version}`);
  const checksums = new Map([...read("Cargo.lock").matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource.*\nchecksum = "(.+)"/gm)].map(([, name, version, sum]) => [`${name}@${version}`, sum]));
  const refs = new Map(crates.map((one) => [one.id, `pkg:cargo/${one.name}@${one.version}`]));
  const isOfUse = ({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null);
  const needs = (id) => nodes.find((node) => node.id === id).deps.filter(isOfUse).map(({ pkg }) => refs.get(pkg)).filter(Boolean).sort();
  const hash = (alg, content) => ({ hashes: [{ alg, content }] });
  const cargo = crates.map((one) => ({ ...component(one, refs.get(one.id)), ...hash("SHA-256", checksums.get(`${one.name}@${one.version}`)) }));
  const rust = { ...standard, version: /^channel = "(.+)"$/m.exec(read("rust-toolchain.toml"))[1] };
  const { integrity } = JSON.parse(read("package-lock.json")).packages[`node_modules/${script.name}`];
  const others = [
    component(rust, `pkg:generic/rust-std@${rust.version}`),
    { ...component(script, `pkg:npm/${script.name}@${script.version}`), ...hash("SHA-512", Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex")) },
  ];
  const isOwn = ({ id }) => /[/#]verified-swap(-verify|-wasm|-verify-wasm)?[@#][^/]*$/.test(id);
  const direct = [...new Set(nodes.filter(isOwn).flatMap(({ id }) => needs(id)))].sort();
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components: [...cargo, ...others],
    dependencies: [
      { ref: own["bom-ref"], dependsOn: [...direct, ...others.map((other) => other["bom-ref"])] },
      ...crates.map(({ id }) => ({ ref: refs.get(id), dependsOn: needs(id) })),
    ],
  };
}

/** Old crates write their two licences with a slash. */
function component({ name, version, license }, purl) {
  return { type: "library", "bom-ref": purl, name, version, licenses: [{ expression: license.replaceAll("/", " OR ") }], purl };
}
