import { init } from "verified-swap/verify";
import { shownAnswer, unreadAnswer } from "./answer.ts";
import { byId, element } from "./element.ts";
import { type Stated, explained } from "./explained.ts";
import { linkOf, linked } from "./permalink.ts";
import { PRESETS } from "./presets.ts";
import { type Choice, type Payload, readPasted } from "./read.ts";

const text = byId("payload", HTMLTextAreaElement);
const accounts = byId("accounts", HTMLInputElement);
const chain = byId("chain", HTMLInputElement);
const output = byId("output", HTMLElement);
const link = byId("link", HTMLAnchorElement);
const notes = byId("notes", HTMLElement);
const status = byId("status", HTMLElement);

/** The answer to the page's question about this text. */
let chosen: { id: string; given: string } | undefined;

/** Controls and marks of direction, blanks without width: what a text can hide by. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

function update(): void {
  const [stated, mistakes] = statedFields();
  const hidden = [...new Set([...text.value.matchAll(HIDDEN)].map(([sign]) => sign).filter((sign) => !"\n\t\r".includes(sign)))];
  const codes = hidden.slice(0, 8).map((sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`);
  if (codes.length) mistakes.push(`The payload has signs that do not show, or turn text round: ${codes.join(", ")}.`);
  notes.replaceChildren(...mistakes.map((mistake) => element("p", {}, mistake)));
  const answer = answered(stated);
  output.replaceChildren(answer);
  status.textContent = answer.querySelector("h2")?.textContent ?? "";
  void showLink();
}

/** The answer about the fields as they are. Any failure of reading is one. */
function answered(stated: Stated): HTMLElement {
  try {
    const reading = readPasted(text.value);
    switch (reading.is) {
      case "empty":
        return element("p", { class: "aside" }, "The answer appears here as soon as there is a payload.");
      case "unreadable":
        return unreadAnswer(reading.reason);
      case "payload":
        return shown(reading.payload, stated);
      case "question": {
        const choice = reading.choices.find(({ id }) => id === chosen?.id);
        const asked = question(reading.text, reading.choices);
        if (!choice || !chosen || (choice.needs && !isGiven(choice, chosen.given))) return asked;
        return element("div", {}, shown(choice.payload(chosen.given), stated), asked);
      }
    }
  } catch (error) {
    return unreadAnswer(`It is beyond what this page can read: ${error instanceof Error ? error.message.slice(0, 200) : "an unknown failure"}`);
  }
}

const shown = (payload: Payload, stated: Stated): HTMLElement => shownAnswer(explained(payload, stated), payload.form);

const isGiven = ({ needs }: Choice, given: string): boolean => (needs === "contract" ? /^0x[0-9a-f]{40}$/i : /^[1-9]\d{0,15}$/).test(given.trim());

/** The ways to read an ambiguous text. Nothing is chosen beforehand. */
function question(words: string, choices: Choice[]): HTMLElement {
  const buttons = choices.map((choice) => {
    const input = choice.needs && element("input", { type: "text", "aria-label": choice.needs === "contract" ? "The contract’s address" : "The chain’s number", placeholder: choice.needs === "contract" ? "0x…" : "1", autocomplete: "off", spellcheck: "false" });
    const button = element("button", { type: "button", "aria-pressed": choice.id === chosen?.id ? "true" : "false" }, choice.label);
    if (input && choice.id === chosen?.id) input.value = chosen.given;
    button.addEventListener("click", () => {
      const given = input ? input.value.trim() : "";
      if (input && !isGiven(choice, given)) {
        input.setAttribute("aria-invalid", "true");
        return input.focus();
      }
      chosen = { id: choice.id, given };
      update();
      output.querySelector<HTMLElement>("h2")?.focus();
    });
    input?.addEventListener("keydown", ({ key }) => key === "Enter" && button.click());
    return element("li", {}, button, input);
  });
  return element("section", { class: "question" }, element("h2", { tabindex: "-1" }, "What is it?"), element("p", {}, words), element("ul", {}, ...buttons));
}

/** The two fields beside the payload, and what is wrong with them. */
function statedFields(): [Stated, string[]] {
  const mistakes: string[] = [];
  const words = accounts.value.split(/[\s,;]+/).filter(Boolean);
  const valid = words.filter((word) => /^0x[0-9a-f]{40}$/i.test(word));
  if (valid.length < words.length) mistakes.push("An account is 0x and 40 hex digits: what is not is left out.");
  const number = chain.value.trim();
  const chainId = /^[1-9]\d{0,15}$/.test(number) ? Number(number) : undefined;
  if (number && (!chainId || !Number.isSafeInteger(chainId))) mistakes.push("A chain is a decimal number, such as 1 or 8453: this one is left out.");
  return [{ accounts: valid, chainId }, mistakes];
}

async function showLink(): Promise<void> {
  const fragment = text.value && (await linkOf({ text: text.value, accounts: accounts.value, chain: chain.value, choice: chosen?.id, given: chosen?.given }));
  link.hidden = !fragment;
  if (fragment) link.href = fragment;
  byId("long", HTMLElement).hidden = fragment !== undefined;
}

async function open(): Promise<void> {
  const state = await linked(location.hash);
  if (!state) return;
  text.value = state.text;
  accounts.value = state.accounts;
  chain.value = state.chain;
  chosen = state.choice ? { id: state.choice, given: state.given ?? "" } : undefined;
  update();
}

const presets = PRESETS.map((preset) => {
  const button = element("button", { type: "button" }, preset.label);
  button.addEventListener("click", async () => {
    text.value = await preset.text();
    chosen = undefined;
    update();
  });
  return button;
});

let pause: ReturnType<typeof setTimeout> | undefined;
function updateSoon(): void {
  clearTimeout(pause);
  pause = setTimeout(update, 150);
}

try {
  await init();
  byId("presets", HTMLElement).replaceChildren(...presets);
  text.addEventListener("input", () => ((chosen = undefined), updateSoon()));
  for (const field of [accounts, chain]) field.addEventListener("input", updateSoon);
  addEventListener("hashchange", () => void open());
  update();
  await open();
} catch (error) {
  output.replaceChildren(unreadAnswer(`The checks could not be loaded: ${error instanceof Error ? error.message : String(error)}`));
}
