// Calls that contradict themselves do not compile: each `@ts-expect-error` fails where the line below it compiles.
import type { Client, QuoteRequest } from "verified-swap";

export function refused(client: Client, request: QuoteRequest): void {
  // @ts-expect-error: a price is required
  client.trade(request, { onReview: () => true });
}
