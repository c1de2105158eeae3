import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../../www-example/src", import.meta.url));

/** The package's exports that ask neither service nor wallet. */
const PURE = /^(?:type .*|[A-Z_]+|formatUnits|parseUnits|parseAddress|isAddress|normalizeToken|minReceived|maxSpent|isNoWorse|carriesOver|twapSchedule|isTerminal|isTradeError|summarizeOrder|rawQuote|hashTypedData)$/;

test("only the client's folder calls the package: what is seen uses its pure functions and types", async () => {
  const entries = await readdir(SOURCE, { recursive: true });
  const seen = entries.filter((file) => /^(view|state|messages)\/.*\.tsx?$/.test(file));
  assert.ok(seen.length > 30);
  for (const file of seen) {
    const text = await readFile(join(SOURCE, file), "utf8");
    for (const [, isType, names] of text.matchAll(/^import (type )?\{([^}]*)\} from "verified-swap[^"]*"/gm)) {
      const values = isType ? [] : names.split(",").map((name) => name.trim()).filter(Boolean);
      assert.deepEqual(values.filter((name) => !PURE.test(name)), [], `${file} only computes`);
    }
    for (const [, isType, names] of text.matchAll(/^import (type )?\{([^}]*)\} from "[./]+client\/[^"]*"/gm))
      assert.ok(isType || !/\b(create|start)[A-Z]/.test(names), `${file} makes no part of the client`);
  }
});
