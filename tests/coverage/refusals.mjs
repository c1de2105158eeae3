// Refusals of the service: each has its code and carries the service's words. Refusals that an honest client never
// causes are set as faults.
import assert from "node:assert/strict";
import { isTradeError } from "verified-swap";

export async function refusals(t, world) {
  const { accounts, token, units, pair, fund } = world;
  const account = accounts[2];
  const [usdc, dai] = ["USDC", "DAI"].map((symbol) => token(symbol));
  const client = await world.client(account);
  const { chainId } = world.chain;
  await fund(account, usdc, units(100, usdc));

  const fault = (endpoint, status, errorType, times = 1) =>
    world.sandbox.control("POST", "fault", { endpoint, status, errorType, details: `of ${errorType}`, times });
  const refused = (call, code, status, errorType) =>
    assert.rejects(call, (error) => {
      assert.ok(isTradeError(error), error);
      assert.deepEqual([error.code, error.status, error.errorType], [code, status, errorType]);
      assert.ok(error.details, "in its own words");
      return true;
    });

  await t.test("no price for the size", async () => {
    const request = pair(usdc, dai, { amount: units(20_000_000, usdc) });
    await refused(client.quote(request), "NO_ROUTE", 400, "PricingError");
    await refused(client.quote({ ...request, mode: "MARKET" }), "NO_ROUTE", 400, "PricingError");
  });

  await t.test("a chain it does not serve", () => refused(client.info.tokens({ chainId: 10 }), "UNSUPPORTED_CHAIN", 422, "UnsupportedChain"));

  await t.test("a signature it does not take", async () => {
    const build = await client.build(await client.quote(pair(usdc, dai, { amount: units(10, usdc) })), { slippageBps: 100 });
    if (build.approval) await client.approve(build.approval);
    await fault("post", 400, "InvalidSignature");
    await refused(client.submit(build), "SIGNATURE_MISMATCH", 400, "InvalidSignature");
  });

  for (const [status, errorType, code] of [
    [400, "SomethingNew", "SERVICE_REJECTED"],
    [500, "InternalError", "SERVICE_REJECTED"],
    [429, "RateLimitExceeded", "RATE_LIMITED"],
  ]) {
    await t.test(`a ${status} is told by its code, and the next request is answered`, async () => {
      await fault("agents", status, errorType, -1);
      await refused(client.info.agents({ chainId }), code, status, errorType);
      await fault("agents", status, errorType, 0);
      assert.ok((await client.info.agents({ chainId })).length > 0);
    });
  }
}
