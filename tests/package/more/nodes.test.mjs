/** Nodes take JSON-RPC batches as they like: in any order, short ones, none. Every question gets its own answer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";

const CHAIN_ID = 8453;
const ACCOUNTS = Array.from({ length: 7 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const TOO_MUCH = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not taken like that" } };

let library;
before(async () => {
  const folder = await freshApp("nodes", {});
  library = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
});

/** An account's balance is made of its address, so that no answer fits another question. */
const balance = (account) => BigInt(account) % 1_000_000_007n;

function answer({ id, method, params }) {
  const result = method === "eth_chainId" ? `0x${CHAIN_ID.toString(16)}` : `0x${balance(params[0]).toString(16)}`;
  return { jsonrpc: "2.0", id, result };
}

/**
 * Starts a node that answers a batch by `answerBatch`, and a call alone by `answerOne`; `sizes` are those of what it was asked,
 * 0 for one question.
 */
async function startNode(t, answerBatch, answerOne = (asked) => [200, answer(asked)]) {
  const sizes = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const asked = JSON.parse(body);
    sizes.push(Array.isArray(asked) ? asked.length : 0);
    const [status, said, headers] = Array.isArray(asked) ? answerBatch(asked) : answerOne(asked);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(said));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, sizes };
}

async function readAll(client) {
  const balances = await Promise.all(ACCOUNTS.map((account) => client.info.balance({ chainId: CHAIN_ID, token: NATIVE, account })));
  assert.deepEqual(balances, ACCOUNTS.map((account) => String(balance(account))));
}

const open = (rpc) => library.createClient({ baseUrl: "http://127.0.0.1:9", rpc: { [CHAIN_ID]: rpc } });
const all = (asked) => [200, asked.map(answer)];

const NODES = {
  "answers in another order": [(asked) => [200, asked.map(answer).reverse()], [7]],
  "answers ids as text": [(asked) => [200, asked.map(answer).map((one) => ({ ...one, id: String(one.id) }))], [7]],
  "refuses batches with a status": [() => [400, TOO_MUCH], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches by an error in place of answers": [() => [200, TOO_MUCH], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches with words": [() => [405, "Method Not Allowed"], [0, 0, 0, 0, 0, 0, 0]],
  // Which may also mean that there were too many requests.
  "takes no more than three, and says that a limit is exceeded": [
    (asked) => (asked.length > 3 ? [200, { ...TOO_MUCH, error: { code: -32005, message: "limit exceeded" } }] : all(asked)),
  ],
  "refuses batches by one error in a list, without an id": [() => [200, [TOO_MUCH]], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches by one error in a list, for the first": [([{ id }]) => [200, [{ ...TOO_MUCH, id }]], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches by the same error for each": [(asked) => [200, asked.map(({ id }) => ({ ...TOO_MUCH, id }))], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches by -32005": [
    () => [200, { ...TOO_MUCH, error: { code: -32005, message: "Batched requests are not supported" } }], [0, 0, 0, 0, 0, 0, 0],
  ],
  "refuses batches by 429": [() => [429, "Too Many Requests"], [0, 0, 0, 0, 0, 0, 0]],
  "refuses batches by 503": [() => [503, "no"], [0, 0, 0, 0, 0, 0, 0]],
  "answers batches with an empty list": [() => [200, []], [0, 0, 0, 0, 0, 0, 0]],
  "answers batches with an empty object": [() => [200, {}], [0, 0, 0, 0, 0, 0, 0]],
  "answers batches without ids": [(asked) => [200, asked.map(answer).map((one) => ({ ...one, id: null }))], [0, 0, 0, 0, 0, 0, 0]],
  "answers only the first of a batch": [(asked) => [200, [answer(asked[0])]]],
  "takes no more than three": [(asked) => (asked.length > 3 ? [200, TOO_MUCH] : all(asked)), [2, 2, 2, 0]],
};

for (const [name, [answerBatch, later]] of Object.entries(NODES)) {
  test(`a node that ${name}`, async (t) => {
    const node = await startNode(t, answerBatch);
    const client = await open(node.url);
    await readAll(client);
    assert.ok(node.sizes.length <= 2 * (ACCOUNTS.length + 1), `${node.sizes}`);
    node.sizes.length = 0;
    await readAll(client);
    if (later) assert.deepEqual(node.sizes, later, "once it is learned");
    client.close();
  });
}

test("a node without an answer is named, and a key in its URL is not", async () => {
  const client = await open("http://127.0.0.1:9/v2/SECRET?key=SECRET");
  const error = await readAll(client).then(() => assert.fail("nobody answered"), (error) => error);
  assert.match(error.message, /\(rpc\.8453, http:\/\/127\.0\.0\.1:9\): /);
  assert.ok(!`${error.stack} ${error.cause} ${JSON.stringify(error)}`.includes("SECRET"), error.stack);
  client.close();
});

test("an answer that a batch lacks is asked for again, and one that failed fails alone", async (t) => {
  const lost = await startNode(t, (asked) => [200, asked.slice(1).map(answer)]);
  const client = await open(lost.url);
  await readAll(client);
  client.close();
  const error = { code: 3, message: "execution reverted" };
  const failing = await startNode(t, (asked) => [200, asked.map((one) => (one.params[0] === ACCOUNTS[2] ? { ...answer(one), error, result: undefined } : answer(one)))]);
  const other = await open(failing.url);
  const settled = await Promise.allSettled(ACCOUNTS.map((account) => other.info.balance({ chainId: CHAIN_ID, token: NATIVE, account })));
  assert.deepEqual(settled.map(({ status }) => status).filter((status) => status === "rejected").length, 1);
  assert.equal(settled[2].reason.code, "WALLET_FAILED");
  other.close();
});

test("a node that is too busy is no node that takes no batch, and is not asked again where it says when", async (t) => {
  for (const [headers, trials] of [[{}, 1], [{ "retry-after": "5" }, 0]]) {
    let [busy, refused] = [true, 0];
    const refuse = () => [429, { error: { code: -32005, message: "too many requests" } }, headers];
    const node = await startNode(t, (asked) => (busy ? refuse() : all(asked)), (asked) =>
      (busy && asked.method !== "eth_chainId" ? (refused++, refuse()) : [200, answer(asked)]));
    const client = await open([node.url]);
    const settled = await Promise.allSettled(ACCOUNTS.map((account) => client.info.balance({ chainId: CHAIN_ID, token: NATIVE, account })));
    assert.ok(settled.every(({ reason }) => reason?.code === "RATE_LIMITED"), JSON.stringify(settled));
    assert.deepEqual(node.sizes.filter(Boolean), [7]);
    // All that reads is tried once more after a pause, each by itself.
    assert.equal(refused, trials + 7);
    busy = false;
    node.sizes.length = 0;
    await readAll(client);
    assert.deepEqual(node.sizes, [7]);
    client.close();
  }
});
