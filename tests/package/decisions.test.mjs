/**
 * Nothing written in JavaScript decides by an amount, an address, a hash, a deadline or a price: the module does, which is
 * proven. The sources are parsed, and each comparison of such a value needs a reason here.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "acorn";
import { transform } from "esbuild";
import { ROOT } from "./locations.mjs";

const SOURCES = join(ROOT, "pkg-template/src");

/** The values that decide a trade, by the name of a member or a variable. */
const VALUES =
  /^(?:(?:\w+A|a)mount|\w*[aA]ddress|\w*[hH]ash|digest|\w*[dD]eadline|(?:\w+P|p)rice|minReceived|maxSpent|least|most|expiresAt\w*|expiry|owner|spender|beneficiary|receiver|(?:\w+T|t)oken|nonce|signature|account|chainId|belowBps|\w*Usd)$/;

/** Why a comparison may be, by file, or by file and the function or constant at the top of it. */
const REASONS = {
  "guard.ts": "the form of a call, and the wallet's account and chain, which only refuse",
  "live-quotes.ts isGood": "a price that is too old is left out; the module refuses to build it",
  "live-quotes.ts watchQuotes": "a price of another chain than the wallet's is taken back",
  "order-summary.ts": "figures to show",
  "otc-order-summary.ts": "figures to show",
  "owner-list.ts Following": "one request for the orders of one account, which opens no prompt",
  "swap-account.ts": "the wallet's account and chain, and how much of a balance stays for gas: nothing is signed by them",
  "swap-entries.ts freeDeposit": "a sum to show: the module builds the withdrawal, and bounds it by the chain",
  "swap-failure.ts unread": "the entry of the journal that an error names",
  "swap-figures.ts": "figures to show",
  "swap-form.ts": "faults of what is typed, which only hold back",
  "swap-receipt.ts": "figures to show",
  "swap-shown.ts": "whether a prompt is the review's own: any other is refused, or held until it was shown",
  "swap-trade.ts isCovered": "an approval on its way is no step to show; the client asks for one that is missing, and that prompt is shown",
  "swap.ts createSwap": "a share of the balance, filled in as if it were typed",
  "swap-unfinished.ts createUnfinished": "orders of one chain are cancelled by one signature, which the module reviews",
  "testing.ts": "the wallet of the sandbox",
  "trade-steps.ts carryOut": "0x marks an order that a transaction signs; the module compares signatures",
  "trade-steps.ts whileRetrying": "0x marks an order that a transaction signs; the module compares signatures",
  "trade.ts trade": "the same call for the same account is joined, which opens no prompt",
  "watch.ts Watch": "the chains that an app watches: an order of another one is not shown",
  "viem.ts checkFee": "the most that a signer of its own pays for gas, which only refuses",
  "viem.ts fromAccount": "the chain that viem has for a transaction, if it is the one of the call",
  "viem.ts isSame": "the account that viem has for a call, which only refuses another",
};

const nameOf = (node) => {
  if (node.type === "Identifier") return node.name;
  if (node.type === "ChainExpression") return nameOf(node.expression);
  return node.type === "MemberExpression" && !node.computed ? node.property.name : "";
};
const calls = (node, name) => node.type === "CallExpression" && nameOf(node.callee) === name;
/** Whether a comparison with it asks only whether something is there. */
const isNone = ({ type, name, operator, value, raw }) =>
  (type === "Identifier" && name === "undefined") || (type === "Literal" && (value === null || typeof value === "boolean")) ||
  (type === "UnaryExpression" && (operator === "typeof" || operator === "void")) || raw === '""';
const isValue = (node) => VALUES.test(nameOf(node)) || calls(node, "BigInt") || calls(node, "toLowerCase") || typeof node.value === "bigint";

/** Why a node decides by a value; "" if it does not. */
function decides(node) {
  if (node.type === "BinaryExpression" && /^(?:[!=]==?|[<>]=?)$/.test(node.operator)) {
    const sides = [node.left, node.right];
    return !sides.some(isNone) && sides.some(isValue) ? `a comparison (${node.operator})` : "";
  }
  if (node.type !== "CallExpression") return "";
  if (node.arguments.some((one) => nameOf(one) === "BigInt")) return "amounts of a list";
  const [{ callee }, [first]] = [node, node.arguments];
  if (["includes", "startsWith", "endsWith", "indexOf", "localeCompare"].includes(nameOf(callee)) && first && (isValue(first) || isValue(callee.object))) return nameOf(callee);
  return nameOf(callee) === "test" && callee.object.regex?.pattern.includes("0x") ? "a pattern of hex digits" : "";
}

function* nodesOf(node) {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one);
  else if (typeof node?.type === "string") {
    yield node;
    for (const inner of Object.values(node)) if (inner && typeof inner === "object") yield* nodesOf(inner);
  }
}

/** The comparisons of a source: `name` of the function or constant at its top, and the code. */
async function foundIn(source) {
  const { code } = await transform(source, { loader: "ts", target: "es2022" });
  const found = [];
  for (const top of parse(code, { ecmaVersion: 2022, sourceType: "module", allowHashBang: true }).body) {
    const declared = top.declaration ?? top;
    for (const one of declared.declarations ?? [declared]) {
      for (const node of nodesOf(one)) if (decides(node)) found.push({ name: one.id?.name ?? "", what: `${decides(node)}: ${code.slice(node.start, node.end)}` });
    }
  }
  return found;
}

test("no comparison of what is traded decides in JavaScript, but for those with a reason", async () => {
  const used = new Set();
  for (const file of readdirSync(SOURCES).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))) {
    for (const { name, what } of await foundIn(readFileSync(join(SOURCES, file), "utf8"))) {
      const reason = [`${file} ${name}`, file].find((place) => REASONS[place]);
      assert.ok(reason, `${file} ${name}: ${what}`);
      used.add(reason);
    }
  }
  assert.deepEqual([...used].sort(), Object.keys(REASONS).sort(), "each reason is needed");
});

test("such a comparison is found, however it is written", async () => {
  for (const wrong of [
    "const a = (build, before) => BigInt(build.maxSpent) <= BigInt(before.maxSpent);",
    "const a = (now, then) => [now, then].map(BigInt);",
    "const a = (x, y) => x.owner.toLowerCase() === y;",
    "const a = (list, x) => list.includes(x.toLowerCase());",
    "const a = ({ deadline }, now) => deadline > now;",
    "const a = (build, other) => build?.orderHash !== other;",
    "const a = (x) => x.amount < 5n;",
    "const a = (token) => /^0xe{40}$/i.test(token);",
    "const a = (build, spenders) => spenders.includes(build.spender);",
    "function a(price, limitPrice) { if (price >= limitPrice) return true; }",
  ]) {
    assert.equal((await foundIn(wrong))[0]?.name, "a", wrong);
  }
  for (const right of [
    "const a = ({ amount }) => amount === undefined ? {} : { amount };",
    "const a = ({ action }) => action === 'retry';",
    "const a = (address) => typeof address === 'string';",
    "const a = (status) => status === 'COMPLETED';",
    "const a = (approval, chainId) => (approval ? BigInt(chainId) : null);",
  ]) {
    assert.deepEqual(await foundIn(right), [], right);
  }
});
