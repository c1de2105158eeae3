/** Faults of a wallet that is asked to send calls together (EIP-5792), or for what it has sent of them. */

const SENDS = "wallet_sendCalls";

const throwing = (code) => () => {
  throw Object.assign(new Error(`the wallet's own words for ${code}`), { code });
};
const answering = (answer) => () => answer;

/** Each takes what the wallet would do, and a promise that ends with the fault. */
const KINDS = {
  ...Object.fromEntries(
    [-32601, -32602, -32603, -32002, -32005, 4001, 4100, 4200, 4900, 5700, 5710, 5730, 5740, 5750, 5760].map((code) => [
      String(code), throwing(code),
    ]),
  ),
  "no code": throwing(undefined),
  late: (act, isOver) => isOver.then(act),
};
/** Only answers, with nothing sent. */
const SAYING = { "answers null": answering(null), "answers {}": answering({}), "answers [7]": answering([7]) };
/** Calls sent, and then answered like this. */
const SENDING = {
  "4900 though sent": (act) => act().then(throwing(4900)),
  "-32603 though sent": (act) => act().then(throwing(-32603)),
  "5720 though sent": (act) => act().then(throwing(5720)),
  "null though sent": (act) => act().then(answering(null)),
  "{} though sent": (act) => act().then(answering({})),
  "[7] though sent": (act) => act().then(answering([7])),
  "late though sent": (act, isOver) => act().then((answer) => isOver.then(() => answer)),
};
const ALL = { ...KINDS, ...SAYING, ...SENDING };

export const WALLET_KINDS = Object.keys(ALL);

export const isOfWallet = (endpoint) => endpoint.startsWith("wallet_");

/** Whether that kind can happen to a method. */
export const isKindOf = (kind, endpoint) => kind in KINDS || kind in (endpoint === SENDS ? SENDING : SAYING);

/** Whether the call ends only after the fault, or when its caller gives up. */
export const isLate = (kind) => WALLET_KINDS.includes(kind) && kind.startsWith("late");

/** The same wallet, which fails on `fault({ endpoint, kind, times })`, until that with 0 times. */
export function failing(wallet) {
  let fault = null;
  const { request } = wallet;
  wallet.received = [];
  wallet.request = async (asked) => {
    wallet.received.push(asked.method);
    const act = () => request(asked);
    if (fault?.endpoint !== asked.method || fault.times === 0) return act();
    fault.times--;
    return ALL[fault.kind](act, fault.isOver);
  };
  wallet.fault = (next) => {
    fault?.end();
    let end;
    const isOver = new Promise((resolve) => (end = resolve));
    fault = { ...next, isOver, end };
  };
  return wallet;
}
