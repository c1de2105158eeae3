import { type Explanation, explain } from "verified-swap/verify";
import { ANY_ACCOUNT, type Payload } from "./read.ts";

/** The fields beside the payload; what is not stated is absent. */
export interface Stated {
  accounts: string[];
  chainId: number | undefined;
}

export interface Explained {
  answer: Explanation;
  /** The assumptions of the answer, in sentences. */
  assumptions: string[];
}

/**
 * The explanation of a payload. Without a stated account or chain the payload's own are taken, which is said: it was made by the
 * site that asks, and a stranger's payload names a stranger.
 */
export function explained(payload: Payload, stated: Stated): Explained {
  const assumptions: string[] = [];
  const ask = (accounts: string[], chainId: number): Explanation => explain(payload.call(stated.accounts[0] ?? ANY_ACCOUNT), { accounts: accounts.map(typed), chainId });
  let { accounts } = stated;
  let chainId = stated.chainId ?? payload.chainId;
  if (chainId === undefined) {
    // A chain that the payload names is the same whatever chain the wallet is on.
    const [here, there] = [1, 10].map((chain) => ask(accounts, chain).facts.chainId);
    const named = here === there && typeof here === "number" && here > 0;
    chainId = named ? here : 1;
    // The 0 of an authorization stands for all.
    const none = here === 0 ? "It holds on every chain" : "No chain is read in it";
    assumptions.push(named ? `It names chain ${chainId}, and you have not said on which one your wallet is.` : `${none}, and you have stated none: read as on Ethereum (1).`);
  }
  if (!accounts.length) {
    const { facts, findings } = ask(accounts, chainId);
    // A sign-in has its account in the text alone.
    const stranger = findings.find(({ id, field }) => id === "account.unjudged" && /(^|\.)message$/.test(field))?.values.account?.value;
    const own = [facts.from, facts.owner, stranger].find((one) => typeof one === "string" && one !== ANY_ACCOUNT);
    accounts = typeof own === "string" ? [own] : [];
    assumptions.push(
      typeof own === "string"
        ? `You have not said which account is yours: ${own}, which it names itself, was taken for yours. If it is not, the answer is wrong.`
        : "You have not said which account is yours, and it names none: whose its receivers are is not known.",
    );
  }
  const answer = ask(accounts, chainId);
  if (answer.facts.from === ANY_ACCOUNT) {
    // The account that this page put there is nobody's, and in no payload.
    delete answer.facts.from;
    answer.findings = answer.findings.filter(({ id, field }) => !["sender.other", "account.unjudged"].includes(id) || field !== "from");
  }
  const { statedHash } = payload;
  if (statedHash && answer.digests.eip712 !== statedHash.toLowerCase()) {
    assumptions.push(`It was copied with the hash ${statedHash.slice(0, 80)}, and hashes to something else: another chain, an older Safe, or another transaction.`);
  }
  return { answer, assumptions };
}

const typed = (address: string): `0x${string}` => `0x${address.slice(2)}`;
