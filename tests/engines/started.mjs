import { spawn } from "node:child_process";

/** How long a browser may take to start, milliseconds. */
const LIMIT_MS = 30_000;

/** A program of a browser, with nothing on this terminal; its output is in `said()`, for when it ends too soon. */
export function started(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (log = (log + text).slice(-4000)));
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", (error) => resolve((log += error.message)));
  });
  return {
    said: () => log,
    ended,
    async stop() {
      child.kill();
      const impatience = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(impatience);
    },
  };
}

/** A result of `attempt`, asked again and again until it brings something, the program ends or the time is up. */
export async function fromStarting(program, name, attempt) {
  let over = false;
  void program.ended.then(() => (over = true));
  for (const start = Date.now(); !over && Date.now() - start < LIMIT_MS; ) {
    const found = await attempt();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} ${over ? "ended" : "was not ready in time"}:\n${program.said()}`);
}
