import { control } from "./control.ts";

/* The lies that the sandbox's service can be made to tell. */

/** A lie, in words and as it is told. */
export interface LieWords {
  /** The path of the swaps that it is about. */
  path: "gasless" | "market";
  /** The fields in which it may be found, by the refusal's report. */
  field: RegExp;
  /** The name of that field. */
  member: string;
  /** The lie itself. */
  did: string;
  /** The damage without a check. */
  would: string;
}

const STRANGER = "Your tokens would have gone to a stranger.";

/** The eight, by their names in the page's address. */
export const LIES = {
  receiver: {
    path: "gasless",
    field: /beneficiary|handler/,
    member: "receiver",
    did: "The service put another receiver into your order.",
    would: STRANGER,
  },
  minimum: {
    path: "gasless",
    field: /(dest|src)Amount/i,
    member: "amount",
    did: "The service wrote a tenth of your minimum into your order.",
    would: "You could have received 90 % less than you asked for.",
  },
  spender: {
    path: "gasless",
    field: /spender/,
    member: "contract to approve",
    did: "With the price, the service named another contract to approve.",
    would: "A stranger’s contract could have taken the tokens that you pay with.",
  },
  deadline: {
    path: "gasless",
    field: /deadline/,
    member: "deadline",
    did: "The service moved the deadline by ten years.",
    would: "Your order could have been filled at today’s price for ten years.",
  },
  price: {
    path: "gasless",
    field: /\.price$/,
    member: "price",
    did: "The service quoted a fifth too little, with dollar values to match. Only the chain’s own pools and feeds tell.",
    would: "You would have given away a fifth of its worth.",
  },
  token: {
    path: "gasless",
    field: /destToken/,
    member: "token to receive",
    did: "The service put a token of its own into your order.",
    would: "You would have been paid in a worthless token.",
  },
  marketReceiver: {
    path: "market",
    field: /beneficiary/,
    member: "receiver",
    did: "The service hid another receiver in the transaction’s data.",
    would: STRANGER,
  },
  marketTo: {
    path: "market",
    field: /\.to$/,
    member: "contract to call",
    did: "The service built a transaction to a contract of its own.",
    would: "Your wallet would have called a stranger’s contract.",
  },
} satisfies Record<string, LieWords>;

/** The name of a lie. */
export type Lie = keyof typeof LIES;

/** All of them, in the order of the page. */
export const ALL: readonly Lie[] = ["receiver", "minimum", "spender", "deadline", "price", "token", "marketReceiver", "marketTo"];

/** Whether a text names a lie. */
export const isLie = (name: string | null): name is Lie => name !== null && Object.hasOwn(LIES, name);

/** A mark that a lie may be told: a page that crashed did not end it. */
const TOLD = "sandbox-lie";

/** A token of the attacker's own in the place of the one to receive. */
const OTHER_TOKEN = {
  target: "build",
  patch: [{ op: "replace", path: "/toSign/value/destToken", value: "0xBaD0000000000000000000000000000000000BAD" }],
  rehash: true,
  times: -1,
};

/** The requests under way: one after the other, so that the last word is the last to arrive. */
let queue: Promise<void> = Promise.resolve();
const inTurn = (work: () => Promise<void>): Promise<void> => (queue = queue.then(work, work));

/** From now on every answer of the service carries this lie, and no other, until `beHonest`. */
export async function tellLie(lie: Lie): Promise<void> {
  await beHonest();
  return inTurn(async () => {
    localStorage.setItem(TOLD, lie);
    // Without a gasless price the form takes the Market path by itself.
    if (LIES[lie].path === "market") await control("settings", { deltaRefuses: "NoRouteFound" });
    if (lie === "token") await control("tamper", OTHER_TOKEN);
    else await control("lie", { kind: lie });
  });
}

/** The requests that end every lie. */
const HONESTY: readonly [name: string, body: object][] = [
  ["lie", { kind: "none" }],
  ["tamper", { target: "build", times: 0 }],
  ["settings", { deltaRefuses: "" }],
];

/** Ends the lie that this page, or one that crashed, told; does nothing without one. */
export function beHonest(): Promise<void> {
  return inTurn(async () => {
    if (!localStorage.getItem(TOLD)) return;
    for (const [name, body] of HONESTY) await control(name, body);
    localStorage.removeItem(TOLD);
  });
}

/** The same when the page is left, and no answer can be awaited. */
export function beHonestOnLeaving(): void {
  if (!localStorage.getItem(TOLD)) return;
  for (const [name, body] of HONESTY) navigator.sendBeacon(`/sandbox/${name}`, JSON.stringify(body));
  localStorage.removeItem(TOLD);
}
