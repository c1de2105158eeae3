import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { TypedDataEncoder } from "ethers";
import { hashDomain, hashStruct, hashTypedData as viemHash, keccak256, toBytes } from "viem";
import { hashTypedData, init } from "verified-swap";
import { init as initVerify, isTradeError, verifyOrder } from "verified-swap/verify";
import { LIES, falsified, honestTrade } from "./delta-trade.mjs";
import { DOMAIN_TYPE, ORDER_KINDS, ORDER_TYPES } from "./delta-types.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";

before(() => Promise.all([init(), initVerify()]));

describe("hashing", () => {
  test("the types spell the type hashes of the contracts", () => {
    for (const { primaryType, types, typeHash } of ORDER_KINDS) {
      assert.equal(keccak256(toBytes(TypedDataEncoder.from(types).encodeType(primaryType))), typeHash, primaryType);
    }
  });

  test("an order of any kind has the digest viem computes", async () => {
    await forEachCase(campaign(300), (random) => {
      const { types, primaryType } = random.pick(ORDER_KINDS);
      const domain = { name: "Portikus", version: "2.0.0", chainId: random.between(1, 100_000), verifyingContract: random.hex(20) };
      const message = struct(random, types, primaryType);
      assert.equal(hashTypedData({ types, domain, value: message }), viemHash({ types, primaryType, domain, message }), primaryType);
    });
  });
});

describe("an order that says what was asked for", () => {
  test("passes, and its report carries the hashes viem computes", async () => {
    await forEachCase(campaign(500), (random) => {
      const trade = honestTrade(random);
      const { domain, value } = trade.toSign;
      const report = verifyOrder(asGiven(random, trade));
      assert.equal(report.digest, trade.orderHash);
      assert.equal(report.structHash, hashStruct({ data: value, primaryType: "Order", types: ORDER_TYPES }));
      assert.equal(report.domainSeparator, hashDomain({ domain, types: { EIP712Domain: DOMAIN_TYPE } }));
      assert.ok(report.checks.length > 10 && report.checks.every(({ verdict }) => verdict !== "mismatch"));
      assert.ok(report.sentence.length > 20);
    });
  });

  test("passes at its bounds: more out, less in, a lower fee", async () => {
    await forEachCase(campaign(200), (random) => {
      const trade = honestTrade(random);
      const better = falsified(trade, ({ value }) => {
        const [least, most] = [BigInt(value.destAmount), BigInt(value.expectedAmount)];
        if (trade.request.side === "SELL") value.destAmount = String(random.pick([least, most, (least + most) / 2n]));
        else value.srcAmount = String(random.pick([most, BigInt(value.srcAmount)]));
        value.partnerAndFee = String((BigInt(value.partnerAndFee) >> 8n) << 8n);
      });
      assert.equal(verifyOrder(better).digest, better.orderHash);
    });
  });
});

describe("an order that does not", () => {
  test("is refused for every single member, by that member's own check", async () => {
    const members = ORDER_TYPES.Order.flatMap(({ name, type }) => (type === "Bridge" ? ORDER_TYPES.Bridge.map((inner) => `bridge.${inner.name}`) : [name]));
    assert.deepEqual(members.toSorted(), Object.keys(LIES).toSorted(), "a member of the type has no lie to be tried with");
    await forEachCase(campaign(40), (random) => {
      const trade = honestTrade(random);
      for (const member of members) {
        LIES[member].forEach((lie, which) => {
          const path = member.split(".");
          const last = path.pop();
          let told = true;
          const changed = falsified(trade, ({ value }) => {
            const holder = path.reduce((inside, name) => inside[name], value);
            const other = lie(holder[last], trade);
            if (other === null || other === holder[last]) told = false;
            else holder[last] = other;
          });
          if (told) refused(changed, `order.${member}`, `${member} #${which}`);
        });
      }
    });
  });

  test("is refused for every member of the domain, and for one too many", async () => {
    await forEachCase(campaign(20), (random) => {
      const trade = honestTrade(random);
      const lies = { name: "Portikus2", version: "2.0.1", chainId: trade.request.chainId + 1, verifyingContract: random.hex(20) };
      assert.deepEqual(Object.keys(lies), DOMAIN_TYPE.map(({ name }) => name));
      for (const [name, lie] of Object.entries(lies)) refused(falsified(trade, ({ domain }) => { domain[name] = lie; }), `domain.${name}`);
      refused(falsified(trade, ({ domain }) => { domain.salt = random.hex(32); }), "domain");
    });
  });

  test("is refused for types that are not the order's to the letter", async () => {
    await forEachCase(campaign(10), (random) => {
      const trade = honestTrade(random);
      const swap = (list, at) => list.splice(at, 2, list[at + 1], list[at]);
      for (let at = 0; at + 1 < ORDER_TYPES.Order.length; at++) refused(falsified(trade, ({ types }) => swap(types.Order, at)), "types", `members ${at} swapped`);
      for (let at = 0; at + 1 < ORDER_TYPES.Bridge.length; at++) refused(falsified(trade, ({ types }) => swap(types.Bridge, at)), "types", `bridge members ${at} swapped`);
      refused(falsified(trade, ({ types }) => { types.Order.pop(); }), "types", "a member left out");
      refused(falsified(trade, ({ types, value }) => { types.Order.push({ name: "x", type: "uint8" }); value.x = 1; }), "types", "a member added");
      refused(falsified(trade, ({ types }) => { types.Order[4].type = "uint128"; }), "types", "another width");
    });
  });

  test("is refused for an order hash that is not its own", async () => {
    await forEachCase(campaign(20), (random) => {
      const trade = honestTrade(random);
      refused({ ...trade, orderHash: random.hex(32) }, "orderHash");
      const other = honestTrade(random);
      refused({ ...trade, orderHash: other.orderHash }, "orderHash");
    });
  });

  test("is refused where the caller's own bounds are not kept, and passes at them", async () => {
    await forEachCase(campaign(50), (random) => {
      const trade = honestTrade(random);
      const { value } = trade.toSign;
      const fee = BigInt(value.partnerAndFee) & 0xffn;
      const received = (BigInt(value.destAmount) * (10_000n - fee)) / 10_000n;
      const asking = (more) => ({ ...trade, request: { ...trade.request, ...more } });
      assert.ok(verifyOrder(asking({ maxSpent: value.srcAmount })).digest);
      if (received > 0n) assert.ok(verifyOrder(asking({ minReceived: received })).digest);
      refused(asking({ minReceived: received + 1n }), "order.minReceived");
      refused(asking({ maxSpent: BigInt(value.srcAmount) - 1n }), "order.maxSpent");
    });
  });
});

/** Refused as VERIFY_MISMATCH, by the check of that field. */
function refused(trade, field, what = field) {
  let report;
  try {
    report = verifyOrder(trade);
  } catch (error) {
    assert.ok(isTradeError(error, "VERIFY_MISMATCH"), `${what}: ${error.code ?? ""} ${error.message}`);
    assert.ok(error.field === field || error.field.startsWith(`${field}.`), `${what}: refused by ${error.field}, expected ${field}`);
    assert.notEqual(error.expected, error.actual, `${what}: expected and actual are the same`);
    return;
  }
  assert.fail(`${what}: accepted: ${report.sentence}`);
}

/** As callers have it: `toSign` an object or text, with or without the domain's type. */
function asGiven(random, trade) {
  const { domain, types, value } = trade.toSign;
  const toSign = random.oneIn(2) ? { domain, types: { EIP712Domain: DOMAIN_TYPE, ...types }, value } : { domain, types, value };
  return { ...trade, toSign: random.oneIn(2) ? JSON.stringify(toSign) : toSign };
}

function struct(random, types, name) {
  return Object.fromEntries(types[name].map((member) => [member.name, atom(random, types, member.type)]));
}

function atom(random, types, type) {
  if (types[type]) return struct(random, types, type);
  if (type === "string[]") return Array.from({ length: random.between(0, 5) }, () => random.hex(16));
  if (type === "address") return random.hex(20);
  if (type === "bytes") return random.hex(random.between(0, 300));
  if (type === "bytes4") return random.hex(4);
  if (type === "int8") return random.between(-128, 127);
  const width = Number(type.slice("uint".length));
  return random.bits(random.between(1, width)).toString();
}
