// @ts-nocheck
// What `onPrompt` agreed to. A client and a guard that were given the same function ask it once about the same payload: the
// client always asks, and notes here what was agreed to; the guard does not ask what is noted. Only who has the function, and
// this file, could note anything: no entry exports it. Two copies of the package know nothing of each other, so both ask.

/** How long what was agreed to may take to get to the wallet, in milliseconds. */
const LASTING_MS = 60_000;
/** By the function, what it agreed to last: the prompt as text, and the time. */
const agreements = /* @__PURE__ */ new WeakMap();

/** Whether an answer of `onPrompt` agrees, and leaves no question open. */
export const agrees = (answer, questions) =>
  answer === true ? !questions.length : Array.isArray(answer?.accept) && questions.every(({ id }) => answer.accept.includes(id));

/** A prompt's calls and typed data, as one text. Throws where it is not of the form that a client gives. */
const textOf = ({ parts, capabilities }) =>
  JSON.stringify(capabilities) + parts
    .map(({ from, typedData, chainId, to, value, data }) =>
      JSON.stringify([...[from, chainId, to, data].map((one) => String(one).toLowerCase()), typedData ?? String(BigInt(value))]))
    .join("\n");

/** The same options, whose `onPrompt` notes what it agrees to. */
export function noted(options) {
  const onPrompt = options?.onPrompt;
  if (typeof onPrompt !== "function") return options;
  const noting = async (prompt) => {
    const [text, questions] = [textOf(prompt), prompt.questions.map(({ id }) => ({ id }))]; // as they were asked
    const answer = await onPrompt(prompt);
    if (agrees(answer, questions)) agreements.set(onPrompt, [text, Date.now()]);
    return answer;
  };
  return { ...options, onPrompt: noting };
}

/** Whether that function agreed to the same prompt a moment ago. An agreement is used once. */
export function tookPlace(onPrompt, prompt) {
  const [text, at] = agreements.get(onPrompt) ?? [];
  try {
    if (text !== textOf(prompt) || Math.abs(Date.now() - at) > LASTING_MS) return false;
  } catch {
    return false;
  }
  return agreements.delete(onPrompt);
}
