/** examples/snap as the wallet runs it, under lockdown(): what was confirmed is held to what is signed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { copyOf } from "../example.mjs";

let folder, rig, vectors, owner;
before(async () => {
  folder = await copyOf("snap");
  vectors = JSON.parse(readFileSync(join(folder, "node_modules/verified-swap/vectors.json"), "utf8")).vectors;
  owner = inputOf("permit, eip2612").input.request.owner;
  const bundle = join(folder, "dist/bundle.js");
  await build({ entryPoints: [join(folder, "src/index.js")], outfile: bundle, bundle: true, format: "cjs", platform: "browser", minify: true });
  rig = spawn(process.execPath, [fileURLToPath(new URL("../snap-rig.mjs", import.meta.url)), bundle], { stdio: ["pipe", "pipe", "inherit"] });
  answers = rig.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
});
after(() => rig?.kill());

let answers;
/** A call of the wallet's into the Snap. */
async function call(handler, argument) {
  rig.stdin.write(`${JSON.stringify([handler, argument])}\n`);
  let line = "";
  while (!line.endsWith("\n")) {
    const { value, done } = await answers.next();
    assert.ok(!done, "the Snap ended");
    line += value;
  }
  const { result, error, stack } = JSON.parse(line);
  assert.equal(error, undefined, stack);
  return result;
}

/** All words of a component, in order. */
const words = ({ props: { label, children } }) =>
  [label, ...[children].flat().map((child) => (typeof child === "string" ? child : words(child)))].filter(Boolean).join(" ");
const inputOf = (name) => vectors.find((vector) => vector.name === name);
const origin = "https://dapp.example";
const UNASKED = /^Nobody told this Snap what you want to sign /;

async function expect(verifier, { toSign, transaction, ...given }, confirms = true) {
  await call("wallet", { dialogs: [], confirms });
  assert.equal(await call("onRpcRequest", { origin, request: { method: "expect", params: { verifier, ...given } } }), confirms);
  return (await call("wallet", {})).dialogs;
}
const signature = (data, from = owner) => ({ signature: { from, data, signatureMethod: "eth_signTypedData_v4" }, signatureOrigin: origin });
/** Typed data as a wallet is given it. */
const asGiven = ({ domain, types, value, message = value }) => ({ domain, types, primaryType: Object.keys(types)[0], message });
/** The vectors' time is over: one that is not. */
const later = (input) => JSON.parse(JSON.stringify(input).replaceAll(/"?\b1800001200"?/g, (all) => all.replace("1800001200", "4000000000")));

test("the manifest is a Snap's, and permits what the handlers need", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "snap.manifest.json"), "utf8"));
  const { version, name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.deepEqual([manifest.version, manifest.source.location.npm.packageName, manifest.source.location.npm.filePath], [version, name, "dist/bundle.js"]);
  assert.equal(Buffer.from(manifest.source.shasum, "base64").length, 32);
  const permitted = ["endowment:ethereum-provider", "endowment:rpc", "endowment:signature-insight", "endowment:transaction-insight", "endowment:webassembly", "snap_dialog", "snap_manageState"];
  assert.deepEqual(Object.keys(manifest.initialPermissions), permitted);
});

test("without a confirmed request it says what it is, what is unusual, and what cannot be read", async () => {
  const input = later(inputOf("permit, permit2Transfer").input);
  const unasked = await call("onSignature", signature(asGiven(input.toSign)));
  assert.match(words(unasked.content), UNASKED);
  assert.match(words(unasked.content), /100 USDC/);
  // Until 2096.
  assert.match(words(unasked.content), /caution It stays good until /);
  assert.equal(unasked.severity, undefined);
  const [dialog] = await expect("verifyPermit", input, false);
  assert.match(words(dialog.content), new RegExp(`asked by ${origin} verifier verifyPermit .*token 0x8335`));
  assert.match(words((await call("onSignature", signature(asGiven(input.toSign)))).content), UNASKED);

  const lie = later(inputOf("permit, permit2Transfer: for another spender").input);
  const found = await call("onSignature", signature(asGiven(lie.toSign)));
  assert.match(words(found.content), /danger With this signature 0xBAd0/);
  assert.equal(found.severity, "critical");
  await call("wallet", { chainId: "0x1" });
  assert.match(words((await call("onSignature", signature(asGiven(input.toSign)))).content), /danger It is for Base, and you are on Ethereum/);
  await call("wallet", { chainId: "0x2105" });
  const unread = await call("onSignature", signature({ domain: {}, types: { A: [] }, primaryType: "A", message: {} }));
  assert.equal(unread.severity, "critical");
  const { from, to } = inputOf("transaction: approval for Delta").input.transaction;
  const unknown = await call("onTransaction", { transaction: { from, to, data: "0xdeadbeef" }, chainId: "eip155:8453", transactionOrigin: origin });
  assert.match(words(unknown.content), /caution The method 0xdeadbeef is not known, .* not read data/);
  assert.equal(unknown.severity, "critical");
});

test("what was confirmed is shown with its sentence, once; what differs is critical, with its field", async () => {
  const honest = later(inputOf("permit, permit2Transfer").input);
  await expect("verifyPermit", honest);
  const shown = await call("onSignature", signature(asGiven(honest.toSign)));
  assert.match(words(shown.content), /^As you asked .*0x0000000000bbF5c5Fd284e657F01Bd000933C96D.* 100 USDC.* not judged time/);
  assert.equal(shown.severity, undefined);
  assert.match(words((await call("onSignature", signature(asGiven(honest.toSign)))).content), UNASKED, "a second one");

  for (const [name, field] of [["for another spender", "permit.spender"], ["of more", "permit.permitted.amount"]]) {
    const lie = later(inputOf(`permit, permit2Transfer: ${name}`).input);
    await expect("verifyPermit", lie);
    const refused = await call("onSignature", signature(asGiven(lie.toSign)));
    assert.equal(refused.severity, "critical");
    assert.match(words(refused.content), new RegExp(`^Do not sign: this is not what you asked for field ${field} expected `));
  }
});

test("a permission without an amount is asked about", async () => {
  const input = later(inputOf("permit, dai").input);
  await expect("verifyPermit", input);
  const asked = await call("onSignature", signature(asGiven(input.toSign)));
  assert.equal(asked.severity, "critical");
  assert.match(words(asked.content), /answer this first /);
});

test("what the page says of the chain, or of the time, is not listened to", async () => {
  const input = later(inputOf("permit, eip2612").input);
  const said = { ...input, readings: { domainSeparator: `0x${"11".repeat(32)}` }, now: 1 };
  await expect("verifyPermit", said);
  assert.match(words((await call("onSignature", signature(asGiven(input.toSign)))).content), /^As you asked .* not judged .*domainSeparator/);
  const { deadline, ...request } = input.request;
  await expect("verifyPermit", { request, now: 4_000_000_000 - 60 });
  assert.match(words((await call("onSignature", signature(asGiven(input.toSign)))).content), /^Do not sign: .* field permit\.deadline /);
});

test("what comes back to the account is no danger, on either way", async () => {
  const order = later(inputOf("order: sells for at least the price less slippage").input);
  // The calldata names who receives: here the account itself.
  const { from, to, data: foreign } = inputOf("swap: pays somebody else").input.transaction;
  const data = foreign.replace(/bad0{34}bad/, owner.slice(2).toLowerCase());
  const answers = [
    await call("onSignature", signature(asGiven(order.toSign))),
    await call("onTransaction", { transaction: { from, to, data }, chainId: "eip155:8453", transactionOrigin: origin }),
  ];
  for (const { content, severity } of answers) {
    assert.match(words(content), /100 USDC.* WETH/);
    assert.doesNotMatch(words(content), /danger/);
    assert.equal(severity, undefined);
  }
});

test("a text is no typed data, and one request counts for its own kind of payload alone", async () => {
  const input = later(inputOf("permit, permit2Transfer").input);
  await expect("verifyPermit", input);
  const text = { signature: { from: owner, data: "0x6869", signatureMethod: "personal_sign" }, signatureOrigin: origin };
  const said = words((await call("onSignature", text)).content);
  assert.match(said, UNASKED);
  assert.match(said, /"hi"/);
  const { input: approval } = inputOf("transaction: approval for Delta");
  const sent = { transaction: approval.transaction, chainId: "eip155:8453", transactionOrigin: origin };
  assert.match(words((await call("onTransaction", sent)).content), UNASKED);
});

test("a transaction is held to what was confirmed, on its chain", async () => {
  const { input } = inputOf("transaction: approval for Delta");
  const { from, to, data } = input.transaction;
  const sent = (more, chainId = "eip155:8453") => ({ transaction: { from, to, value: "0x0", data, ...more }, chainId, transactionOrigin: origin });
  for (const [argument, said] of [
    [sent({}), /^As you asked .*100 USDC.* not judged time/],
    [sent({ data: data.replace(/f5e100$/, "f5e101") }), /^Do not sign: .* field transaction\.data /],
    [sent({ value: "0x1" }), /^Do not sign: .* field transaction\.value /],
    [sent({}, "eip155:1"), /^Do not sign: .* field transaction\.chainId /],
    // Members of MetaMask's own, and what would have something else happen.
    [sent({ gas: "0x5208", nonce: "0x1", type: "0x2", maxFeePerGas: "0x1", estimateUsed: "medium" }), /^As you asked /],
    [sent({ authorizationList: [{ address: from, chainId: "0x1" }] }), /^Do not sign: .* field transaction\.authorizationList /],
    [sent({ operation: 1 }), /^Do not sign: .* field transaction\.operation /],
    [sent({ to: undefined }), UNASKED],
  ]) {
    await expect("verifyTransaction", input);
    assert.match(words((await call("onTransaction", argument)).content), said);
  }
});
