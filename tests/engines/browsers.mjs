import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { locate } from "../package/locations.mjs";
import { startFirefox } from "./firefox.mjs";
import { startChromium, startWebKit } from "./webdriver.mjs";

/* The browsers this is about, and where they are on this machine. */

const FIREFOX_ON_MACOS = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** `programs` are the paths that `start` takes before the folder for its files; null where one of them is missing. */
export const BROWSERS = [
  { name: "Chromium", packages: "chromium chromium-driver", start: startChromium, programs: all([there(process.env.CHROMEDRIVER) ?? onPath("chromedriver"), there(locate("CHROME"))]) },
  { name: "Firefox", packages: "firefox-esr", start: startFirefox, programs: all([onPath("firefox") ?? onPath("firefox-esr") ?? there(FIREFOX_ON_MACOS)]) },
  { name: "WebKitGTK", packages: "webkit2gtk-driver xvfb", start: startWebKit, programs: all([onPath("WebKitWebDriver"), onPath("Xvfb")]) },
];

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program)).find(existsSync) ?? null;
}

function there(path) {
  return path && existsSync(path) ? path : null;
}

function all(programs) {
  return programs.includes(null) ? null : programs;
}
