/** The local binding: keys held by viem or ethers sign a real order, which the sandbox settles on its chain. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, verifyTypedData } from "ethers";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createClient, hashTypedData, init, isTradeError, recoverTypedDataSigner } from "verified-swap";
import { startSandbox } from "../package/sandbox.mjs";
import { viemDigest } from "./peers.mjs";

let sandbox;

before(async () => {
  await init();
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

/** `{ binding, address, payloads, signatures }`: a wallet of each library, recording what it was given and gave. */
const LIBRARIES = {
  viem: (key) => {
    const account = privateKeyToAccount(key);
    return recording(account.address, { account }, (typedData) => account.signTypedData(typedData));
  },
  "viem, by address": (key) => {
    const account = privateKeyToAccount(key);
    return recording(account.address, { account: account.address }, (typedData) => account.signTypedData(typedData));
  },
  ethers: (key) => {
    const wallet = new Wallet(key);
    return recording(wallet.address, { account: wallet.address }, ({ domain, types, message }) => {
      const { EIP712Domain, ...rest } = types;
      assert.equal(EIP712Domain.length, 4);
      return wallet.signTypedData(domain, rest, message);
    });
  },
};

for (const [name, wallet] of Object.entries(LIBRARIES)) {
  test(`an order signed by ${name} is posted with that signature and settles`, async () => {
    const signer = wallet(generatePrivateKey());
    const { client, request, chain } = await funded(signer.address);
    const bound = client.withWallet(signer.binding);
    await sandbox.control("DELETE", "record");

    const quote = await bound.quote(request);
    const build = await bound.build(quote, { slippageBps: 100 });
    assert.equal(signer.payloads.length, 0, "nothing is signed before submit");
    const order = await bound.submit(build);

    assert.equal(signer.payloads.length, 1);
    const [{ domain, types, message, primaryType }] = signer.payloads;
    assert.equal(build.owner, signer.address);
    assert.equal(message.owner.toLowerCase(), signer.address.toLowerCase());
    assert.equal(hashTypedData(signer.payloads[0]), build.orderHash);
    const { EIP712Domain, ...structs } = types;
    assert.deepEqual(EIP712Domain.map((member) => member.name), ["name", "version", "chainId", "verifyingContract"]);
    assert.equal(viemDigest({ domain, types: structs, primaryType, message }), build.orderHash);

    const posted = await postedBody();
    assert.equal(posted.signature.length, 2 + 128, "the compact form is posted");
    assert.equal(verifyTypedData(domain, structs, message, signer.signatures[0]), signer.address);
    assert.equal(recoverTypedDataSigner(signer.payloads[0], posted.signature), signer.address);
    assert.equal(order.orderHash, build.orderHash);
    assert.equal(posted.chainId, chain.chainId);

    const settled = await bound.wait(order, { intervalMs: 200 });
    assert.equal(settled.status, "COMPLETED");
    assert.equal(await client.info.balance({ chainId: chain.chainId, token: request.srcToken, account: signer.address }), "0");
    const received = await client.info.balance({ chainId: chain.chainId, token: request.destToken, account: signer.address });
    assert.ok(BigInt(received) >= BigInt(build.minReceived) && BigInt(received) > 0n, `received ${received}`);
    client.close();
  });
}

test("a signature by another key is refused, and nothing is posted", async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const stranger = privateKeyToAccount(generatePrivateKey());
  const { client, request } = await funded(owner.address);
  const bound = client.withWallet({ account: owner.address, signTypedData: (typedData) => stranger.signTypedData(typedData) });
  const build = await bound.build(await bound.quote(request), { slippageBps: 100 });
  await sandbox.control("DELETE", "record");
  await assert.rejects(bound.submit(build), (error) => isTradeError(error, "SIGNATURE_MISMATCH"));
  assert.equal(await postedBody(), null);
  client.close();
});

test("a signer that fails is reported with its own error as the cause, and nothing is posted", async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const { client, request } = await funded(owner.address);
  const failure = Object.assign(new Error("key store is locked"), { code: 4001 });
  const bound = client.withWallet({ account: owner, signTypedData: () => Promise.reject(failure) });
  const build = await bound.build(await bound.quote(request), { slippageBps: 100 });
  await sandbox.control("DELETE", "record");
  await assert.rejects(bound.submit(build), (error) => isTradeError(error, "USER_REJECTED") && error.cause === failure);
  assert.equal(await postedBody(), null);
  client.close();
});

function recording(address, account, sign) {
  const payloads = [];
  const signatures = [];
  const signTypedData = async (typedData) => {
    payloads.push(typedData);
    signatures.push(await sign(typedData));
    return signatures.at(-1);
  };
  return { address, payloads, signatures, binding: { ...account, signTypedData } };
}

/** A client of the sandbox and an account that holds and has approved exactly what the request sells. */
async function funded(address) {
  const [chain] = sandbox.config.chains;
  const [source, destination] = ["permit", "plain"].map((kind) => chain.tokens.find((token) => token.kind === kind));
  const amount = (100n * 10n ** BigInt(source.decimals)).toString();
  await sandbox.control("POST", "faucet", { chainId: chain.chainId, address, token: source.address, amount });
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: source.address, owner: address, amount });
  const client = await createClient({
    baseUrl: sandbox.url,
    rpc: { [chain.chainId]: `${sandbox.url}/rpc/${chain.chainId}` },
    contracts: { [chain.chainId]: { delta: chain.delta, wrappedNative: chain.wrappedNative } },
    advanced: { references: { [chain.chainId]: chain.references } },
  });
  const request = {
    chainId: chain.chainId, srcToken: source.address, destToken: destination.address, amount, srcDecimals: source.decimals,
    destDecimals: destination.decimals,
  };
  return { client, request, chain };
}

/** The order that the service received since its record was emptied; null where there was none. */
async function postedBody() {
  const { requests } = await sandbox.control("GET", "record");
  const posts = requests.filter(({ endpoint }) => endpoint === "post");
  assert.ok(posts.length <= 1, `${posts.length} orders were posted`);
  return posts.length === 1 ? JSON.parse(posts[0].body) : null;
}
