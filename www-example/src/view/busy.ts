import { messages } from "../messages/en.ts";
import type { Busy } from "../state/state.ts";

/** What the page is waiting for, in words. */
export function busyWords(busy: Busy): string {
  return messages.progress.busy[busy];
}
