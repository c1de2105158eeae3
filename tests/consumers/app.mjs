/** An app of `apps/` with the packed tarball in it, as a stranger would have it, and what can be done with it. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { ROOT, locate } from "../package/locations.mjs";
import { resultOf, serve } from "../package/page.mjs";
import { assertSwapped, fundedTrade } from "../package/trade.mjs";

const execute = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Work that takes longer hangs. */
const LIMIT_MS = 240_000;

export class App {
  #world;
  #environment;

  constructor(folder, world) {
    this.folder = folder;
    this.#world = world;
    this.#environment = environment(folder);
  }

  /** Installs what `apps/NAME` needs. `world`: a sandbox, a browser and the number of the account that trades. */
  static async install({ app, shares = [], folder = app }, world) {
    return new App(await installed(app, shares, folder), world);
  }

  /** Where the service of the sandbox is. */
  get service() {
    return this.#world.sandbox.url;
  }

  /** The version of a package as installed, of Chromium, or of the app's Node. */
  async version(of) {
    if (of === "chromium") return this.#world.browser.version();
    if (of === "node") return (await this.run("node --version")).trim().slice(1);
    return JSON.parse(readFileSync(join(this.folder, "node_modules", of, "package.json"))).version;
  }

  /** Runs a program of the app to its end. Returns what it printed. */
  async run(command, more = {}) {
    const { child, end, log } = this.#start(command, more);
    const limit = setTimeout(end, LIMIT_MS);
    const [code] = await once(child, "exit");
    clearTimeout(limit);
    await end();
    assert.equal(code, 0, `${command}:\n${log()}`);
    return log();
  }

  /** Starts a server on the port that `{port}` stands for, does `work` with its URL, and ends it with all it started. */
  async serving(command, work) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { child, end, log } = this.#start(command.replace("{port}", port), {});
    try {
      const until = Date.now() + LIMIT_MS;
      while (!(await fetch(url).then(() => true, () => false))) {
        assert.ok(child.exitCode === null && Date.now() < until, `${command} does not answer:\n${log()}`);
        await sleep(100);
      }
      await work(url).catch((error) => {
        throw new Error(`${error.stack}\n${command} said:\n${log()}`);
      });
    } finally {
      await end();
    }
  }

  /** Serves a folder of the app as a plain server does. */
  async servingFiles(folder, work, headers) {
    const server = await serve(join(this.folder, folder), headers);
    try {
      await work(server.url);
    } finally {
      await server.stop();
    }
  }

  /** A trade in a page. An error that it logs, or a stop by a policy, fails it. */
  async swapsInPage(url, browser = this.#world.browser, act = undefined) {
    const { sandbox } = this.#world;
    await this.#swaps(async (settings) => {
      const { value, complaints } = await resultOf(browser, url, sandbox, settings, act);
      assert.deepEqual([...complaints, ...(value.violations ?? [])], []);
      return value;
    });
  }

  /** A trade in a page with `<verified-swap>`, by its buttons. */
  async swapsInElement(url) {
    await this.swapsInPage(url, undefined, async (page) => {
      for (const name of ["Review swap", /^Approve 100 /, "Sign"]) {
        await page.locator('verified-swap button.primary[aria-disabled="false"]', { hasText: name }).click();
      }
    });
  }

  /** A trade in each page. */
  async swapsInPages(url, paths) {
    for (const path of paths) await this.swapsInPage(url + path);
  }

  /** A trade in the app as an extension, in a page of its own or in one that is served with the headers. */
  async swapsInExtension(headers) {
    const args = [`--disable-extensions-except=${this.folder}`, `--load-extension=${this.folder}`];
    const context = await chromium.launchPersistentContext("", { executablePath: locate("CHROME"), headless: true, args });
    const [worker = await context.waitForEvent("serviceworker")] = context.serviceWorkers();
    const swaps = (url) => this.swapsInPage(url, { newContext: () => context });
    // Its page ends the browser.
    if (!headers) return swaps(new URL("/index.html", worker.url()).href);
    await this.servingFiles(".", (url) => swaps(`${url}/content.html`), headers);
  }

  /** A trade on a server, which takes the settings and answers with the result. */
  async swapsByPost(url) {
    await this.#swaps(async (settings) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(settings), headers });
      const text = await answer.text();
      assert.ok(answer.ok, `${answer.status} ${text}`);
      return JSON.parse(text);
    });
  }

  /** A trade while a server makes a page: takes the settings in its URL, shows the result in an `output`. */
  async swapsInHtml(url) {
    await this.#swaps(async (settings) => {
      const answer = await fetch(`${url}?settings=${encodeURIComponent(JSON.stringify(settings))}`);
      const text = await answer.text();
      const shown = /<output>(.*?)<\/output>/.exec(text)?.[1];
      assert.ok(answer.ok && shown, `${answer.status} ${text}`);
      return JSON.parse(shown.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
    });
  }

  /** A trade in a process, which takes the settings from its environment and writes the result into a file. */
  async swapsInProcess(command, more = {}) {
    const result = join(this.folder, "result.json");
    await this.#swaps(async (settings) => {
      await this.run(command, { ...more, SETTINGS: JSON.stringify(settings), RESULT: result });
      const value = JSON.parse(readFileSync(result));
      rmSync(result);
      return value;
    });
  }

  /** Copies a file of the app. */
  copy(from, to) {
    cpSync(join(this.folder, from), join(this.folder, to));
  }

  /** How many files of a folder have names that end so. */
  count(folder, ending) {
    return readdirSync(join(this.folder, folder), { recursive: true }).filter((name) => name.endsWith(ending)).length;
  }

  async #swaps(work) {
    const { sandbox, account } = this.#world;
    const trade = await fundedTrade(sandbox, account);
    const result = await work(trade.settings);
    await assertSwapped(trade, result);
    assert.match(result.sentences.at(-1), /^Sell 100 /);
  }

  /** A program that leads a group of its own, which ends with this process, or by `end`. */
  #start(command, more) {
    const guarded = 'exec 3<&0; "$@" </dev/null & program=$!; { cat <&3; kill -KILL 0; } & wait $program';
    const child = spawn("sh", ["-c", guarded, "sh", ...command.split(" ")], {
      cwd: this.folder,
      env: { ...this.#environment, ...more },
      detached: true,
    });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => said.push(bytes));
    const closed = once(child, "close");
    const end = () => (child.stdin.end(), closed);
    return { child, end, log: () => Buffer.concat(said).toString() };
  }
}

/** The app's folder: its files new, its packages those of an earlier run if they match its lock. */
async function installed(name, shares, place) {
  const folder = join(ROOT, "target/consumers", place);
  const packages = join(folder, "node_modules");
  mkdirSync(packages, { recursive: true });
  const old = readdirSync(folder).filter((entry) => entry !== "node_modules");
  // Bundlers keep what they made of another tarball in folders like these.
  const kept = readdirSync(packages).filter((entry) => entry.startsWith(".") && !KEPT.includes(entry));
  for (const entry of [...old, ...kept.map((entry) => join("node_modules", entry))]) rmSync(join(folder, entry), { recursive: true });
  for (const source of [...shares.map((share) => `shared/${share}`), `apps/${name}`]) cpSync(join(HERE, source), folder, { recursive: true });
  cpSync(join(HERE, "shared/swap.js"), join(folder, "swap.js"));
  cpSync(join(ROOT, ".npmrc"), join(folder, ".npmrc"));
  const npm = (args) => execute("npm", [...args, "--ignore-scripts"], { cwd: folder });
  const lock = join(folder, "package-lock.json");
  if (existsSync(lock)) await unless(join(packages, ".of-lock"), readFileSync(lock), () => npm(["ci", "--include=optional"]));
  const tarball = locate("PACKAGE_TARBALL");
  // The package has no dependencies, so nothing is fetched.
  await unless(join(packages, ".of-tarball"), readFileSync(tarball), () => npm(["install", "--offline", "--no-save", tarball]));
  const description = JSON.parse(readFileSync(join(folder, "package.json")));
  description.dependencies = { ...description.dependencies, "verified-swap": `file:${tarball}` };
  writeFileSync(join(folder, "package.json"), JSON.stringify(description));
  return folder;
}

const KEPT = [".bin", ".package-lock.json", ".of-lock", ".of-tarball"];

/** Does `work`, unless it was done for the same bytes. */
async function unless(stamp, bytes, work) {
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await work();
  writeFileSync(stamp, digest);
}

/** The environment of the app's programs: nothing of this test's runner, and no home to leave anything in. */
function environment(folder) {
  const { NODE_TEST_CONTEXT, ...inherited } = process.env;
  const packages = join(folder, "node_modules");
  // Runtimes that npm brings.
  const runtimes = readdirSync(packages).filter((name) => name.startsWith("node-")).map((name) => `${name}/bin`);
  for (const [scope, place] of [["@oven", "bin"], ["@deno", ""]]) {
    if (existsSync(join(packages, scope))) runtimes.push(...readdirSync(join(packages, scope)).map((name) => join(scope, name, place)));
  }
  const path = [...runtimes, ".bin"].map((place) => join(packages, place));
  // As where an app is built: a bundler that installs what it misses fails there.
  const quiet = { CI: "1", NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", DO_NOT_TRACK: "1" };
  return { ...inherited, ...quiet, HOME: folder, PATH: [...path, inherited.PATH].join(":") };
}

/** A port that was free a moment ago: tools want one given. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
