/** A proving light client as node: Colibri itself, behind provers that give no proof. The guide has what this shows. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { createClient, isTradeError } from "verified-swap";
import { PACKAGES } from "../../xtask/node/docs/packages.mjs";

const { default: Colibri, Strategy } = createRequire(join(PACKAGES, "package.json"))("@corpus-core/colibri-stateless");
const ACCOUNT = `0x${"11".repeat(20)}`;
/** The unproven answer of the node beside the prover. */
const UNPROVEN = 0x1234;

/** The prover's answers, and Colibri's words for them. */
const PROVERS = {
  "fails": [500, "no", /HTTP error! Status: 500/],
  "sends what is no proof": [200, Buffer.alloc(200), /Invalid offset for container/],
};

/** A prover and a node: the questions it was asked, by path, and a client that reads chain 1 through Colibri. */
async function start(t, [status, body], settings) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const parts = await request.toArray();
    asked.push(request.url.split("/")[1]);
    if (!request.url.startsWith("/rpc")) return response.writeHead(status).end(body);
    const { id } = JSON.parse(Buffer.concat(parts));
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: `0x${UNPROVEN.toString(16)}` }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = (place) => [`http://127.0.0.1:${server.address().port}/${place}`];
  const places = { prover: at("prover"), rpcs: at("rpc"), beacon_apis: at("beacon"), checkpointz: at("checkpoint") };
  const node = new Colibri({ chainId: 1, ...places, warningHandler: async () => {}, ...settings });
  const client = await createClient({ baseUrl: "http://127.0.0.1:9", rpc: { 1: node } });
  t.after(() => (client.close(), server.close()));
  return { asked, balance: () => client.info.balance({ chainId: 1, token: "native", account: ACCOUNT }) };
}

for (const [what, prover] of Object.entries(PROVERS)) {
  for (const strategy of ["VerifiedOnly", "VerifyIfPossible"]) {
    test(`where the prover ${what}, ${strategy} is an error of the package's`, async (t) => {
      const { asked, balance } = await start(t, prover, { proofStrategy: Strategy[strategy] });
      const error = await balance().then(assert.fail, (error) => error);
      assert.ok(isTradeError(error, "WALLET_FAILED") && error.action === "retry", error);
      assert.match(error.cause.message, prover[2]);
      assert.ok(asked.includes("prover") && !asked.includes("rpc"), asked.join());
    });
  }

  test(`where the prover ${what}, the default strategy takes the unproven answer`, async (t) => {
    const { asked, balance } = await start(t, prover, {});
    assert.equal(Number(await balance()), UNPROVEN);
    assert.ok(asked.includes("prover") && asked.includes("rpc"), asked.join());
  });
}
