/** The package's refusal: a TradeError with the code, naming the field it is about. */
import assert from "node:assert/strict";
import { isTradeError } from "verified-swap";

/** Asserts that `call` throws INVALID_INPUT; returns the error, for a closer look at `field`. */
export function refusesInput(call, what) {
  let result;
  try {
    result = call();
  } catch (error) {
    assert.ok(isTradeError(error, "INVALID_INPUT"), `${what}: expected INVALID_INPUT, got ${error?.code ?? error}`);
    assert.equal(typeof error.field, "string", `${what}: the error names no field`);
    assert.notEqual(error.message, "", `${what}: the error says nothing`);
    return error;
  }
  assert.fail(`${what}: accepted, with ${String(result)}`);
}
