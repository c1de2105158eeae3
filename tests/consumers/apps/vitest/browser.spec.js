import { inject, test } from "vitest";
import { commands } from "vitest/browser";
import { createClient } from "verified-swap";
import { swap } from "./swap.js";

test("a trade", async () => {
  const result = await swap(createClient, JSON.parse(inject("settings")));
  await commands.writeFile("result.json", JSON.stringify(result));
}, 60_000);
