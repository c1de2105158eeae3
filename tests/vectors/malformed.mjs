/** Values that a service or an application may have put where something else belongs. */
import assert from "node:assert/strict";

const JUNK = [
  undefined, null, "", "x", "1.5", "-1", "0x", "0x1", " 1", "9".repeat(100_000), 0, 1.5, -1, NaN, Infinity, 2 ** 60, 1n, -1n, true, [], [null], [1], [{}], {},
  { toString: null }, Object.create(null), () => 1, Symbol("x"), "\u0000", "__proto__",
];

/** Every object that differs from this one in one member, or is none: `[path, changed]`. */
export function* changes(value, path = []) {
  for (const junk of JUNK) yield [path, junk];
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    for (const [at, changed] of changes(value[name], [...path, name])) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[name] = changed;
      yield [at, copy];
    }
  }
}

/** Calls it; what it throws must be a TradeError that names a member along that path, or the argument. */
export function refusedOrAnswered(call, path) {
  try {
    return call();
  } catch (error) {
    const where = ["order", ...path].join(".");
    assert.deepEqual([error.name, error.code, error.action], ["TradeError", "INVALID_INPUT", "none"], `${where}: ${error.stack}`);
    assert.ok(error.field && (where.startsWith(error.field) || error.field.startsWith(where)), `${where}: ${error.field}`);
    assert.ok(error.expected && error.actual && error.message.includes(error.expected), `${where}: ${error.message}`);
    return null;
  }
}
