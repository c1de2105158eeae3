#!/usr/bin/env node
"use strict";
// verified-swap-sandbox [--port N] [--static DIR] [--delay MS,MS]
//
// Starts the sandbox, prints its URL, and ends it with Ctrl-C.
const { spawn } = require("node:child_process");
const { binary, anvil, artifacts, missing } = require("./index.cjs");

if (missing) {
  console.error(missing);
  process.exit(1);
}
const child = spawn(binary, ["--anvil", anvil, "--artifacts", artifacts, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
