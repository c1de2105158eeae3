// node describe-sandbox.mjs URL
//
// Chains, tokens and accounts of a running sandbox, for the terminal.
const url = process.argv[2];
const { chains, accounts } = await (await fetch(`${url}/sandbox/config`)).json();

for (const chain of chains) {
  console.log(`Chain ${chain.chainId} (${chain.name})   JSON-RPC ${new URL(chain.rpc, url)}`);
  console.log(`  Delta contract ${chain.delta}`);
  for (const token of chain.tokens) {
    console.log(`  ${token.symbol.padEnd(8)} ${token.address}  ${String(token.decimals).padStart(2)} decimals, ${token.kind}`);
  }
}
console.log(`\nAccounts, unlocked on both nodes\n${accounts.map((account) => `  ${account}`).join("\n")}`);

const [chain] = chains;
const { delta, wrappedNative, router, rfq, witnesses } = chain;
console.log(`\nIn your app
  createClient({
    baseUrl: "${url}",
    contracts: { ${chain.chainId}: ${JSON.stringify({ delta, wrappedNative, router, rfq })} },
    witnesses: { ${chain.chainId}: ${JSON.stringify(witnesses)} },
    rpc: { ${chain.chainId}: "${new URL(chain.rpc, url)}" },
  })`);
