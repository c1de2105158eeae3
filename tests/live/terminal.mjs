/** The person at the terminal. */
import { createInterface } from "node:readline";

/** A line counts only while a question is open: what was typed before it answers nothing. */
export function openTerminal(signal) {
  const lines = createInterface({ input: process.stdin });
  let answer = null;
  let isClosed = false;
  const give = (line) => {
    answer?.(line);
    answer = null;
  };
  lines.on("line", (line) => give(line.trim()));
  lines.on("close", () => give((isClosed = true) && null));
  signal.addEventListener("abort", () => give(null));
  const say = (...texts) => texts.forEach((text) => console.log(text));
  const agrees = async (question) => {
    if (isClosed || signal.aborted) return false;
    console.log(`${question} Type "yes":`);
    return (await new Promise((resolve) => (answer = resolve))) === "yes";
  };
  let last;
  /** Each prompt is shown as the wallet gets it; each of its questions wants an answer of its own. */
  const onPrompt = async ({ purpose, sentence, questions, findings, digests, isRepeated }) => {
    // It was agreed to, and its checks took longer than a second.
    if (isRepeated) return last;
    say("", sentence);
    for (const { field, verdict, expected, actual } of findings) say(`  ${verdict}: ${field}, expected ${expected}, is ${actual}`);
    for (const [name, digest] of Object.entries(digests)) if (digest) say(`  ${name} ${digest}`);
    const accept = [];
    for (const { id, text } of questions) {
      if (!(await agrees(text))) return false;
      accept.push(id);
    }
    const isAgreed = await agrees(`Open the prompt "${purpose}"?`);
    return (last = isAgreed && accept.length ? { accept } : isAgreed);
  };
  return { say, agrees, onPrompt, close: () => lines.close() };
}
