// Before the wallet signs or sends: what it is, and whether it is what the user asked for. No page is trusted with the answer: what
// was asked for was shown in a dialog of the wallet's, and is kept in the Snap's state until it is used.
import { explain, init, isTradeError, verifyOtc, verifyPermit, verifyTransaction } from "verified-swap/verify/inline";

const VERIFIERS = { verifyOtc, verifyPermit, verifyTransaction };
/** The members that `expect` takes for each: the request, which is shown. A page's word on the chain counts for nothing. */
const MEMBERS = { verifyOtc: ["request"], verifyPermit: ["request"], verifyTransaction: ["kind", "request"] };

/** `expect`: a page says what is about to be signed; it counts once the user has confirmed it here. */
export const onRpcRequest = async ({ origin, request: { method, params } }) => {
  if (method !== "expect") throw new Error(`${method} is not a method of this Snap: expect is`);
  const { verifier, ...given } = params;
  const members = Object.hasOwn(MEMBERS, verifier) ? MEMBERS[verifier] : [];
  const expected = { verifier, given: Object.fromEntries(Object.entries(given).filter(([name]) => members.includes(name))) };
  const shown = [["verifier", verifier], ["kind", expected.given.kind], ...Object.entries(expected.given.request ?? {})];
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const lines = shown.filter(([, value]) => value !== undefined).map(([name, value]) => row(name, text(value)));
  const content = box([heading("Is this what you want to sign next?"), row("asked by", origin), ...lines]);
  const isConfirmed = await snap.request({ method: "snap_dialog", params: { type: "confirmation", content } });
  if (isConfirmed) await keep(expected);
  return Boolean(isConfirmed);
};

export const onSignature = async (asked) => {
  const { signature } = asked;
  const isTyped = /^eth_signTypedData(_v[34])?$/.test(signature.signatureMethod);
  const chainId = Number(await ethereum.request({ method: "eth_chainId" }));
  return insight(asked, { accounts: [signature.from], chainId }, ["verifyOtc", "verifyPermit"], isTyped && { toSign: signature.data });
};

export const onTransaction = (asked) => {
  const { from, to, value = "0x0", data = "0x" } = asked.transaction;
  const chainId = Number(asked.chainId.replace("eip155:", ""));
  // The whole of it: what the verifier does not know it refuses.
  const built = { ...asked.transaction, value, data, chainId };
  return insight(asked, { accounts: [from], chainId }, ["verifyTransaction"], to && { transaction: built });
};

/** The insight that the wallet shows beside its own screen. Never that something is harmless. */
async function insight(asked, context, verifiers, payload) {
  await init();
  const { sentence, verdict, findings, opaque } = explain(asked, context);
  const what = [text(sentence), ...findings.map((finding) => row(finding.severity, finding.text))];
  if (opaque.length) what.push(row("not read", opaque.join(", ")));
  const isAlarming = verdict === "unread" || findings.some(({ severity }) => severity === "danger");
  const expected = await kept();
  if (!payload || !expected || !verifiers.includes(expected.verifier)) return shown("Nobody told this Snap what you want to sign", what, isAlarming);
  // It counts for one payload: the next one has to be confirmed again.
  await keep(null);
  try {
    const { questions, unread } = VERIFIERS[expected.verifier]({ ...expected.given, ...payload });
    const open = questions.map((question) => row("answer this first", question.text));
    return shown("As you asked", [...what, ...open, row("not judged", unread.join(", "))], isAlarming || questions.length > 0);
  } catch (error) {
    if (!isTradeError(error)) throw error;
    const lines = ["field", "expected", "actual"].filter((name) => error[name]).map((name) => row(name, error[name]));
    return shown("Do not sign: this is not what you asked for", [...lines, ...what], true);
  }
}

const shown = (title, lines, isCritical) => ({ content: box([heading(title), ...lines]), ...(isCritical && { severity: "critical" }) });
const kept = async () => (await snap.request({ method: "snap_manageState", params: { operation: "get" } }))?.expected;
const keep = (expected) => snap.request({ method: "snap_manageState", params: { operation: "update", newState: { expected } } });

// Components as the wallet takes them, plain JSON: no JSX, and no other package.
const component = (type, props) => ({ type, props, key: null });
const box = (children) => component("Box", { children });
const heading = (children) => component("Heading", { children });
const text = (children) => component("Text", { children });
const row = (label, value) => component("Row", { label, children: text(value) });
