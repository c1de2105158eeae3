// node describe-sandbox.mjs URL
//
// Chains, tokens and accounts of a running sandbox, and what an app needs to use it, for the terminal.
import { source } from "./source.mjs";

const { startSandbox } = await source("testing");

const { url, chains, accounts, clientOptions } = await startSandbox({ checkout: process.argv[2] });
const { advanced: { rateLimit, ...advanced }, ...rest } = clientOptions;
const options = { ...rest, advanced };

for (const chain of chains) {
  console.log(`Chain ${chain.chainId} (${chain.name})   JSON-RPC ${options.rpc[chain.chainId]}`);
  console.log(`  Delta contract ${chain.delta}`);
  for (const token of chain.tokens) {
    console.log(`  ${token.symbol.padEnd(8)} ${token.address}  ${String(token.decimals).padStart(2)} decimals, ${token.kind}`);
  }
}
console.log("\nAccounts, unlocked on both nodes, and their keys, which everybody knows");
for (const { address, privateKey } of accounts) console.log(`  ${address}  ${privateKey}`);
console.log(`\nIn tests\n  VERIFIED_SWAP_SANDBOX=${url}   for startSandbox() of verified-swap/testing`);
console.log("\nIn your app\n  createClient({");
for (const [name, value] of Object.entries(options)) console.log(`    ${name}: ${JSON.stringify(value)},`);
console.log("  })");
