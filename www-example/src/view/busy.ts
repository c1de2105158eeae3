import type { Busy } from "../state/state.ts";

/** What the page is waiting for, in words. */
export function busyWords(busy: Busy): string {
  switch (busy) {
    case "building":
      return "Building and checking…";
    case "permitting":
      return "Sign the permit in your wallet…";
    case "resetting":
      return "Confirm the reset of the old approval in your wallet…";
    case "approving":
      return "Confirm the approval in your wallet…";
    case "confirming":
      return "Waiting for the network to confirm…";
    case "signing":
      return "Sign the order in your wallet…";
    case "presigning":
      return "Preparing the transaction of your consent…";
    case "posting":
      return "Signed. Posting…";
    case "simulating":
      return "Testing the transaction without sending it…";
    case "sending":
      return "Confirm the transaction in your wallet…";
    case "cancelling":
      return "Sign the cancellation in your wallet…";
  }
}
