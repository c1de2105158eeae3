/** The probe, on this terminal. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROBE = fileURLToPath(new URL("../probe/probe.mjs", import.meta.url));

/** Whether it found nothing that this package refuses. */
export function probed({ baseUrl, chainId }) {
  const child = spawn(process.execPath, [PROBE, "--base-url", baseUrl, "--chain", String(chainId)], { stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => child.once("error", reject).once("close", (code) => resolve(code === 0)));
}
