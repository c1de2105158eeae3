/** The real sandbox for one test file: started on a free port, ended with its nodes. */
import { source } from "../../xtask/node/source.mjs";
import { locate } from "./locations.mjs";

const { startSandbox: start } = await source("testing");

/** A sandbox, by `verified-swap/testing`. */
export const startSandbox = (options) =>
  start({ binary: locate("SANDBOX_BIN"), anvil: locate("SANDBOX_ANVIL"), artifacts: locate("SANDBOX_ARTIFACTS"), ...options });
