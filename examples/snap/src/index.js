// Before the wallet signs or sends: whether it is what the user asked for. No page is trusted with the answer; what was asked
// for was shown in a dialog of the wallet's, and is kept in the Snap's state until it is used.
import { init, isTradeError, verifyOtc, verifyPermit, verifyTransaction } from "verified-swap/verify/inline";

const VERIFIERS = { verifyOtc, verifyPermit, verifyTransaction };
/** What `expect` takes for each. */
const MEMBERS = { verifyOtc: ["request"], verifyPermit: ["request", "readings"], verifyTransaction: ["kind", "request"] };

/** `expect`: a page says what is about to be signed; it counts once the user has confirmed it here. */
export const onRpcRequest = async ({ origin, request: { method, params } }) => {
  if (method !== "expect") throw new Error(`${method} is not a method of this Snap: expect is`);
  const { verifier, ...given } = params;
  const members = Object.hasOwn(MEMBERS, verifier) ? MEMBERS[verifier] : [];
  const expected = { verifier, given: Object.fromEntries(Object.entries(given).filter(([name]) => members.includes(name))) };
  const lines = Object.entries({ verifier, ...expected.given.request }).map(([name, value]) => row(name, String(value)));
  const content = box([heading("Is this what you want to sign next?"), row("asked by", origin), ...lines]);
  const isConfirmed = await snap.request({ method: "snap_dialog", params: { type: "confirmation", content } });
  if (isConfirmed) await keep(expected);
  return Boolean(isConfirmed);
};

export const onSignature = ({ signature, signatureOrigin }) => {
  const isTyped = /^eth_signTypedData(_v[34])?$/.test(signature.signatureMethod);
  return insight(["verifyOtc", "verifyPermit"], signatureOrigin, isTyped && { toSign: signature.data });
};

export const onTransaction = ({ transaction: { from, to, value = "0x0", data = "0x" }, chainId, transactionOrigin }) => {
  const [, id] = /^eip155:(\d+)$/.exec(chainId) ?? [];
  const built = { from, to, value: BigInt(value), data, ...(id && { chainId: Number(id) }) };
  return insight(["verifyTransaction"], transactionOrigin, to && { transaction: built });
};

/** The insight that the wallet shows beside its own screen. Never that something is harmless. */
async function insight(verifiers, origin, payload) {
  const expected = await kept();
  if (!payload || !expected || !verifiers.includes(expected.verifier)) {
    return { content: box([heading("Not checked"), text("Nobody told this Snap what you want to sign.")]) };
  }
  // It counts for one payload: the next one has to be confirmed again.
  await keep(null);
  await init();
  try {
    const { sentence, questions, unread } = VERIFIERS[expected.verifier]({ ...expected.given, ...payload });
    const open = questions.map((question) => text(`Answer this first: ${question.text}`));
    const content = box([heading("As you asked"), text(sentence), ...open, row("not read", unread.join(", ")), row("origin", origin)]);
    return questions.length ? { content, severity: "critical" } : { content };
  } catch (error) {
    if (!isTradeError(error)) throw error;
    const lines = ["field", "expected", "actual"].filter((name) => error[name]).map((name) => row(name, error[name]));
    return { content: box([heading("Do not sign"), text("This is not what you asked for."), ...lines, row("origin", origin)]), severity: "critical" };
  }
}

const kept = async () => (await snap.request({ method: "snap_manageState", params: { operation: "get" } }))?.expected;
const keep = (expected) => snap.request({ method: "snap_manageState", params: { operation: "update", newState: { expected } } });

// Components as the wallet takes them, plain JSON: no JSX, and no other package.
const component = (type, props) => ({ type, props, key: null });
const box = (children) => component("Box", { children });
const heading = (children) => component("Heading", { children });
const text = (children) => component("Text", { children });
const row = (label, value) => component("Row", { label, children: text(value) });
