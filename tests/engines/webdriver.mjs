import { createServer } from "node:net";
import { fromStarting, started } from "./started.mjs";

/* WebDriver over HTTP: Chromium's driver, and WebKitGTK's on a display out of sight. */

const CHROMIUM = ["headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"];

/** `profile` is a folder for its files, to be made. */
export function startChromium(driver, binary, profile) {
  const args = [...CHROMIUM, `user-data-dir=${profile}`];
  return startDriver(driver, process.env, { "goog:chromeOptions": { binary, args } });
}

export async function startWebKit(driver, display) {
  const screen = started(display, ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
  try {
    const number = await fromStarting(screen, "Xvfb", () => /^(\d+)\n/m.exec(screen.said())?.[1]);
    // In a locale that makes its language `C`, which Intl does not have.
    const browser = await startDriver(driver, { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: "x11", LANG: "C", LC_ALL: "C" });
    return { ...browser, close: () => browser.close().finally(screen.stop) };
  } catch (error) {
    await screen.stop();
    throw error;
  }
}

async function startDriver(program, env, alwaysMatch = {}) {
  const port = await freePort();
  const server = started(program, [`--port=${port}`], { env });
  let session;
  const close = async () => {
    if (session) await session("DELETE", "").catch(() => null);
    await server.stop();
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    await fromStarting(server, program, () => command("GET", `${url}/status`).catch(() => null));
    const { sessionId, capabilities } = await command("POST", `${url}/session`, { capabilities: { alwaysMatch } });
    session = (method, path, body) => command(method, `${url}/session/${sessionId}${path}`, body);
    return {
      version: capabilities.browserVersion,
      open: (url) => session("POST", "/url", { url }),
      execute: (script, args) => session("POST", "/execute/sync", { script, args }),
      click: (element) => session("POST", `/element/${Object.values(element)[0]}/click`, {}),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function command(method, url, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw Object.assign(new Error(value.message), { code: value.error });
  return value;
}

/** A port free a moment ago: the driver does not report one that it would choose itself. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
