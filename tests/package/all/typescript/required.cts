import swap = require("verified-swap");
import inlined = require("verified-swap/inline");
import preloading = require("verified-swap/preload");

export async function chains(): Promise<number> {
  await swap.init(new Uint8Array(8));
  await inlined.init();
  const client: swap.Client = await swap.createClient({ baseUrl: preloading.moduleUrl() });
  // @ts-expect-error: misspelt
  await client.chain();
  return (await client.info.chains()).length;
}
