/** The real sandbox for one test file: started on a free port, ended with its nodes. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { locate } from "./locations.mjs";

/** `{ url, config, rpc(chainId, method, params), control(method, path, body), stop() }` */
export async function startSandbox() {
  const child = spawn(
    locate("SANDBOX_BIN"),
    ["--anvil", locate("SANDBOX_ANVIL"), "--artifacts", locate("SANDBOX_ARTIFACTS")],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const log = [];
  child.stderr.on("data", (bytes) => log.push(bytes));
  try {
    const url = await readyUrl(child, log);
    const control = (method, path, body) => json(`${url}/sandbox/${path}`, method, body);
    return {
      url,
      config: await control("GET", "config"),
      control,
      rpc: (chainId, method, params = []) => rpc(`${url}/rpc/${chainId}`, method, params),
      stop: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

function readyUrl(child, log) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      if (line.startsWith("{")) resolve(JSON.parse(line).url);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the sandbox ended (${code}): ${Buffer.concat(log)}`)));
  });
}

/** Its input closing is its sign to end; SIGKILL only where it does not heed it. */
async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  const impatience = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(impatience);
}

async function json(url, method, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

async function rpc(url, method, params) {
  const { result, error } = await json(url, "POST", { jsonrpc: "2.0", id: 1, method, params });
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
