// The sandbox for an app's tests, of Vitest, Jest, Playwright or a script: the service and its chains, run locally, and
// wallets for them. For Node.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { membersOf, type Holds } from "./module.ts";
import type { Address, Eip1193Provider } from "./types.ts";
import type * as published from "./types/testing.ts";
import type { Sandbox, SandboxChain, SandboxOptions, SandboxToken, TestWallet } from "./types/testing.ts";

export type Entry = Holds<typeof import("./testing.ts"), typeof published>;

/** The programs and files that are started, each with its path. */
type Place = "binary" | "anvil" | "artifacts";
type Places = Record<Place, string>;
/** The package `verified-swap-sandbox`; `missing` is the reason why it has none of them. */
type SandboxPackage = Places & { missing?: string };
type Asked = Parameters<Eip1193Provider["request"]>[0];

const PLATFORM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
/** The paths of the started programs in a checkout, as `cargo xtask sandbox` builds them. */
const PLACES: Record<Place, string> = {
  binary: "target/debug/sandbox",
  anvil: `node_modules/@foundry-rs/anvil-${PLATFORM}/bin/anvil`,
  artifacts: "target/sandbox/artifacts",
};
/** The calls that a wallet first shows to its user. */
const PROMPTS = ["eth_signTypedData_v4", "eth_sendTransaction", "personal_sign"];

export async function startSandbox({ checkout, pages, port, delay, ...given }: SandboxOptions = {}): Promise<Sandbox> {
  const other = Object.keys(given).find((name) => !(name in PLACES));
  if (other) throw new Error(`${other} is no option: checkout, pages, port, delay, ${Object.keys(PLACES).join(", ")} are`);
  const named = checkout ?? (given.binary ? undefined : process.env.VERIFIED_SWAP_SANDBOX);
  if (named !== undefined && /^https?:/.test(named)) return connected(named.replace(/\/$/, ""), async () => {});
  const { binary, anvil, artifacts } = placesIn(named, given);
  const settings = { "--anvil": anvil, "--artifacts": artifacts, "--static": pages, "--port": port, "--delay": delay };
  const stated = Object.entries(settings).filter(([, value]) => value !== undefined);
  const child = spawn(binary, stated.flat().map(String), { stdio: ["pipe", "pipe", "pipe"] });
  try {
    return await connected(await readyUrl(child), () => stop(child));
  } catch (error) {
    await stop(child);
    throw error;
  } finally {
    // A process that forgets to stop the sandbox can still end: the sandbox ends with its input.
    child.unref();
    for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  }
}

/**
 * The paths that are not `given`: of the checkout that is `named`, else of the package that is installed, else of the checkout
 * around the process.
 */
function placesIn(named: string | undefined, given: Pick<SandboxOptions, Place>): Places {
  const from = (there: (name: Place) => string): Places =>
    ({ binary: given.binary ?? there("binary"), anvil: given.anvil ?? there("anvil"), artifacts: given.artifacts ?? there("artifacts") });
  const inPackage = named || given.binary ? undefined : installed();
  if (inPackage && !inPackage.missing) return from((name) => inPackage[name]);
  const names: readonly Place[] = ["binary", "anvil", "artifacts"];
  const isBuilt = (folder: string) => names.every((name) => given[name] ?? existsSync(join(folder, PLACES[name])));
  const above: string[] = [];
  for (let folder = resolve(named ?? "."); folder !== above[0]; folder = named ? folder : dirname(folder)) above.unshift(folder);
  const root = above.findLast(isBuilt);
  if (root) return from((name) => join(root, PLACES[name]));
  const built = "a checkout of verified-swap in which `cargo xtask sandbox` was run once";
  if (named) throw new Error(`there is no sandbox in ${resolve(named)}: it is not ${built}`);
  const elsewhere = `set VERIFIED_SWAP_SANDBOX to the URL of one that runs, or to the path of ${built}`;
  throw new Error(inPackage?.missing ?? `there is no sandbox: install verified-swap-sandbox (for Linux on x64), or ${elsewhere}`);
}

/** The paths in `verified-swap-sandbox`; undefined where it is not installed. */
function installed(): SandboxPackage | undefined {
  try {
    const found: SandboxPackage = createRequire(import.meta.url)("verified-swap-sandbox");
    return found;
  } catch (error) {
    if (membersOf(error)?.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

function readyUrl(child: ChildProcessWithoutNullStreams): Promise<string> {
  let log = "";
  child.stderr.on("data", (text) => (log = (log + text).slice(-4_000)));
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes('"ready":true')) resolve(JSON.parse(line).url);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the sandbox ended (${code}): ${log}`)));
  });
}

/** Closing its input asks it to end; SIGKILL only if it does not. */
async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  child.ref();
  const ended = new Promise<unknown>((resolve) => child.once("exit", resolve));
  child.stdin.end();
  const impatience = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(impatience);
}

async function connected(url: string, stop: () => Promise<void>): Promise<Sandbox> {
  const control: Sandbox["control"] = (method, path, body) => json(`${url}/sandbox/${path}`, method, body);
  const rpc: Sandbox["rpc"] = (chainId, method, params = []) => ask(`${url}/rpc/${chainId}`, method, params);
  const config: Sandbox["config"] & Pick<Sandbox, "clientOptions"> = await control("GET", "config").catch((cause) => {
    throw new Error(`no sandbox answers at ${url}`, { cause });
  });
  const { chains, clientOptions } = config;
  const first = chains[0]?.chainId ?? 0;
  const accounts = config.accounts.map((address, index) => ({ address, privateKey: config.keys[index] ?? fail(`the sandbox has no key of ${address}`) }));

  const token = (name: string, chainId = first) => {
    const { tokens } = chains.find((chain) => chain.chainId === chainId) ?? { tokens: [] };
    const found = tokens.find(({ symbol, kind, address }) => [symbol, kind, address].includes(name));
    if (!found) throw new Error(`no token of ${chainId} is ${name}: ${tokens.map(({ symbol }) => symbol)}`);
    return found;
  };
  const units = (whole: string, { decimals }: SandboxToken) => {
    const [, digits, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(whole) ?? [];
    if (!digits || fraction.length > decimals) throw new Error(`${whole} is no amount with ${decimals} decimals`);
    return String(BigInt(digits + fraction.padEnd(decimals, "0")));
  };

  return {
    url,
    config,
    chains,
    accounts,
    control,
    rpc,
    token,
    clientOptions,
    request(src, dest, whole, chainId = first) {
      const [from, to] = [token(src, chainId), token(dest, chainId)];
      return {
        chainId,
        srcToken: from.address,
        srcDecimals: from.decimals,
        srcSymbol: from.symbol,
        destToken: to.address,
        destDecimals: to.decimals,
        destSymbol: to.symbol,
        amount: units(whole, from),
      };
    },
    async faucet(address, name, whole, chainId = first) {
      const minted = token(name, chainId);
      await control("POST", "faucet", { chainId, address, token: minted.address, amount: units(whole, minted) });
    },
    async balance(address, name, chainId = first) {
      const held = token(name, chainId);
      if (held.kind === "native") return BigInt(await rpc(chainId, "eth_getBalance", [address, "latest"]));
      const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
      return BigInt(await rpc(chainId, "eth_call", [{ to: held.address, data }, "latest"]));
    },
    wallet(index = 0, chainId = first) {
      const account = accounts[index];
      return testWallet((account ?? fail(`the sandbox has no account ${index}`)).address, chainId, chains, rpc);
    },
    lie: (kind, more) => control("POST", "lie", { kind, ...more }),
    reset: () => control("POST", "reset", {}),
    stop,
    // Not in every Node that is supported.
    ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: stop }),
  };
}

/** A wallet of an account whose key the nodes hold. */
function testWallet(address: Address, chainId: number, chains: readonly SandboxChain[], rpc: Sandbox["rpc"]): TestWallet {
  type Listener = (value: unknown) => void;
  const listeners = new Map<string, Set<Listener>>();
  const told = (event: string) => {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known);
    return known;
  };
  const emit = (event: string, value: unknown) => told(event).forEach((listener) => listener(value));
  const refuse = (code: number, message: string) => fail(message, { code });

  const wallet: TestWallet = {
    address,
    prompts: [],
    rejects: false,
    async request({ method, params: given }) {
      const params: readonly unknown[] = Array.isArray(given) ? given : [];
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [address];
      if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
      if (method === "wallet_switchEthereumChain") {
        const asked = membersOf(params[0])?.chainId;
        const wanted = Number(asked);
        if (!chains.some((chain) => chain.chainId === wanted)) refuse(4902, `Unrecognized chain ID ${wanted}.`);
        chainId = wanted;
        emit("chainChanged", asked);
        return null;
      }
      if (method.startsWith("wallet_")) refuse(-32601, `${method} is not known`);
      if (PROMPTS.includes(method)) {
        wallet.prompts.push({ method, params });
        if (wallet.rejects) refuse(4001, "The user rejected the request.");
      }
      return rpc(chainId, method, params);
    },
    on(event, listener) {
      told(event).add(listener);
      return wallet;
    },
    removeListener(event, listener) {
      told(event).delete(listener);
      return wallet;
    },
    async announceTo(page, name = "Test wallet") {
      const id = `wallet${address}`;
      let isConnected = false;
      await page.exposeFunction(id, (args: Asked) => {
        isConnected ||= args.method === "eth_requestAccounts";
        if (args.method === "eth_accounts" && !isConnected) return { result: [] };
        return wallet.request(args).then(
          (result) => ({ result }),
          (error) => ({ error: { code: membersOf(error)?.code, message: membersOf(error)?.message } }),
        );
      });
      await page.addInitScript(announce, { id, name });
      const change = ([id, value]: [id: string, value: unknown]) => Reflect.get(window, `${id}Changed`)(value);
      wallet.on("chainChanged", (value) => page.evaluate(change, [id, value]).catch(() => {}));
    },
  };
  return wallet;
}

/** In the page: an injected wallet (EIP-1193, EIP-6963) whose other half is the function with this name. */
function announce({ id, name }: { id: string; name: string }) {
  // It is run there by its text: nothing of this file can be called.
  type Listener = (value: unknown) => void;
  const listeners = new Map<string, Set<Listener>>();
  const told = (event: string) => {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known);
    return known;
  };
  const provider = {
    async request(args: unknown): Promise<unknown> {
      const { result, error } = await Reflect.get(window, id)(args);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event: string, listener: Listener): unknown => (told(event).add(listener), provider),
    removeListener: (event: string, listener: Listener): unknown => (told(event).delete(listener), provider),
  };
  Reflect.set(window, `${id}Changed`, (value: unknown) => told("chainChanged").forEach((listener) => listener(value)));
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon: "data:image/svg+xml,<svg/>", rdns: "test.verified-swap" });
  const tell = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", tell);
  Reflect.get(window, "ethereum") ?? Reflect.set(window, "ethereum", provider);
  tell();
}

function fail(message: string, members?: object): never {
  throw Object.assign(new Error(message), members);
}

async function json(url: string, method: string, body?: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const { result, error } = membersOf(await json(url, "POST", { jsonrpc: "2.0", id: 1, method, params })) ?? {};
  const { message, code, data } = membersOf(error) ?? {};
  if (error) fail(String(message), { code, data });
  return result;
}
