import assert from "node:assert/strict";
import { afterEach, before, describe, test } from "node:test";
import { hashTypedData, init, recoverTypedDataSigner } from "verified-swap";
import { MAIL, MAIL_DIGEST, MAIL_SIGNATURE, MAIL_SIGNER } from "./mail.mjs";
import { ethSigUtilDigest, plainDigest, viemDigest } from "./peers.mjs";
import { refusesInput } from "./refusal.mjs";

before(() => init());

/** Whatever was refused, the module goes on working. */
afterEach(() => assert.equal(hashTypedData(MAIL), MAIL_DIGEST));

/** Typed data with one member of the given type and value. */
function single(type, value, more = {}) {
  return { types: { Root: [{ name: "x", type }], ...more }, primaryType: "Root", domain: {}, message: { x: value } };
}

function refused(typedData, what) {
  return refusesInput(() => hashTypedData(typedData), what ?? JSON.stringify(typedData));
}

describe("types", () => {
  test("a type that is neither atomic nor defined is refused", () => {
    for (const type of [
      "Unknown", "Unknown[]", "uint7", "uint264", "uint0", "uint08", "int12", "int257", "bytes0", "bytes33", "bytes01",
      "function", "fixed128x18", "mapping(uint256 => uint256)", "uint256 ", " uint256", "Uint256", "uint256[", "uint256]",
      "uint256[]x", "uint256[-1]", "uint256[+1]", "uint256[01]", "uint256[0]", "uint256[1e1]", "uint256[a]", "uint", "int", "uint[]", "[]", "", "[2]uint256", "uint256[][", "address payable",
    ]) {
      for (const value of ["1", ["1"], []]) refused(single(type, value), `type ${JSON.stringify(type)} ${JSON.stringify(value)}`);
    }
  });

  test("a type that only an unused type or an empty list mentions must be defined all the same", () => {
    refused(single("Item[]", [], { Item: [{ name: "to", type: "Unknown" }] }));
    refused(single("bool", true, { Unused: [{ name: "to", type: "Unknown" }] }));
  });

  test("a struct with the name of a built-in type is refused", () => {
    for (const name of ["uint256", "int8", "address", "bool", "string", "bytes", "bytes32"]) {
      refused(single(name, { y: "1" }, { [name]: [{ name: "y", type: "uint8" }] }), name);
    }
  });

  test("names that would make two different types look alike are refused", () => {
    for (const name of ["", "A(B", "A)", "A,B", "A B", "A[]", "Mail(address to)Person"]) {
      refused({ types: { [name]: [{ name: "x", type: "bool" }] }, primaryType: name, domain: {}, message: { x: true } }, `type named ${name}`);
      const members = [{ name, type: "bool" }];
      refused({ types: { A: members }, primaryType: "A", domain: {}, message: { [name]: true } }, `member named ${name}`);
    }
  });

  test("a struct that holds itself ends where it is absent, hashed as eth-sig-util does; one that cannot be absent is refused", () => {
    const around = { A: [{ name: "b", type: "B" }], B: [{ name: "c", type: "C[2]" }], C: [{ name: "a", type: "A" }] };
    const below = { Root: [{ name: "l", type: "Loop" }], Loop: [{ name: "l", type: "Loop" }] };
    for (const typedData of [
      { types: { A: [{ name: "a", type: "A" }] }, primaryType: "A", domain: {}, message: { a: { a: {} } } },
      { types: { A: [{ name: "a", type: "A" }] }, primaryType: "A", domain: {}, message: { a: { a: null } } },
      { types: { A: [{ name: "a", type: "A[]" }] }, primaryType: "A", domain: {}, message: { a: [null, { a: [] }] } },
      { types: around, primaryType: "A", domain: {}, message: { b: { c: [{ a: {} }, { a: {} }] } } },
      { types: below, primaryType: "Root", domain: {}, message: { l: { l: null } } },
      { types: below, primaryType: "Root", domain: {}, message: {} },
    ]) assert.equal(hashTypedData(typedData), plainDigest(typedData), JSON.stringify(typedData));
    refused({ types: { A: [{ name: "a", type: "A[1]" }] }, primaryType: "A", domain: {}, message: { a: [{ a: [] }] } });
    refused({ types: { A: [{ name: "a", type: "A" }] }, primaryType: "A", domain: {}, message: null }, "what is signed itself");
  });

  test("a domain alone is hashed without a message", () => {
    const empty = { types: { EIP712Domain: [] }, primaryType: "EIP712Domain", domain: {}, message: {} };
    assert.equal(hashTypedData(empty), "0x8d4a3f4082945b7879e2b55f181c31a77c8c0a464b70669458abbaaf99de4c38");
    const named = { ...empty, types: { EIP712Domain: [{ name: "name", type: "string" }] }, domain: { name: "x" } };
    for (const typedData of [empty, named]) {
      assert.equal(hashTypedData(typedData), viemDigest(typedData));
      assert.equal(hashTypedData(typedData), ethSigUtilDigest(typedData));
    }
  });

  test("a struct that contains a list of itself is hashed as viem and eth-sig-util hash it", () => {
    const types = { Node: [{ name: "name", type: "string" }, { name: "below", type: "Node[]" }] };
    const leaf = (name) => ({ name, below: [] });
    const typedData = { types, primaryType: "Node", domain: {}, message: { name: "root", below: [leaf("a"), { name: "b", below: [leaf("c")] }] } };
    assert.equal(viemDigest(typedData), ethSigUtilDigest(typedData), "the peers themselves disagree");
    assert.equal(hashTypedData(typedData), viemDigest(typedData));
  });

  test("a primary type that is not there, or not the only candidate, is refused", () => {
    const two = { A: [{ name: "x", type: "bool" }], B: [{ name: "x", type: "bool" }] };
    refused({ types: two, domain: {}, message: { x: true } }, "two roots");
    refused({ types: two, primaryType: "C", domain: {}, message: { x: true } }, "unknown primary type");
    refused({ types: {}, domain: {}, message: {} }, "no types");
    refused({ types: two, primaryType: 1, domain: {}, message: { x: true } }, "primary type a number");
  });

  test("two members of one name in a type are refused", () => {
    const members = [{ name: "x", type: "bool" }, { name: "x", type: "uint8" }];
    refused({ types: { A: members }, primaryType: "A", domain: {}, message: { x: true } });
  });

  test("types, members and domains of the wrong shape are refused", () => {
    for (const types of [null, [], "A", 1, { A: null }, { A: {} }, { A: [null] }, { A: [{ name: "x" }] }, { A: [{ type: "bool" }] },
      { A: [{ name: 1, type: "bool" }] }, { A: [{ name: "x", type: 8 }] }]) {
      refused({ types, primaryType: "A", domain: {}, message: { x: true } }, `types ${JSON.stringify(types)}`);
    }
    for (const domain of [null, "d", 1, []]) refused({ ...single("bool", true), domain }, `domain ${JSON.stringify(domain)}`);
    for (const typedData of [undefined, null, 1, true, [], "", "{", "null", () => 1]) refused(typedData, `argument ${String(typedData)}`);
  });
});

describe("members", () => {
  test("a member that is missing or null is refused, and named", () => {
    for (const type of ["uint256", "string", "bytes", "bytes4", "bool", "address", "uint8[]", "Child"]) {
      const child = type === "Child" ? { Child: [{ name: "y", type: "bool" }] } : {};
      const data = single(type, undefined, child);
      for (const message of [{}, { x: null }, { x: undefined }]) {
        const error = refused({ ...data, message }, `${type} ${JSON.stringify(message)}`);
        assert.match(error.field, /\bx$/);
      }
    }
    const deep = {
      types: { Root: [{ name: "list", type: "Item[]" }], Item: [{ name: "to", type: "address" }] },
      domain: {}, message: { list: [{ to: `0x${"11".repeat(20)}` }, {}] },
    };
    assert.match(refused(deep).field, /list.*1.*to$/);
    refused({ types: { A: [{ name: "x", type: "bool" }] }, primaryType: "A", domain: {} }, "no message at all");
  });

  test("an integer beyond the bounds of its width is refused; at the bound it is accepted", () => {
    for (let width = 8; width <= 256; width += 8) {
      const bound = 1n << BigInt(width);
      hashTypedData(single(`uint${width}`, bound - 1n));
      hashTypedData(single(`int${width}`, bound / 2n - 1n));
      hashTypedData(single(`int${width}`, -bound / 2n));
      for (const spelled of [(value) => value, String]) {
        refused(single(`uint${width}`, spelled(bound)), `uint${width} above`);
        refused(single(`uint${width}`, spelled(-1n)), `uint${width} below`);
        refused(single(`int${width}`, spelled(bound / 2n)), `int${width} above`);
        refused(single(`int${width}`, spelled(-bound / 2n - 1n)), `int${width} below`);
      }
    }
    refused(single("uint256", "9".repeat(100)));
    refused(single("int256", `-${"9".repeat(10_000)}`));
  });

  test("an integer that is not written as one is refused", () => {
    for (const value of [
      1.5, NaN, Infinity, -Infinity, 2 ** 53, 2 ** 64, 1e20, 1e21, 1e300, -(2 ** 53), "1e3", "1.0", "01", "+1", " 1", "1 ", "", "-", "0x", "0xg", "1_000",
      "١", "1n", true, [], ["1"], {}, "--1", "-01",
    ]) refused(single("int256", value), `int256 ${typeof value} ${String(value)}`);
  });

  test("a boolean that is not one is refused", () => {
    for (const value of ["true", "false", "", 0, 1, "0", "1", [], {}]) refused(single("bool", value), `bool ${JSON.stringify(value)}`);
  });

  test("an address that is not twenty bytes of hex is refused", () => {
    for (const value of ["", "0x", `0x${"1".repeat(39)}`, `0x${"1".repeat(41)}`, "1".repeat(40), `0x${"g".repeat(40)}`, `0X${"1".repeat(40)}`,
      ` 0x${"1".repeat(40)}`, "vitalik.eth", 1, true, `0x${"1".repeat(40)}\n`, "native"]) refused(single("address", value), `address ${String(value)}`);
  });

  test("bytes of another length, of odd length or without 0x are refused", () => {
    for (let size = 1; size <= 32; size++) {
      hashTypedData(single(`bytes${size}`, `0x${"ab".repeat(size)}`));
      refused(single(`bytes${size}`, `0x${"ab".repeat(size - 1)}`), `bytes${size} short`);
      refused(single(`bytes${size}`, `0x${"ab".repeat(size + 1)}`), `bytes${size} long`);
    }
    for (const type of ["bytes", "bytes1"]) {
      for (const value of ["", "ab", "0xa", "0xabc", "0xzz", "abc", 1, true, "0x ab", [], [1]]) {
        refused(single(type, value), `${type} ${JSON.stringify(value)}`);
      }
    }
  });

  test("a string that is not one is refused", () => {
    for (const value of [1, true, [], {}, ["a"]]) refused(single("string", value), `string ${String(value)}`);
  });

  test("an array of another length, and what is no array, is refused", () => {
    for (const [type, value] of [
      ["uint8[2]", ["1"]], ["uint8[2]", ["1", "2", "3"]], ["uint8[2]", []], ["uint8[][2]", [["1"]]], ["uint8[2][]", [["1", "2"], ["1"]]],
      ["uint8[]", "1"], ["uint8[]", {}], ["uint8[]", { length: 0 }], ["uint8[]", { 0: "1" }], ["uint8[]", [null]], ["uint8[][]", ["1"]], ["uint8[]", ["256"]],
    ]) refused(single(type, value), `${type} ${JSON.stringify(value)}`);
  });

  test("a struct that is no object is refused", () => {
    for (const value of ["", "{}", 1, true, [], [["y", true]]]) {
      refused(single("Child", value, { Child: [{ name: "y", type: "bool" }] }), `struct ${JSON.stringify(value)}`);
    }
  });

  test("an inherited member does not stand in for a missing one", () => {
    for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"]) {
      const typedData = { types: { A: [{ name, type: "string" }] }, primaryType: "A", domain: {}, message: {} };
      refused(typedData, `inherited ${name}`);
    }
  });
});

describe("size", () => {
  test("endless nesting is refused, and the module survives it", () => {
    let deep = "1";
    for (let level = 0; level < 200_000; level++) deep = [deep];
    refused(single(`uint8${"[]".repeat(200_000)}`, deep), "arrays 200 000 deep");
    refused(single("uint8[]", deep), "value 200 000 deep");
    const types = { Root: [{ name: "x", type: "T0" }] };
    for (let level = 0; level < 5_000; level++) types[`T${level}`] = [{ name: "x", type: `T${level + 1}` }];
    types.T5000 = [{ name: "x", type: "bool" }];
    let message = true;
    for (let level = 0; level <= 5_001; level++) message = { x: message };
    refused({ types, primaryType: "Root", domain: {}, message }, "structs 5 000 deep");
  });

  test("a value that contains itself is refused", () => {
    const message = { x: "1" };
    message.self = message;
    refused({ ...single("uint8", "1"), message }, "message in itself");
    const list = [];
    list.push(list);
    refused(single("uint8[]", list), "array in itself");
  });

  test("types that would blow up exponentially are answered at once or refused", () => {
    const types = {};
    for (let level = 0; level < 40; level++) {
      types[`T${level}`] = [{ name: "a", type: `T${level + 1}[]` }, { name: "b", type: `T${level + 1}[]` }];
    }
    types.T40 = [{ name: "a", type: "bool" }];
    const digest = attempt(() => hashTypedData({ types, primaryType: "T0", domain: {}, message: { a: [], b: [] } }));
    assert.ok(digest.code === "INVALID_INPUT" || /^0x[0-9a-f]{64}$/.test(digest));
  });
});

describe("signatures", () => {
  test("a signature of another length, with an impossible v, r or s, is refused", () => {
    const good = MAIL_SIGNATURE;
    assert.equal(recoverTypedDataSigner(MAIL, good), MAIL_SIGNER);
    const [r, s] = [good.slice(2, 66), good.slice(66, 130)];
    const zero = "0".repeat(64);
    const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for (const signature of [
      "0x", "", null, undefined, 1, good.slice(0, -1), good.slice(0, -2).slice(0, -2), `${good}00`, good.slice(2), `0x${r}${s}1d`, `0x${r}${s}02`,
      `0x${r}${s}1a`, `0x${r}${s}ff`, `0x${zero}${s}1b`, `0x${r}${zero}1b`, `0x${order}${s}1b`, `0x${r}${order}1b`,
      `0x${r}${highS(s)}1b`, good.replace("4355", "zzzz"),
    ]) refusesInput(() => recoverTypedDataSigner(MAIL, signature), `signature ${String(signature)}`);
  });

  function highS(s) {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    return (order - BigInt(`0x${s}`)).toString(16).padStart(64, "0");
  }
});

function attempt(call) {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
