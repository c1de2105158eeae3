import type { VerifiedSwapElement } from "verified-swap/element";
import type { SwapRefusal } from "verified-swap/swap";
import { askForReview, backToForm } from "./ask.ts";
import { byId, el } from "../dom.ts";
import { ALL, beHonest, beHonestOnLeaving, isLie, LIES, tellLie, type Lie } from "./lies.ts";

/* "Make it lie": has the service lie for real, asks the element for a review as a user does, and counts. */

/** A lie, and how it ends: `missed`: nothing stopped it. `unasked`: there was no such swap; `failed`: it was not told. */
interface Run {
  lie: Lie;
  step: "lying" | "stopped" | "missed" | "unasked" | "failed";
  refusal: SwapRefusal | null;
  /** Prompts since it began, and all before. */
  prompts: number;
  from: number;
}

const PARAMETER = "attack";

/** The part of the page. */
export interface MakeItLie {
  /** Takes how many prompts the page has seen altogether. */
  prompted(total: number): void;
  /** The form can be asked: tells the lie that the page's address names. */
  begin(): void;
}

/** Makes the buttons work. */
export function makeItLie(element: VerifiedSwapElement): MakeItLie {
  const [section, outcome] = [byId("lies", HTMLElement), byId("lie-outcome", HTMLElement)];
  const [rest, end] = [byId("lie-rest", HTMLButtonElement), byId("lie-end", HTMLButtonElement)];
  const chips = [...document.querySelectorAll<HTMLButtonElement>("[data-lie]")];
  const ended = new Map<Lie, Run>();
  let run: Run | null = null;
  let isReady = false;
  let turn = 0;
  let total = 0;

  async function tell(lie: Lie): Promise<void> {
    const mine = ++turn;
    const isCurrent = (): boolean => mine === turn;
    const now: Run = (run = { lie, step: "lying", refusal: null, prompts: 0, from: total });
    setParameter(lie);
    show();
    try {
      await tellLie(lie);
      const end = isCurrent() ? await askForReview(element, LIES[lie].path, isCurrent) : null;
      if (!isCurrent()) return;
      const isFound = typeof end === "object" && LIES[lie].field.test(end?.error.field ?? "");
      Object.assign(now, isFound ? { step: "stopped", refusal: end } : { step: end === "review" ? "missed" : "unasked" });
      if (now.step !== "unasked") ended.set(lie, now);
    } catch {
      now.step = "failed";
    }
    if (!isCurrent()) return;
    show();
    keepFocus(lie);
  }

  /** Gives the focus back to the button of a lie: the element moved it to what it shows. */
  function keepFocus(lie: Lie): void {
    if (element.matches(":focus-within")) chips.find(({ dataset }) => dataset["lie"] === lie)?.focus({ preventScroll: true });
  }

  async function tellRest(): Promise<void> {
    if (ended.size === ALL.length) ended.clear();
    for (const lie of ALL.filter((lie) => !ended.has(lie))) {
      await tell(lie);
      // It failed, or the user took another way.
      if (run?.lie !== lie || !ended.has(lie)) return;
    }
  }

  async function honest({ lie }: Run): Promise<void> {
    turn++;
    run = null;
    setParameter(null);
    show();
    section.ariaBusy = "true";
    try {
      await beHonest();
      await backToForm(element);
      keepFocus(lie);
    } catch {
      outcome.textContent = "The sandbox did not answer: it may lie still. Load this page again.";
    } finally {
      section.ariaBusy = "false";
    }
  }

  function show(): void {
    for (const chip of chips) {
      const { lie = "" } = chip.dataset;
      const told = isLie(lie) ? ended.get(lie) : undefined;
      chip.ariaPressed = String(run?.lie === lie);
      chip.ariaDisabled = String(!isReady);
      chip.dataset["told"] = told?.step ?? "";
    }
    const left = ALL.length - ended.size;
    rest.textContent = left === ALL.length ? "Tell all eight lies" : left > 0 ? `Tell the other ${left}` : "Tell all eight again";
    rest.ariaDisabled = String(!isReady || run?.step === "lying");
    end.hidden = !run;
    byId("lie-score", HTMLElement).textContent = scoreOf([...ended.values()]);
    outcome.dataset["step"] = run?.step ?? "";
    outcome.replaceChildren(...(run ? storyOf(run) : []));
  }

  for (const chip of chips) {
    chip.addEventListener("click", () => {
      const { lie = null } = chip.dataset;
      if (isReady && isLie(lie)) void tell(lie);
    });
  }
  rest.addEventListener("click", () => rest.ariaDisabled === "true" || void tellRest());
  end.addEventListener("click", () => {
    chips.find(({ ariaPressed }) => ariaPressed === "true")?.focus();
    if (run) void honest(run);
  });
  // The sandbox would go on lying to a page that does not know.
  window.addEventListener("pagehide", beHonestOnLeaving);
  window.addEventListener("pageshow", ({ persisted }) => persisted && run && void tell(run.lie));

  return {
    prompted(now) {
      total = now;
      if (!run) return;
      run.prompts = total - run.from;
      show();
    },
    begin() {
      if (isReady) return;
      isReady = true;
      show();
      const named = new URL(location.href).searchParams.get(PARAMETER);
      if (isLie(named)) void tell(named);
      else if (named !== null) outcome.replaceChildren(el("p", { role: "alert" }, "The link names no lie. Choose one of these."));
    },
  };
}

/** `8 lies. 0 prompts.`; a lie that nothing stopped is counted as well. */
function scoreOf(ended: Run[]): string {
  if (ended.length === 0) return "";
  const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
  const missed = ended.filter(({ step }) => step === "missed").length;
  const prompts = ended.reduce((sum, run) => sum + run.prompts, 0);
  return `${some(ended.length, "lie")}${missed ? `, ${missed} not stopped` : ""}. ${some(prompts, "prompt")}.`;
}

/** The story of a lie: its figures are in the element's own refusal, and nowhere else. */
function storyOf({ lie, step, refusal, prompts }: Run): Node[] {
  const { did, would, member, path } = LIES[lie];
  const titles = {
    lying: "The service lies now. Asking for your swap again…",
    stopped: "It lied. Your wallet never heard of it.",
    missed: "Not stopped. Please report this.",
    unasked: "This lie could not be told.",
    failed: "This lie could not be told.",
  };
  // The stage announces a refusal.
  const isTrouble = step !== "lying" && step !== "stopped";
  const title = el("p", { class: "verdict", ...(isTrouble && { role: "alert" }) }, titles[step]);
  if (step === "failed") return [title, el("p", {}, "The sandbox did not take it. Try another one.")];
  if (step === "unasked") {
    const settings = path === "gasless" ? "Gasless" : "Gasless, or Market,";
    return [title, el("p", {}, `Connect a wallet, put an amount that you have into the form, and choose ${settings} in its settings.`)];
  }
  const judged = refusal?.error.report?.checks.filter(({ verdict }) => verdict !== "opaque" && verdict !== "unknown") ?? [];
  const failed = judged.filter(({ verdict }) => verdict === "mismatch").length;
  const facts = [
    ["Differs", `${member} (${refusal?.error.field})`],
    ["Checks", `${failed} of ${judged.length} failed`],
    ["Your wallet", prompts === 1 ? "1 prompt" : `${prompts} prompts`],
    ["Without them", would],
  ];
  const rows = facts.map(([name = "", value = ""]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  return [title, el("p", {}, did), ...(step === "stopped" ? [el("dl", { class: "facts" }, ...rows)] : [])];
}

/** Names the lie in the page's address, so that it can be shared. */
function setParameter(lie: Lie | null): void {
  const url = new URL(location.href);
  if (lie) url.searchParams.set(PARAMETER, lie);
  else url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}
