import { createServer } from "node:net";
import { fromStarting, started } from "./started.mjs";

/* WebKitGTK's small browser, by its own WebDriver server, on a display that nobody sees. */

export async function startWebKit(driver, display) {
  const screen = started(display, ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
  const port = await freePort();
  let server, session;
  const close = async () => {
    if (session) await session("DELETE", "").catch(() => null);
    await server?.stop();
    await screen.stop();
  };
  try {
    const number = await fromStarting(screen, "Xvfb", () => /^(\d+)\n/m.exec(screen.said())?.[1]);
    server = started(driver, [`--port=${port}`], { env: { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: "x11" } });
    const url = `http://127.0.0.1:${port}`;
    await fromStarting(server, "WebKitWebDriver", () => command("GET", `${url}/status`).catch(() => null));
    const { sessionId, capabilities } = await command("POST", `${url}/session`, { capabilities: {} });
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

/** Free a moment ago: the driver does not say which port it would take of its own. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
