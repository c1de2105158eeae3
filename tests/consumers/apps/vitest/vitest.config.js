import { playwright } from "@vitest/browser-playwright";
import { env } from "node:process";

// `vitest run --browser.enabled` is a page's test: it has the settings by `provide`, and no file to write its result into.
const provider = playwright({ launchOptions: { executablePath: env.CHROME } });
export default { test: { browser: { provider, headless: true, instances: [{ browser: "chromium" }] }, provide: { settings: env.SETTINGS } } };
