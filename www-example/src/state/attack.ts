import type { TradeError } from "verified-swap";
import type { Lie } from "../sandbox/sandbox.ts";

/* The attacks of the demo, and how far the one that runs has come. */

/** Each is a lie of the service, by its name in the page's address, the path that it belongs to, and the field it is in. */
export const ATTACKS: readonly { name: Lie; path: AttackPath; field: RegExp }[] = [
  { name: "receiver", path: "gasless", field: /beneficiary/ },
  { name: "minimum", path: "gasless", field: /destAmount/ },
  { name: "spender", path: "gasless", field: /spender/ },
  { name: "deadline", path: "gasless", field: /deadline/ },
  { name: "price", path: "gasless", field: /\.price$/ },
  { name: "token", path: "gasless", field: /destToken/ },
  { name: "marketReceiver", path: "market", field: /beneficiary/ },
  { name: "marketTo", path: "market", field: /\.to$/ },
];

export type AttackPath = "gasless" | "market";

/** The attack that runs. */
export interface AttackRun {
  name: Lie;
  /** `missed`: nothing stopped it. `failed`: it could not be made. */
  step: "lying" | "stopped" | "missed" | "failed";
  refusal: TradeError | null;
  /** How often the package asked the wallet to sign or send since the attack began. */
  walletRequests: number;
}

/** How an attack that was made ended. */
interface Told {
  step: "stopped" | "missed";
  /** What would have happened without it, in words. */
  would: string;
  walletRequests: number;
}

/** Each attack that was made since the page was opened. */
export type Score = Partial<Record<Lie, Told>>;

/** How many lies were told, how many went through, and how often the wallet was asked. */
export function countScore(score: Score): { told: number; missed: number; prompts: number } {
  const all = Object.values(score);
  const missed = all.filter(({ step }) => step === "missed").length;
  return { told: all.length, missed, prompts: all.reduce((sum, { walletRequests }) => sum + walletRequests, 0) };
}

/** The one after `name` that was not told yet; undefined once all were. */
export function untoldAfter(name: Lie | undefined, score: Score): Lie | undefined {
  const at = ATTACKS.findIndex((attack) => attack.name === name) + 1;
  return [...ATTACKS.slice(at), ...ATTACKS.slice(0, at)].find((attack) => !score[attack.name])?.name;
}
