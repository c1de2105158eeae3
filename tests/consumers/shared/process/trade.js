import { writeFileSync } from "node:fs";
import { env } from "node:process";
import { swap } from "./swap.js";

/** A trade with the test's settings, and its result where the test looks for it. */
export async function trade(createClient) {
  writeFileSync(env.RESULT, JSON.stringify(await swap(createClient, JSON.parse(env.SETTINGS))));
}
