// Sizes of the functions in a WebAssembly module, with their names.
// Binary format: WebAssembly core specification 5 (sections) and appendix "Name Section".

const IMPORT = 2;
const CODE = 10;
const CUSTOM = 0;
/** The kind of an import that is a function. */
const FUNCTION = 0;
const FUNCTION_NAMES = 1;

/** `[{ name, bytes }]` of every function that is not imported, in the module's order. */
export function functionSizes(module) {
  const bodies = [];
  let imported = 0;
  let names = new Map();
  for (const { id, reader } of sections(module)) {
    if (id === IMPORT) imported = countImportedFunctions(reader);
    if (id === CODE) {
      for (let left = reader.u32(); left > 0; left--) {
        const bytes = reader.u32();
        bodies.push(bytes);
        reader.skip(bytes);
      }
      // Anything misread before would show here.
      if (reader.position !== reader.end) throw new Error("the code section does not end where its functions do");
    }
    if (id === CUSTOM && reader.name() === "name") names = functionNames(reader);
  }
  return bodies.map((bytes, index) => ({ name: names.get(imported + index) ?? `function ${imported + index}`, bytes }));
}

/** Each section: `start` is where its header is, `reader` at what follows that. */
export function* sections(module) {
  const reader = new Reader(module, 8, module.length);
  while (!reader.ended()) {
    const start = reader.position;
    const id = reader.byte();
    const length = reader.u32();
    yield { id, start, reader: new Reader(module, reader.position, reader.position + length) };
    reader.skip(length);
  }
}

function countImportedFunctions(reader) {
  let functions = 0;
  for (let left = reader.u32(); left > 0; left--) {
    reader.name();
    reader.name();
    if (reader.importDescription() === FUNCTION) functions++;
  }
  return functions;
}

function functionNames(reader) {
  const names = new Map();
  while (!reader.ended()) {
    const id = reader.byte();
    const length = reader.u32();
    if (id !== FUNCTION_NAMES) {
      reader.skip(length);
      continue;
    }
    for (let left = reader.u32(); left > 0; left--) names.set(reader.u32(), reader.name());
  }
  return names;
}

export class Reader {
  constructor(bytes, position, end) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  ended() {
    return this.position >= this.end;
  }

  byte() {
    return this.bytes[this.position++];
  }

  /** LEB128. */
  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  name() {
    const length = this.u32();
    this.skip(length);
    return Buffer.from(this.bytes.subarray(this.position - length, this.position)).toString("utf8");
  }

  /** Reads the description of an import; returns its kind. */
  importDescription() {
    const kind = this.byte();
    if (kind === FUNCTION) {
      this.u32();
    } else if (kind === 1) {
      this.byte();
      this.limits();
    } else if (kind === 2) {
      this.limits();
    } else if (kind === 3) {
      this.skip(2);
    } else {
      this.byte();
      this.u32();
    }
    return kind;
  }

  /** The bytes that were read since that position. */
  since(start) {
    return this.bytes.subarray(start, this.position);
  }

  limits() {
    const flags = this.u32();
    this.u32();
    if (flags & 1) this.u32();
  }

  skip(bytes) {
    this.position += bytes;
  }
}
