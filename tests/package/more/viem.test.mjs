/** `verified-swap/viem`: the tarball with the real libraries, each in front of the same account of the sandbox. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { connect, createConfig, disconnect, mock, switchAccount, switchChain } from "@wagmi/core";
import { build } from "esbuild";
import { BrowserProvider, JsonRpcProvider, NonceManager, Wallet } from "ethers";
import { createNonceManager, createWalletClient, custom, defineChain, http, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { freshApp, run } from "../app.mjs";
import { ROOT } from "../locations.mjs";
import { startSandbox } from "../sandbox.mjs";

const PACE = { intervalMs: 100, maxIntervalMs: 100 };

let sandbox, here, there, owner, key;
/** The tarball's. */
let folder, createClient, isTradeError, recoverTypedDataSigner, entry;
before(async () => {
  folder = await freshApp("viem");
  const { resolve } = createRequire(join(folder, "package.json"));
  const load = (name) => import(pathToFileURL(resolve(name)));
  [{ createClient, isTradeError, recoverTypedDataSigner }, entry] = await Promise.all([load("verified-swap"), load("verified-swap/viem")]);
  sandbox = await startSandbox();
  [here, there] = sandbox.chains.map(({ chainId, name }) =>
    defineChain({
      id: chainId,
      name,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [sandbox.clientOptions.rpc[chainId]] } },
    }),
  );
  [{ address: owner, privateKey: key }] = sandbox.accounts;
});
after(() => sandbox?.stop());

const node = ({ id }) => sandbox.clientOptions.rpc[id];

/** A config of wagmi with a connector for each of those accounts, none of them connected. */
function wagmiOf(...accounts) {
  return createConfig({
    chains: [here, there],
    connectors: accounts.map((account) => mock({ accounts: [account] })),
    transports: { [here.id]: http(), [there.id]: http() },
  });
}

/** A wallet on that chain, through each library: of an app's user, and of a key that signs here. */
const OF_A_WALLET = {
  "viem's wallet client": async (wallet) =>
    entry.fromWalletClient(createWalletClient({ account: owner, transport: custom(wallet) })),
  "ethers' JsonRpcSigner": async (wallet) => entry.fromEthers(await new BrowserProvider(wallet).getSigner(owner)),
};
const ethersWallet = (url) => new Wallet(key, new JsonRpcProvider(url, undefined, { cacheTimeout: -1 }));
const OF_A_KEY = {
  "viem's wallet client with a key": (chain, url = node(chain)) =>
    entry.fromWalletClient(createWalletClient({ account: privateKeyToAccount(key), chain, transport: http(url) })),
  "viem's account beside a wallet client": (chain, url = node(chain)) =>
    entry.fromAccount(privateKeyToAccount(key), { walletClient: createWalletClient({ transport: http(url) }) }),
  "viem's account with a nonce manager": (chain, url = node(chain)) => {
    const account = privateKeyToAccount(key, { nonceManager: createNonceManager({ source: jsonRpc() }) });
    return entry.fromWalletClient(createWalletClient({ account, chain, transport: http(url) }));
  },
  "ethers' Wallet": (chain, url = node(chain)) => entry.fromEthers(ethersWallet(url)),
  "ethers' NonceManager": (chain, url = node(chain)) => entry.fromEthers(new NonceManager(ethersWallet(url))),
};
/** Those that sign and send, and a sender that cannot sign apart from that. */
const SENDERS = {
  ...OF_A_KEY,
  "an account with a function of the app's": (chain, url) => {
    const account = privateKeyToAccount(key);
    const { sendTransaction } = createWalletClient({ account, chain, transport: http(url) });
    return entry.fromAccount(account, { sendTransaction });
  },
  "a NonceManager of a signer that can only send": (chain, url) => {
    class Vault extends Wallet {
      signTransaction = async () => Promise.reject(Object.assign(new Error("not apart"), { code: "UNSUPPORTED_OPERATION" }));
      async sendTransaction(transaction) {
        const { from, ...populated } = await this.populateTransaction(transaction);
        return this.provider.broadcastTransaction(await super.signTransaction(populated));
      }
    }
    const { provider } = ethersWallet(url);
    return entry.fromEthers(new NonceManager(new Vault(key, provider)));
  },
};
/** A node's ways with a question of that kind. */
const NODES = {
  "takes it and drops the connection": async (response, pass) => (await pass(), response.destroy()),
  "takes it and answers 502": async (response, pass) => (await pass(), response.writeHead(502).end("<html>Bad Gateway</html>")),
  "takes it and answers -32603": async (response, pass, { id }) => {
    await pass();
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "internal error" } }));
  },
  "drops the connection before": async (response) => response.destroy(),
  "refuses it for lack of money": async (response, pass, { id }) => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "insufficient funds for gas * price + value" } }));
  },
};
/** A server in front of the first chain's node, of which `fails` is `{ methods, does }`. */
async function nodeThatFails(context) {
  const failing = { fails: null, met: 0 };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const pass = async () => (await fetch(node(here), { method: "POST", headers: { "content-type": "application/json" }, body })).text();
    const { fails } = failing;
    // Libraries ask several things at once.
    const asked = [JSON.parse(body)].flat().find(({ method }) => fails?.methods.includes(method));
    if (!asked) return response.end(await pass());
    failing.met += 1;
    await NODES[fails.does](response, pass, asked);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close() && server.closeAllConnections());
  return Object.assign(failing, { url: `http://127.0.0.1:${server.address().port}` });
}
const ALL = {
  ...Object.fromEntries(Object.entries(OF_A_WALLET).map(([name, bind]) => [name, (chain) => bind(sandbox.wallet(0, chain.id))])),
  "wagmi's config": async (chain) => {
    const config = wagmiOf(owner);
    await connect(config, { connector: config.connectors[0], chainId: chain.id });
    return entry.fromWagmi(config);
  },
  ...OF_A_KEY,
};

const withoutAllowances = async () => {
  const [{ delta, router }] = sandbox.chains;
  for (const spender of [delta, router]) {
    const { address: token } = sandbox.token("USDC");
    await sandbox.control("POST", "approve", { chainId: here.id, token, owner, amount: "0", spender });
  }
};

for (const [name, bind] of Object.entries(ALL)) {
  test(`${name} approves and signs a gasless trade, and sends a Market swap`, async () => {
    await withoutAllowances();
    const wallet = await bind(here);
    const { rpc, ...options } = sandbox.clientOptions;
    const client = await createClient({ ...options, rpc, wallet });
    for (const mode of ["DELTA", "MARKET"]) {
      const before = await sandbox.balance(owner, "WETH");
      const request = { ...sandbox.request("USDC", "WETH", "100"), mode };
      const steps = [];
      const onProgress = ({ step }) => steps.push(step);
      const { order, build } = await client.trade(request, { slippageBps: 100, onReview: () => true, onProgress, ...PACE });
      assert.equal(order.status, "COMPLETED");
      assert.ok(steps.includes("approving"), steps.join());
      const received = (await sandbox.balance(owner, "WETH")) - before;
      assert.ok(received >= BigInt(build.minReceived) && received > 0n, `${mode}: ${received}`);
    }
    // A trade that sends wei along.
    const native = { ...sandbox.request("ETH", "USDC", "0.1"), mode: "MARKET" };
    const before = await sandbox.balance(owner, "ETH");
    const { order } = await client.withWallet(wallet).trade(native, { slippageBps: 100, onReview: () => true, ...PACE });
    assert.equal(order.status, "COMPLETED");
    assert.ok(before - (await sandbox.balance(owner, "ETH")) >= 10n ** 17n);
    client.close();
  });
}

test("all of them give the same signature of the same order, which is that of its owner", async () => {
  const client = await createClient({ ...sandbox.clientOptions, account: owner });
  const build = await client.build(await client.quote(sandbox.request("USDC", "WETH", "100")), { slippageBps: 100 });
  const { typedData } = build;
  const params = [owner, JSON.stringify(typedData)];
  const signatures = {};
  for (const [name, bind] of Object.entries(ALL)) {
    signatures[name] = await (await bind(here)).request({ method: "eth_signTypedData_v4", params });
  }
  signatures["viem's account alone"] = await entry.fromAccount(privateKeyToAccount(key)).signTypedData(typedData);
  signatures["ethers' Wallet alone"] = await entry.fromEthers(new Wallet(key)).signTypedData(typedData);
  for (const [name, signature] of Object.entries(signatures)) {
    assert.equal(recoverTypedDataSigner(typedData, signature), owner, name);
    assert.equal(signature, signatures["viem's account alone"], name);
  }
  client.close();
});

for (const [name, bind] of Object.entries(ALL)) {
  test(`${name} on another chain is WRONG_CHAIN, or switched if it may and can`, async () => {
    await sandbox.control("POST", "approve", { chainId: here.id, token: sandbox.token("USDC").address, owner, amount: "100000000" });
    const wallet = await bind(there);
    const client = await createClient({ ...sandbox.clientOptions, wallet });
    const build = await client.build(await client.quote(sandbox.request("USDC", "WETH", "100")), { slippageBps: 100 });
    const isElsewhere = (error) => {
      assert.ok(isTradeError(error, "WRONG_CHAIN"), error.stack);
      assert.deepEqual([error.expected, error.actual, error.action], [String(here.id), String(there.id), "switchChain"]);
      return true;
    };
    await assert.rejects(client.submit(build), isElsewhere);
    const switching = client.withWallet({ ...wallet, switchChain: true }).submit(build);
    if (name in OF_A_KEY) await assert.rejects(switching, isElsewhere);
    else assert.equal((await client.wait(await switching, PACE)).status, "COMPLETED");
    client.close();
  });
}

for (const [name, bind] of Object.entries(OF_A_KEY)) {
  test(`${name} sends nothing on another chain than it was asked to, and is no wallet of its node's`, async () => {
    const { request } = bind(here);
    const sent = { from: owner, to: owner, data: "0x", value: "0x1", chainId: numberToHex(there.id) };
    const count = () => sandbox.rpc(here.id, "eth_getTransactionCount", [owner, "latest"]);
    const before = await count();
    await assert.rejects(request({ method: "eth_sendTransaction", params: [sent] }), { code: -32602 });
    assert.equal(await count(), before);
    await assert.rejects(request({ method: "wallet_getCapabilities", params: [owner] }), { code: 4200 });
    // The sandbox's node would, for any of its accounts.
    const other = sandbox.accounts[1].address;
    for (const [method, ...params] of [
      ["eth_sign", other, "0x00"],
      ["personal_sign", "0x00", other],
      ["eth_signTransaction", { ...sent, from: other, chainId: numberToHex(here.id) }],
      ["eth_signTypedData", other, "{}"],
      ["eth_requestAccounts"],
      ["anvil_setBalance", other, "0x0"],
    ]) await assert.rejects(request({ method, params }), { code: 4200 }, method);
    const typedData = JSON.stringify({ domain: {}, types: { Of: [{ name: "a", type: "uint256" }] }, primaryType: "Of", message: { a: "1" } });
    await assert.rejects(request({ method: "eth_signTypedData_v4", params: [other, typedData] }), { code: 4100 });
    const own = await request({ method: "eth_signTypedData_v4", params: [owner.toLowerCase(), typedData] });
    assert.equal(recoverTypedDataSigner(JSON.parse(typedData), own), owner);
    const from = { ...sent, from: other, chainId: numberToHex(here.id) };
    await assert.rejects(request({ method: "eth_sendTransaction", params: [from] }), { code: 4100 });
    assert.equal(await count(), before);
  });
}

for (const [name, bind] of Object.entries(OF_A_WALLET)) {
  test(`${name} asks a failing wallet once, knows a rejection, and trades for its own account alone`, async () => {
    const wallet = sandbox.wallet(0);
    const client = await createClient({ ...sandbox.clientOptions, wallet: await bind(wallet) });
    const build = await client.build(await client.quote(sandbox.request("USDC", "WETH", "100")), { slippageBps: 100 });
    const { request } = wallet;
    // viem repeats after this code, unless it is set not to.
    const fails = async (args) => {
      if (args.method !== "eth_signTypedData_v4") return request(args);
      wallet.prompts.push(args);
      throw Object.assign(new Error("Internal JSON-RPC error."), { code: -32603 });
    };
    const failing = client.withWallet(await bind({ ...wallet, request: fails }));
    await assert.rejects(failing.submit(build), (error) => isTradeError(error, "WALLET_FAILED"));
    assert.equal(wallet.prompts.length, 1);
    wallet.rejects = true;
    await assert.rejects(client.submit(build), (error) => isTradeError(error, "USER_REJECTED"));
    assert.equal(wallet.prompts.length, 2);
    const another = await bind({ ...wallet, request: async (args) => (args.method === "eth_accounts" ? [sandbox.accounts[1].address, owner] : request(args)) });
    assert.deepEqual(await another.request({ method: "eth_accounts" }), [owner]);
    client.close();
  });
}

test("wagmi's wallet is whichever is connected when a call asks for it", async () => {
  const second = sandbox.accounts[1].address;
  const config = wagmiOf(owner, second);
  const client = await createClient({ ...sandbox.clientOptions, wallet: entry.fromWagmi(config) });
  const quote = await client.quote(sandbox.request("USDC", "DAI", "100"));
  const ownerOf = async () => (await client.build(quote, { slippageBps: 100 })).owner;
  const hasNone = (error) => isTradeError(error, "INVALID_INPUT") && error.field === "options.account";
  await assert.rejects(ownerOf(), hasNone);
  for (const connector of config.connectors) await connect(config, { connector });
  assert.equal(await ownerOf(), second);
  await switchAccount(config, { connector: config.connectors[0] });
  assert.equal(await ownerOf(), owner);
  await switchChain(config, { connector: config.connectors[0], chainId: there.id });
  assert.equal(Number(await entry.fromWagmi(config).request({ method: "eth_chainId" })), there.id);
  for (const connector of config.connectors) await disconnect(config, { connector });
  await assert.rejects(ownerOf(), hasNone);
  client.close();
});

test("wagmi's wallet switches no chain by itself, whatever its connector does if it is given one", async () => {
  const switched = [];
  const switching = (options) => {
    const connector = mock({ accounts: [owner] })(options);
    const getProvider = async ({ chainId } = {}) => {
      if (chainId) switched.push(chainId);
      return connector.getProvider({ chainId });
    };
    return { ...connector, getProvider };
  };
  const config = createConfig({ chains: [here, there], connectors: [switching], transports: { [here.id]: http(), [there.id]: http() } });
  await connect(config, { connector: config.connectors[0], chainId: here.id });
  switched.length = 0;
  const client = await createClient({ ...sandbox.clientOptions, wallet: entry.fromWagmi(config) });
  await sandbox.control("POST", "approve", { chainId: here.id, token: sandbox.token("USDC").address, owner, amount: "100000000" });
  const build = await client.build(await client.quote(sandbox.request("USDC", "WETH", "100")), { slippageBps: 100 });
  assert.equal((await client.wait(await client.submit(build), PACE)).status, "COMPLETED");
  assert.deepEqual(switched, []);
  client.close();
});

test("one listener may hear of both of wagmi's events, and leaves each by itself", async () => {
  const second = sandbox.accounts[1].address;
  const config = wagmiOf(owner, second);
  const [first, other] = config.connectors;
  for (const connector of [other, first]) await connect(config, { connector });
  const { on, removeListener } = entry.fromWagmi(config);
  const told = [];
  const listener = (value) => told.push(value);
  const change = async () => {
    told.length = 0;
    await switchAccount(config, { connector: config.state.current === first.uid ? other : first });
    await switchChain(config, { chainId: [here, there].find(({ id }) => id !== config.state.connections.get(config.state.current).chainId).id });
    return told.map((value) => typeof value);
  };
  for (const event of ["accountsChanged", "chainChanged"]) on(event, listener);
  assert.ok((await change()).includes("object") && (await change()).includes("number"));
  removeListener("chainChanged", listener);
  assert.deepEqual(await change(), ["object"]);
  removeListener("accountsChanged", listener);
  removeListener("accountsChanged", listener);
  assert.deepEqual(await change(), []);
});

test("the same source is the same wallet, so that a page may name it in every render", () => {
  const account = privateKeyToAccount(key);
  const provider = sandbox.wallet(0);
  for (const [from, source] of [
    [entry.fromWalletClient, createWalletClient({ account: owner, transport: custom(provider) })],
    [entry.fromWalletClient, createWalletClient({ account, transport: http(node(here)) })],
    [entry.fromAccount, account],
    [entry.fromWagmi, wagmiOf(owner)],
    [entry.fromEthers, new Wallet(key)],
    [entry.fromEthers, ethersWallet(node(here))],
  ]) assert.equal(from(source), from(source));
  const walletClient = createWalletClient({ transport: http(node(here)) });
  const [sending, signing] = [entry.fromAccount(account, { walletClient }), entry.fromAccount(account)];
  assert.ok(sending.request && !signing.request);
});

test("wagmi's wallet tells of another account, and takes back the price that was for the one before", async (context) => {
  const config = wagmiOf(owner, sandbox.accounts[1].address);
  for (const connector of config.connectors) await connect(config, { connector });
  const client = await createClient({ ...sandbox.clientOptions, wallet: entry.fromWagmi(config) });
  context.after(() => client.close());
  const live = client.watchQuotes(sandbox.request("USDC", "DAI", "100"));
  const price = async () => {
    for (;;) {
      const { quote, error } = live.state;
      if (quote ?? error) return quote;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const first = await price();
  await switchAccount(config, { connector: config.connectors[0] });
  assert.equal(live.state.quote, null);
  assert.notEqual((await price()).sealed, first.sealed);
  await assert.rejects(client.build(first, { slippageBps: 100 }), (error) => isTradeError(error, "QUOTE_EXPIRED"));
});

for (const [name, bind] of Object.entries(SENDERS)) {
  test(`${name} sends once what its node may have taken, and again what it has not`, async (context) => {
    const failing = await nodeThatFails(context);
    const request = { ...sandbox.request("ETH", "USDC", "0.01"), mode: "MARKET" };
    const count = async () => Number(await sandbox.rpc(here.id, "eth_getTransactionCount", [owner, "latest"]));
    const SENDS = ["eth_sendRawTransaction"];
    const PREPARES = ["eth_fillTransaction", "eth_estimateGas"];
    const cases = [
      ...Object.keys(NODES).slice(0, 3).map((does) => ({ methods: SENDS, does, isSent: true })),
      { methods: SENDS, does: "refuses it for lack of money" },
      // A wallet unsure which it was may have sent.
      ...(name in OF_A_KEY ? [{ methods: PREPARES, does: "drops the connection before" }] : []),
    ];
    const wallet = await bind(here, failing.url);
    const client = (await createClient(sandbox.clientOptions)).withWallet(wallet);
    context.after(() => client.close());
    for (const { isSent, ...fails } of cases) {
      const build = await client.build(await client.quote({ ...request, account: owner }), { slippageBps: 100 });
      const before = await count();
      Object.assign(failing, { fails, met: 0 });
      await assert.rejects(client.submit(build), (error) => {
        assert.ok(isTradeError(error, "WALLET_FAILED"), error.stack);
        assert.equal(/may still send it/.test(error.message), Boolean(isSent), `${fails.does}: ${error.message}`);
        return true;
      });
      assert.ok(fails.methods === SENDS ? failing.met === 1 : failing.met > 0, `${failing.met} times`);
      failing.fails = null;
      // One that was taken is mined in a moment.
      while (isSent && (await count()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal((await client.wait(await client.submit(build), PACE)).status, "COMPLETED");
      assert.equal(await count(), before + 1, fails.does);
    }
    if (!(name in OF_A_KEY)) return;
    failing.fails = { methods: ["eth_chainId"], does: "drops the connection before" };
    const sent = { from: owner, to: owner, data: "0x", value: "0x1", chainId: numberToHex(here.id) };
    await assert.rejects(wallet.request({ method: "eth_sendTransaction", params: [sent] }), { code: -32602 });
  });
}

for (const [name, bind] of Object.entries({ ...ALL, ...SENDERS })) {
  test(`${name} sends with the number that is stated, and with its own otherwise`, async () => {
    const wallet = await bind(here, node(here));
    const read = (method, ...params) => sandbox.rpc(here.id, method, params);
    const next = Number(await read("eth_getTransactionCount", owner, "pending"));
    const chainId = wallet.sendTransaction ? here.id : numberToHex(here.id);
    const sent = { from: owner, to: owner, data: "0x", value: "0x1", chainId };
    const send = wallet.sendTransaction ?? ((transaction) => wallet.request({ method: "eth_sendTransaction", params: [transaction] }));
    const numberOf = async (more) => {
      const hash = await send({ ...sent, ...more });
      return Number((await read("eth_getTransactionByHash", hash)).nonce);
    };
    // One later than its turn, which no library would draw: it waits for the one before it.
    assert.equal(await numberOf({ nonce: numberToHex(next + 1) }), next + 1);
    assert.equal(await numberOf({}), next);
    while (Number(await read("eth_getTransactionCount", owner, "latest")) < next + 2) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await numberOf({ nonce: numberToHex(next + 2) }), next + 2);
    assert.equal(await numberOf({}), next + 3);
  });
}

test("an account that sends by a function of the app's gives it wei as bigint", async () => {
  const account = privateKeyToAccount(key);
  const node = createWalletClient({ account, chain: here, transport: http() });
  const sent = [];
  const sendTransaction = (transaction) => node.sendTransaction(sent.push(transaction) && transaction);
  const client = (await createClient(sandbox.clientOptions)).withWallet(entry.fromAccount(account, { sendTransaction }));
  const request = { ...sandbox.request("ETH", "USDC", "0.1"), mode: "MARKET" };
  const { order } = await client.trade(request, { slippageBps: 100, onReview: () => true, ...PACE });
  assert.equal(order.status, "COMPLETED");
  assert.deepEqual(sent.map(({ value, chainId }) => [value, chainId]), [[10n ** 17n, here.id]]);
  const rejects = async () => Promise.reject(new Error("viem's", { cause: Object.assign(new Error("no"), { code: 4001 }) }));
  const rejecting = client.withWallet(entry.fromAccount(account, { sendTransaction: rejects }));
  const build = await client.build(await client.quote({ ...request, account: owner }), { slippageBps: 100 });
  await assert.rejects(rejecting.submit(build), (error) => isTradeError(error, "USER_REJECTED"));
  client.close();
});

test("what is none of theirs is refused by name", () => {
  const wrong = {
    walletClient: [() => entry.fromWalletClient({}), () => entry.fromAccount(privateKeyToAccount(key), { walletClient: {} })],
    account: [() => entry.fromAccount(owner), () => entry.fromAccount({ address: owner })],
    config: [() => entry.fromWagmi({}), () => entry.fromWagmi()],
    signer: [() => entry.fromEthers({ getAddress: () => owner, _signTypedData: () => "0x" }), () => entry.fromEthers(null)],
  };
  for (const [field, calls] of Object.entries(wrong)) {
    for (const call of calls) assert.throws(call, (error) => isTradeError(error, "INVALID_INPUT") && error.field === field);
  }
});

test("injected wallets are discovered once each, early or late, and no impostor is", (context) => {
  const none = entry.discoverWallets(() => assert.fail("nothing is there"));
  assert.deepEqual(none.wallets, []);
  none.close();
  globalThis.window = new EventTarget();
  context.after(() => delete globalThis.window);
  const announce = (detail) => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  const info = (uuid, icon = "data:image/png;base64,AA==") => ({ uuid, name: `Wallet ${uuid}`, icon, rdns: "org.example" });
  const provider = sandbox.wallet(0);
  window.addEventListener("eip6963:requestProvider", () => announce({ info: info("early"), provider }));
  const seen = [];
  const discovered = entry.discoverWallets((wallets) => seen.push(wallets.map(({ info: { uuid } }) => uuid)));
  assert.deepEqual(seen, [["early"]]);
  announce({ info: info("late", "https://tracker.example/icon.png"), provider });
  announce({ info: { ...info("early"), name: "Another" }, provider: {} });
  announce({ info: { ...info("early"), name: "Another" }, provider });
  for (const detail of [null, {}, { info: null, provider }, { info: {}, provider }, { info: info("no provider") }, { info: info("no wallet"), provider: {} }]) announce(detail);
  assert.deepEqual(seen.at(-1), ["early", "late"]);
  assert.equal(seen.length, 2);
  const { wallets } = discovered;
  assert.deepEqual(wallets.map(({ info }) => info.icon), ["data:image/png;base64,AA==", null]);
  assert.equal(wallets[0].provider, provider);
  assert.equal(discovered.wallets, wallets, "the same list until there is another wallet");
  discovered.close();
  const odd = entry.discoverWallets();
  const asked = [() => "data:image/png;base64,AA==", () => "https://tracker.example/icon.png"];
  announce({ info: info("object", { toString: () => asked.shift()() }), provider });
  announce({ info: { ...info("hidden"), name: "Meta\u202eksaM\u2066\u200b\n\u0007 Wallet" }, provider });
  const shown = odd.wallets.filter(({ info }) => info.uuid !== "early").map(({ info: { name, icon } }) => [name, icon]);
  assert.deepEqual(shown, [["Wallet object", null], ["MetaksaM Wallet", "data:image/png;base64,AA=="]]);
  odd.close();
  announce({ info: info("too late"), provider });
  assert.equal(discovered.wallets, wallets);
});

const TYPED = `import { createClient, type Client } from "verified-swap";
import { discoverWallets, fromAccount, fromEthers, fromWagmi, fromWalletClient, type BoundWallet } from "verified-swap/viem";
import { createConfig, http as wagmiHttp } from "@wagmi/core";
import { BrowserProvider, JsonRpcProvider, Wallet } from "ethers";
import { createWalletClient, custom, http, type EIP1193Provider } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { mainnet } from "viem/chains";

const baseUrl = "https://service.example";
const key = "0x1111111111111111111111111111111111111111111111111111111111111111";
export async function bound(client: Client, provider: EIP1193Provider): Promise<Client[]> {
  const [injected] = discoverWallets(([first]) => first?.info.name.slice()).wallets;
  if (!injected) return [await createClient({ baseUrl, wallet: provider })];
  const account = privateKeyToAccount(key);
  const signing = createWalletClient({ account, chain: mainnet, transport: http() });
  const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: wagmiHttp() } });
  const wallets: BoundWallet[] = [
    fromWalletClient(createWalletClient({ transport: custom(injected.provider) })),
    fromWalletClient(createWalletClient({ account: account.address, transport: custom(provider) })),
    fromWalletClient(signing),
    fromAccount(account, { walletClient: signing }),
    fromWagmi(config),
    fromEthers(await new BrowserProvider(injected.provider).getSigner()),
  ];
  const signers = [
    fromAccount(account),
    fromAccount(account, { sendTransaction: (transaction) => signing.sendTransaction(transaction) }),
    fromEthers(new Wallet(key)),
    fromEthers(new Wallet(key, new JsonRpcProvider("https://node.example"))),
  ];
  // @ts-expect-error: it reads no chain
  await createClient({ baseUrl, wallet: fromAccount(account) });
  // @ts-expect-error: an address does not sign
  fromAccount(account.address);
  const [wallet] = wallets;
  if (wallet) client.withWallet({ ...wallet, switchChain: true });
  return [
    ...(await Promise.all(wallets.map((wallet) => createClient({ baseUrl, wallet })))),
    ...[...wallets, ...signers].map((binding) => client.withWallet(binding)),
  ];
}
`;

test("a strict app compiles with viem, wagmi and ethers without a cast, and without them and the DOM", async () => {
  const compilerOptions = {
    strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022", lib: ["es2022", "dom"], types: [],
    module: "esnext", moduleResolution: "bundler", skipLibCheck: true,
  };
  const alone = { ...compilerOptions, module: "nodenext", moduleResolution: "nodenext", skipLibCheck: false, lib: ["es2022"] };
  const ALONE = `import { discoverWallets, fromWagmi } from "verified-swap/viem";
import { startSandbox, type Sandbox } from "verified-swap/testing";
import { createClient } from "verified-swap";
discoverWallets().close();
const sandbox: Sandbox = await startSandbox({ checkout: undefined });
const client = await createClient({ ...sandbox.clientOptions, wallet: sandbox.wallet(1) });
await client.trade(sandbox.request("USDC", "WETH", "1"), { slippageBps: 50, onReview: () => true });
await sandbox[Symbol.asyncDispose]();
// @ts-expect-error: not a config
fromWagmi({ state: {} });
`;
  const folder = await freshApp("viem-types", {
    "app.ts": TYPED,
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["app.ts"] }),
    "alone.ts": ALONE,
    "alone.json": JSON.stringify({ compilerOptions: alone, files: ["named.d.ts", "alone.ts"] }),
    // Node's own types, as far as the declarations name them.
    "named.d.ts": "declare class URL { readonly href: string }\ndeclare class AbortSignal { readonly aborted: boolean }\ndeclare class Response { readonly ok: boolean }\n",
  });
  for (const config of ["tsconfig.json", "alone.json"]) {
    await run(folder, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", config]);
  }
});

test("who imports the package alone carries nothing of it", async () => {
  const bundle = await build({
    stdin: { contents: 'export * from "verified-swap"', resolveDir: folder },
    bundle: true, write: false, metafile: true, format: "esm", outdir: "out", loader: { ".wasm": "file" }, external: ["node:*"],
  });
  const names = Object.keys(bundle.metafile.inputs).map((path) => basename(path));
  assert.ok(names.includes("entry.js"), names.join());
  assert.deepEqual(names.filter((name) => ["viem.js", "testing.js"].includes(name)), []);
});
