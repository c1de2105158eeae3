import type { Chain } from "../sandbox/sandbox.ts";

/** What a chain's node answers to a JSON-RPC request; throws if it does not. */
export async function askNode({ rpc }: Pick<Chain, "rpc">, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (error) throw new Error(error.message ?? "The node refused.");
  return result;
}
