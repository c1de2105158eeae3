/** Both ways of examples/sdk-verify: how they are run, the service's answers to the SDK, and what is refused of it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

export const THIEF = "0xBAd0000000000000000000000000000000000Bad";
const replace = (path, value) => ({ op: "replace", path, value });
const less = (path) => ({ op: "scale", path, num: 1, den: 10 });

/** `[what, the sandbox's name of the endpoint, patch, code and field]`. docs/doors.md has each. */
export const LIES = [
  ["another contract", "contracts", [replace("/ParaswapDelta", THIEF)], "VERIFY_MISMATCH domain.verifyingContract"],
  ["a share of the surplus for the partner", "partnerFee", [replace("/takeSurplus", true)], "VERIFY_MISMATCH order.partnerAndFee.takeSurplus"],
  ["a fee of 2 %", "olderPrices", [replace("/price/partnerFee", 2)], "VERIFY_MISMATCH quote.fee"],
  ["a fee of 2 % that the price does not state", "partnerFee", [replace("/partnerFee", 2)], "VERIFY_MISMATCH order.partnerAndFee.feeBps"],
  ["another token to sell", "olderPrices", [replace("/price/srcToken", THIEF)], "VERIFY_MISMATCH quote.srcToken"],
  ["another token to buy", "olderPrices", [replace("/price/destToken", THIEF)], "VERIFY_MISMATCH quote.destToken"],
  ["the price of another amount", "olderPrices", [less("/price/srcAmount")], "VERIFY_MISMATCH quote.srcAmount"],
  ["a tenth for it, with the dollars as they were", "olderPrices", [less("/price/destAmount")], "VERIFY_MISMATCH quote.price"],
  ["a tenth for it, with its dollars", "olderPrices", [less("/price/destAmount"), less("/price/destUSD")], "VERIFY_MISMATCH quote.loss"],
  ["nothing for it", "olderPrices", [replace("/price/destAmount", "0")], "VERIFY_MISMATCH quote.destAmount"],
  ["a bridge", "olderPrices", [replace("/price/bridge/destinationChainId", 10)], "VERIFY_MISMATCH order.bridge.destinationChainId"],
  ["data for a bridge", "olderPrices", [replace("/price/bridge/protocolData", "0x01")], "VERIFY_MISMATCH order.bridge.protocolData"],
  ["a price across chains", "olderPrices", [{ op: "add", path: "/price/bridgeInfo", value: {} }], "SERVICE_MALFORMED quote.bridgeInfo"],
];

/** One run of a script of the example: its exit code, and what it printed. `input` is typed at it. */
export function run({ sandbox, folder, script }, settings, input = "") {
  const env = { ...process.env, PRIVATE_KEY: sandbox.accounts[0].privateKey, SANDBOX: sandbox.url, ...settings };
  const program = spawn(process.execPath, [script], { cwd: folder, env });
  let said = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (text) => (said += text));
  program.stdin.end(input);
  return new Promise((resolve) => program.once("close", (code) => resolve({ code, said })));
}

/** How many orders the service has got. */
export const posted = async (sandbox) => (await sandbox.control("GET", "record")).requests.filter(({ endpoint }) => endpoint === "olderPost").length;

/** Has the service lie in one of those ways, until it is honest again. */
export async function lying(sandbox, [, target, patch], work) {
  const tamper = (told, changes, times = -1) => sandbox.control("POST", "tamper", { target: told, patch: changes, times });
  // The fee of a price counts more than the partner's.
  if (target === "partnerFee") await tamper("olderPrices", [{ op: "remove", path: "/price/partnerFee" }]);
  await tamper(target, patch);
  const came = await work();
  for (const told of [target, "olderPrices"]) await tamper(told, [], 0);
  return came;
}

/** A script's part for the checks takes at most 15 lines: a function, and the lines that are `needed` elsewhere. */
export function countLines(text, name, needed) {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.includes(`function ${name}(`));
  const end = lines.indexOf("}", begin);
  assert.ok(begin > 0 && end > begin);
  const all = lines.filter((line, at) => (at >= begin && at <= end) || /verified-swap\/verify"|\binit\(\)/.test(line) || needed.test(line));
  assert.ok(all.length > 5 && all.length <= 15, `${all.length} lines:\n${all.join("\n")}`);
}
