/** The tarball's declarations in strict TypeScript apps: what should compile does, what should not does not. */
import { test } from "node:test";
import { join } from "node:path";
import { freshApp, run } from "./app.mjs";
import { ROOT } from "./locations.mjs";

/** Each `@ts-expect-error` fails the compilation where the line below it would compile. */
const APP = `import { createClient, init, isTradeError, minReceived, parseUnits, type Client, type DeltaBuild, type Order } from "verified-swap";
import { createClient as createInlined } from "verified-swap/inline";

const wallet = { request: async ({ method }: { method: string; params?: readonly unknown[] | object }): Promise<unknown> => method };

export async function trade(): Promise<Order> {
  const client: Client = await createClient({ baseUrl: "https://service.example", partner: "app", wallet });
  const inlined: Client = await createInlined({ baseUrl: "https://service.example" });
  inlined.close();
  const quote = await client.quote({ chainId: 8453, srcToken: "native", destToken: "0x", amount: 1n, srcDecimals: 18, destDecimals: 6 });
  const least: string = minReceived(quote, 50);
  const build: DeltaBuild = await client.build(quote, { slippageBps: 50, minReceived: least });
  if (build.approval) await client.approve(build.approval, { amount: "unlimited" });
  for await (const order of client.watch(await client.submit(build))) if (order.status === "COMPLETED") return order;
  throw new Error("not completed");
}

export async function mistakes(client: Client, build: DeltaBuild): Promise<void> {
  await init();
  // @ts-expect-error: a number has lost digits before anyone can check it
  await client.quote({ chainId: 1, srcToken: "a", destToken: "b", amount: 1, srcDecimals: 18, destDecimals: 6 });
  // @ts-expect-error: slippage has no silent default
  await client.build(await client.quote({ chainId: 1, srcToken: "a", destToken: "b", amount: "1", srcDecimals: 18, destDecimals: 6 }), {});
  // @ts-expect-error: a misspelt option
  await client.submit(build, { onProgres: () => undefined });
  // @ts-expect-error: a client needs to know its service
  await createClient({});
  const units: bigint = BigInt(parseUnits("1.5", 6));
  void units;
}

export function told(error: unknown): string | undefined {
  if (isTradeError(error, "VERIFY_MISMATCH")) {
    const code: "VERIFY_MISMATCH" = error.code;
    return [code, error.field, error.expected, error.actual].join(" ");
  }
  if (isTradeError(error) && error.code === "USER_REJECTED") return "rejected";
  // @ts-expect-error: not one of the codes
  if (isTradeError(error, "USER_REJECT")) return "rejected";
  return undefined;
}
`;

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
};

const KINDS = {
  bundler: { module: "esnext", moduleResolution: "bundler" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
};

for (const [name, kind] of Object.entries(KINDS)) {
  test(`a strict app compiles with moduleResolution ${name}`, async () => {
    const config = JSON.stringify({ compilerOptions: { ...OPTIONS, ...kind }, files: ["app.ts"] });
    const folder = await freshApp(`types-${name}`, { "app.ts": APP, "tsconfig.json": config });
    await run(folder, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "."]);
  });
}
