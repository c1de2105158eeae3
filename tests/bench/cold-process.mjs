/** One cold start in a process of its own: `node cold-process.mjs ASSETS JOB`; prints milliseconds. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { timeEvaluation, timeFirstSwap, timeModule } from "./cold-start.mjs";

const [assets, jobText] = process.argv.slice(2);
const { kind, bundle, wasm, recording } = JSON.parse(jobText);
const load = () => import(pathToFileURL(join(assets, bundle)).href);
const bytes = wasm && (await readFile(join(assets, wasm)));

let ms;
if (kind === "evaluate") ms = await timeEvaluation(load);
else if (kind === "module") ms = await timeModule(load, bytes);
else ms = await timeFirstSwap(load, bytes, JSON.parse(await readFile(join(assets, recording), "utf8")));
process.stdout.write(String(ms));
