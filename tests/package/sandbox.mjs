/** The real sandbox for one test file: started on a free port, ended with its nodes. */
import { startSandbox as start } from "../../pkg-template/testing.js";
import { locate } from "./locations.mjs";

/** What `verified-swap/testing` gives. */
export const startSandbox = (options) =>
  start({ binary: locate("SANDBOX_BIN"), anvil: locate("SANDBOX_ANVIL"), artifacts: locate("SANDBOX_ARTIFACTS"), ...options });
