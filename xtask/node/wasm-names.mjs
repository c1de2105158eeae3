// The names by which a WebAssembly module imports and exports, and others in their place.
// Binary format: WebAssembly core specification 5.5.5 (imports) and 5.5.10 (exports).
import { Reader, sections } from "./wasm-functions.mjs";

const IMPORT = 2;
const EXPORT = 7;

/** The module with other names: `import` makes `[module, name]` of both, `export` a name of a name. */
export function withNames(module, renaming) {
  const out = [module.subarray(0, 8)];
  for (const { id, reader, start } of sections(module)) {
    const content =
      id === IMPORT ? imports(reader, renaming.import) : id === EXPORT ? exports(reader, renaming.export) : undefined;
    if (content) out.push(Buffer.of(id), u32(content.length), content);
    else out.push(module.subarray(start, reader.end));
  }
  return Buffer.concat(out);
}

function imports(reader, rename) {
  const count = reader.u32();
  const out = [u32(count)];
  for (let left = count; left > 0; left--) {
    out.push(...rename(reader.name(), reader.name()).map(named));
    const start = reader.position;
    reader.importDescription();
    out.push(reader.since(start));
  }
  return whole(reader, out);
}

function exports(reader, rename) {
  const count = reader.u32();
  const out = [u32(count)];
  for (let left = count; left > 0; left--) {
    out.push(named(rename(reader.name())));
    const start = reader.position;
    reader.byte();
    reader.u32();
    out.push(reader.since(start));
  }
  return whole(reader, out);
}

/** Anything misread would show here. */
function whole(reader, out) {
  if (reader.position !== reader.end) throw new Error("a section does not end where its items do");
  return Buffer.concat(out);
}

/** A name as a module has it. */
export function named(text) {
  return Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** LEB128. */
export function u32(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}
