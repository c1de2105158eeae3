import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fromStarting, started } from "./started.mjs";

/* Firefox without a window, over Marionette: WebDriver's commands on a socket, in every release, without a driver. */

/** Port 0 is any free one; what Firefox would fetch of its own stays unfetched. */
const PREFERENCES = {
  "marionette.port": 0,
  "app.update.disabledForTesting": true,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
};

/** `profile` is a folder for its files, to be made. */
export async function startFirefox(program, profile) {
  await mkdir(profile);
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  await writeFile(join(profile, "user.js"), lines.join(""));
  const browser = started(program, ["--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"]);
  try {
    const port = await fromStarting(browser, "Firefox", () => readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => null));
    const command = await marionette(Number(port));
    const { capabilities } = await command("WebDriver:NewSession", {});
    return {
      version: capabilities.browserVersion,
      open: (url) => command("WebDriver:Navigate", { url }),
      execute: async (script, args) => (await command("WebDriver:ExecuteScript", { script, args })).value,
      click: (element) => command("WebDriver:ElementClick", { id: Object.values(element)[0] }),
      close: browser.stop,
    };
  } catch (error) {
    await browser.stop();
    throw error;
  }
}

/** Messages are `LENGTH:JSON`; a command is `[0, id, name, parameters]`, its answer `[1, id, error, result]`. */
async function marionette(port) {
  const socket = connect(port, "127.0.0.1");
  const waiting = new Map();
  let next = 0;
  let bytes = Buffer.alloc(0);
  await new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => {
      for (const { reject } of waiting.values()) reject(new Error("Firefox hung up."));
    });
    socket.on("data", (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      for (let message; (message = takeMessage()); ) {
        // The first is a greeting, and no array.
        if (Array.isArray(message)) answered(message);
        else resolve();
      }
    });
  });

  function takeMessage() {
    const colon = bytes.indexOf(":");
    const end = colon + 1 + Number(bytes.subarray(0, colon));
    if (colon < 0 || bytes.length < end) return null;
    const message = JSON.parse(bytes.subarray(colon + 1, end));
    bytes = bytes.subarray(end);
    return message;
  }

  function answered([, id, error, result]) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(Object.assign(new Error(error.message), { code: error.error }));
    else resolve(result);
  }

  return (name, parameters) =>
    new Promise((resolve, reject) => {
      waiting.set(++next, { resolve, reject });
      const text = JSON.stringify([0, next, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
