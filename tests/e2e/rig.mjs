import { after, afterEach, before } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startSandbox } from "./sandbox.mjs";

/**
 * Starts a sandbox and a browser before the tests of this file and hands them to `started`; puts the sandbox's control
 * surface back to its start after each test, and ends both after the last.
 */
export function setUp(started) {
  let sandbox, browser;
  before(async () => {
    sandbox = await startSandbox();
    browser = await startBrowser();
    await started({ sandbox, browser });
  });
  afterEach(() => sandbox.reset());
  after(async () => {
    await browser?.close();
    await sandbox?.stop();
  });
}

/** What Chromium itself writes to the console about an answer that a test made the service give. */
export const FAILED_REQUEST = /Failed to load resource/;
