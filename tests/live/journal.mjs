/** The client's journal in one file, replaced as a whole. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export function fileStorage(path) {
  const texts = new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []);
  const write = () => {
    writeFileSync(`${path}.new`, JSON.stringify([...texts]), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  };
  return {
    get: (name) => texts.get(name),
    set: (name, text) => (texts.set(name, text), write()),
    delete: (name) => (texts.delete(name), write()),
    keys: () => [...texts.keys()],
  };
}
