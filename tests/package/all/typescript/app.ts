import { createClient, init, isTradeError, parseUnits, type Client, type ModuleSource } from "verified-swap";
import * as inlined from "verified-swap/inline";
import { moduleUrl, preload } from "verified-swap/preload";
import * as checks from "verified-swap/verify/inline";
import checksWasm from "verified-swap/verify/wasm";
import wasm from "verified-swap/wasm";

const source: ModuleSource = wasm;
void checks.init(checksWasm);
const opening: Promise<void>[] = [init(), init(source), init("/module.wasm"), init(new Uint8Array(8)), init(new URL(moduleUrl()))];
// @ts-expect-error: not units
parseUnits(1.5, 18);
void preload("https://service.example");

export async function price(signal: AbortSignal | undefined): Promise<string> {
  await Promise.all(opening);
  const client: Client = await createClient({ baseUrl: "https://service.example", partner: undefined });
  const other: Client = await inlined.createClient({ baseUrl: "https://service.example" });
  other.close();
  const pair = { chainId: 8453, srcToken: "native", destToken: "0x", srcDecimals: 18, destDecimals: 6 } as const;
  try {
    const { destAmount } = await client.quote({ ...pair, amount: parseUnits("1.5", 18) }, { signal });
    return destAmount;
  } catch (error) {
    return isTradeError(error, "RATE_LIMITED") ? error.message : "";
  }
}
