import type { VerifiedSwapElement } from "verified-swap/element";
import type { SwapRefusal, SwapReview } from "verified-swap/swap";
import { byId, el } from "../dom.ts";
import { codeOf, layOut } from "./code.ts";
import { drawnRefusal, drawnReview, type Drawn, type Line } from "./lines.ts";

/* The stage: asked, built, checked here, your wallet. It follows the element's events, and no trade waits for it. */

/** The stage of a page. */
export interface Stage {
  /** Takes how many prompts the page has seen altogether. */
  prompted(total: number): void;
}

/** One trade as it is played; `stopped` by its refusal, else it `passed`. */
interface Play extends Drawn {
  step: "passed" | "stopped";
  /** All prompts of the page when it began, less those of the trade before. */
  from: number;
}

/** Plays what the element's events are about. */
export function openStage(element: VerifiedSwapElement): Stage {
  const scene = byId("scene", HTMLElement);
  const [says, code] = [byId("stage-says", HTMLElement), byId("stage-code", HTMLElement)];
  let play: Play | null = null;
  let total = 0;

  function count(): void {
    const prompts = play ? total - play.from : 0;
    scene.dataset["prompts"] = String(prompts);
    scene.querySelector(".prompts")!.textContent = promptWords(prompts);
  }

  function begin(next: Play): void {
    play = next;
    scene.dataset["step"] = next.step;
    scene.replaceChildren(...drawingOf(next));
    count();
    const sentence = sentenceOf(next, total - next.from);
    if (says.textContent !== sentence) says.textContent = sentence;
  }

  const on = <Detail>(name: string, take: (detail: Detail) => void): void =>
    element.addEventListener(name, (event) => take((event as CustomEvent<Detail>).detail));
  on<SwapReview>("review", (detail) => {
    // A cancellation is no trade, and a prompt that is asked again was drawn before.
    if (!detail.figures || detail.build.report.checks.length === 0) return;
    const isSame = play?.step === "passed" && (detail.isRenewed || detail.isAgreed);
    const next: Play = { ...drawnReview(detail, element.tokens), step: "passed", from: isSame && play ? play.from : total };
    code.textContent = codeOf(null);
    begin(next);
    // A price that is no worse, or the step after an approval: nothing moves again.
    if (isSame) for (const moving of scene.getAnimations({ subtree: true })) moving.finish();
  });
  on<SwapRefusal>("refused", (detail) => {
    code.textContent = codeOf(detail.error);
    begin({ ...drawnRefusal(detail, element.tokens), step: "stopped", from: total - detail.prompts });
  });
  code.textContent = codeOf(null);
  layOut(document.querySelector<HTMLDetailsElement>(".stage-code")!, byId("copy", HTMLButtonElement), "npm i verified-swap");
  return {
    prompted(now) {
      total = now;
      count();
    },
  };
}

const promptWords = (prompts: number): string => (prompts === 1 ? "1 prompt" : `${prompts} prompts`);

function drawingOf({ lines, ticks, step }: Play): Node[] {
  const marks = ticks.map((isOk) => el("i", isOk ? {} : { class: "failed" }));
  const bar = el("div", { class: "ticks" }, ...marks, el("span", { class: "cover" }));
  const passed = ticks.filter(Boolean).length;
  const score = step === "passed" ? `${passed} of ${ticks.length} ✓` : `${ticks.length - passed} of ${ticks.length} ✗`;
  const sums = lines.filter(({ name }) => name === "Pay" || name === "Get ≥");
  const asked = sums.map(({ name, asked }) => el("p", {}, name === "Pay" ? asked : `→ ${asked}`));
  return [
    column("asked", "You asked", ...asked),
    column("built", "The service built", el("div", { class: "rider" }, el("div", { class: "order" }, ...lines.map(lineOf)))),
    column("gate", "Checked here", bar, el("div", { class: "door" }), el("strong", { class: "score" }, score)),
    column("wallet", "Your wallet", el("div", { class: "purse" }, el("div", { class: "lit" }), el("strong", { class: "prompts" }))),
  ];
}

function column(name: string, title: string, ...children: Node[]): HTMLElement {
  return el("div", { class: name }, el("p", { class: "title" }, title), ...children);
}

/** A changed value stands on the one that it takes the place of. */
function lineOf({ name, asked, built }: Line): HTMLElement {
  if (built === null) return el("p", { class: "line" }, el("span", {}, name), el("b", {}, asked));
  const values = el("span", { class: "values" }, el("b", { class: "was" }, asked), el("b", { class: "now" }, built));
  return el("p", { class: "line changed" }, el("span", {}, name), values);
}

/** The outcome in one sentence, for those who do not see the drawing. */
function sentenceOf({ lines, ticks, step }: Play, prompts: number): string {
  const differs = lines.find(({ built }) => built !== null);
  if (step === "passed" || !differs) return `The order is as you asked: ${ticks.length} checks passed.`;
  const { name, asked, built } = differs;
  return `Stopped. ${name}: expected ${asked}, built ${built}. Your wallet: ${promptWords(prompts)}.`;
}
