/* Every text of the components, in English. An app with other words or another language gives its own of the same shape, whole
   or `{ ...english, you: "Du" }`, in `reader.texts`. */

export type Texts = typeof english;

export const english = {
  you: "You",
  asked: "You asked",
  /** Of a bound that nobody typed. */
  allows: "This page allows",
  signing: { sign: "You are signing", send: "You are sending", consent: "You consent to" },
  served: "The service put",
  groups: {
    who: "Who",
    what: "What",
    amount: "How much",
    until: "Until",
    cost: "Cost",
    contract: "Contract",
    other: "Other",
  },
  /** What a group's mark says to a screen reader. */
  verdicts: { ok: "as asked", unusual: "unusual", unjudged: "not judged", mismatch: "differs" },
  checkVerdicts: {
    ok: "Matches",
    /** Of a rule, where nothing is compared with what was asked. */
    holds: "Holds",
    mismatch: "Differs",
    opaque: "Not judged: nobody can",
    unknown: "Not judged: data is missing",
    unusual: "Unusual",
  },
  check: { asked: "asked", allows: "this page allows", received: "received" },
  notJudged: (count: number) => `${count} not judged`,
  checksOf: (count: number) => (count === 1 ? "1 check" : `${count} checks`),
  passed: (count: number, unusual: number) => {
    if (unusual > 0) return `${count} passed, ${unusual} unusual`;
    return count === 1 ? "1 check passed" : `${count} checks passed`;
  },
  failed: (count: number, all: number) => `${count} of ${all} checks failed`,
  beforeFee: (value: string) => `${value}, before the fee`,
  ignore: (names: string[]) =>
    names.length === 1
      ? `1 field is yours to ignore: ${names.join()}`
      : `${names.length} fields are yours to ignore: ${names.join(", ")}`,
  bridge: (names: string[]) => `Not checked, and up to the bridge: ${names.join(", ")}. What enters it is checked.`,
  unknown: (names: string[]) => `Not known: ${names.join(", ")}`,
  slices: (count: string) => `${count} slices`,
  each: (sum: string) => `${sum} each`,
  on: (symbol: string, chain: string) => `${symbol} on ${chain}`,
  references: "what pools and price feeds say",
  names: {
    receiver: "receiver",
    spender: "contract to approve",
    called: "contract to call",
    deadline: "deadline",
    remaining: "amount left",
    price: "price",
    toReceive: "amount to receive",
    least: "minimum to receive",
    paid: "amount to pay",
    expected: "expected amount",
    fee: "fee",
    owner: "owner",
    srcToken: "token to pay",
    destToken: "token to receive",
    chain: "chain",
    distance: "distance to the quote",
    nonce: "number, used once",
    types: "types",
    hash: "hash that is signed",
  },
  kinds: { 0: "sale", 1: "purchase" } as Record<string, string>,
  refusal: {
    title: "Not what you asked for",
    tooLow: "This price is too low",
    cannotFill: "This order cannot be filled",
    somethingElse: "something else",
    nothing: "nothing",
    stopped: (what: string) => `Stopped. ${what}`,
    put: (received: string, name: string, asked: string) =>
      `The service put ${received} as ${name}; you asked for ${asked}.`,
    putBeyond: (received: string, name: string, allowed: string) =>
      `The service put ${received} as ${name}; this page allows ${allowed}.`,
    price: (price: string) => `This price is ${price}.`,
    /** An OTC order that this account can no longer fill, without any lie: one, or one of several. */
    offers: {
      "order.taker": ["This order is for another account.", "One of these orders is for another account."],
      "order.remaining": ["Nothing is left of this order.", "Nothing is left of one of these orders."],
      "order.expiry": ["This order has expired.", "One of these orders has expired."],
    } as Record<string, [one: string, several: string]>,
    worse: "What it would have done",
    checkFailed: (field: string) => `Check that failed: ${field}.`,
    neverOpened: "Your wallet was never opened",
    notAgain: "Your wallet was not opened again",
    notForThis: "Your wallet was not opened for this",
    prompts: (count: number | undefined) => {
      if (count === undefined) return "Nothing of it was signed, nothing of it was sent.";
      return count === 0
        ? "0 prompts. Nothing was signed, nothing was sent."
        : `${count} before this, for what you agreed to. Nothing more was asked.`;
    },
    alsoFailed: "Also refused",
    tell: "Tell the service: this report has every check, without a signature.",
  },
  consequences: {
    paidIn: (token: string) => `You would be paid in ${token}.`,
    unknownToken: "a token that this page does not know",
    stranger: "a stranger: not you, not your wallet",
    nobody: "nobody: what is sent there is lost",
    goesTo: (who: string) => `Your tokens would go to ${who}.`,
    mayTake: (who: string, symbol: string) => `Your ${symbol} could be taken by ${who}.`,
    isCalled: (who: string) => `Your transaction would go to ${who}.`,
    less: (size: string) => `${size} less than you asked for.`,
    more: (size: string) => `${size} more than you asked to pay.`,
    worthLess: (size: string) => `You would give away ${size} of its worth.`,
    longer: (span: string) => `It could be filled ${span} longer, at a price of long ago.`,
    shorter: (span: string) => `It would end ${span} earlier.`,
    fee: (size: string) => `${size} would go to somebody as a fee.`,
    aBit: "Less than 0.01 %",
    years: (count: number) => `${count} years`,
  },
  questions: {
    legend: "Only you can say yes to this",
    price: "I accept its price.",
    permit: "I accept that.",
    sent: "I looked: it sent nothing.",
    receiver: "I trust the bridge with that.",
  },
  /** What somebody may take by an approval or a permit. */
  allowance: {
    some: (who: string, sum: string) => `Lets ${who} take ${sum}.`,
    unlimited: (who: string, token: string) => `Lets ${who} take all of your ${token}, also what you get later: unlimited.`,
    nothing: (who: string, token: string) => `Takes back what ${who} may take of your ${token}.`,
    /** Of a token whose decimals the app does not know. */
    raw: (amount: string, token: string) => `${amount} of the smallest units of ${token}`,
    until: (time: string) => `It can be used until ${time}.`,
  },
  prompt: {
    /** By what it is for: the heading above what a prompt of the wallet will say. */
    titles: {
      order: "What you are signing",
      otc: "What you are signing",
      permit: "What you permit",
      cancelOrders: "What you cancel",
      approve: "What you allow",
      market: "What you are sending",
      fill: "What you are sending",
      cancel: "What you cancel",
      withdraw: "What you withdraw",
      revoke: "What you take back",
      presign: "What you consent to",
    } as Record<string, string>,
    agree: "Open the wallet",
    decline: "Not now",
    repeated: "You agreed to this before. Its checks took too long, so the wallet did not open.",
    orderIds: "Orders",
    parts: (count: number) => `${count} calls, in one prompt`,
    from: "From",
    to: "To",
    chain: "Chain",
    value: "Native token sent, in wei",
    data: "Calldata",
    findings: "Look at this first",
    digest: {
      orderHash: "Order hash",
      eip712: "Signed (EIP-712 digest)",
      domainSeparator: "Domain hash",
      structHash: "Message hash",
      calldata: "Calldata digest",
    } as Record<string, string>,
  },
  technical: {
    title: "Technical",
    copy: "Copy the report",
    copied: "Copied",
    notCopied: "The browser did not copy it",
    download: "Download it",
    fields: "Every field, as it is signed",
    hardware: "On a hardware wallet",
    domainHash: "Domain hash",
    messageHash: "Message hash",
    signed: "Signed",
    file: "report.json",
  },
};
