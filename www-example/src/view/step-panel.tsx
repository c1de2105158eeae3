import { NATIVE_TOKEN } from "verified-swap";
import type { VNode } from "preact";
import { addressName } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "../state/checks.ts";
import { formatMoment } from "../state/format.ts";
import { exact } from "../state/money.ts";
import { isNative, tokenAt, type State } from "../state/state.ts";
import type { Asked } from "../state/parts.ts";
import { askedNext, stepsOf } from "../state/steps.ts";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";
import { cancelledWords } from "./unfinished-words.ts";

const texts = messages.review;

/** `1 Allow · 2 Sign`: every prompt of the wallet, where there is more than one. */
export function Steps(): VNode | null {
  const steps = stepsOf(useScene().state);
  if (steps.length < 2) return null;
  return (
    <ol class="steps" aria-label={texts.steps.label}>
      {steps.map(({ name, state }, place) => (
        <li key={`${place} ${name}`} class={`step ${state}`} aria-current={state === "now" ? "step" : undefined}>
          <span class="step-mark" aria-hidden="true">
            {state === "done" ? <Icon name="tick" /> : place + 1}
          </span>
          {texts.steps[name]}
          {state === "done" && <span class="visually-hidden">, {texts.steps.done}</span>}
        </li>
      ))}
    </ol>
  );
}

/** What the next prompt does: which token, how much, whose contract, until when; or which order it ends. */
export function StepPanel({ asked }: { asked: Asked }): VNode {
  const { state } = useScene();
  const steps = stepsOf(state);
  const place = steps.findIndex((step) => step.state === "now") + 1;
  return (
    <section class="step-panel" aria-labelledby="step-title">
      <h2 id="step-title" tabIndex={-1}>
        {steps.length > 1 && <small>{texts.steps.of(place, steps.length)} </small>}
        {titleOf(asked, state)}
      </h2>
      <p class="quiet">{introOf(asked)}</p>
      <dl class="facts-grid">
        {factsOf(asked, state).map(({ name, text, detail }) => (
          <div key={`${name} ${detail}`}>
            <dt>{name}</dt>
            <dd>
              {text}
              {detail && <span class="mono">{detail}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Proof asked={asked} />
    </section>
  );
}

function introOf(asked: Asked): string {
  const { panel } = texts;
  if (asked.kind === "cancel") return panel.cancelIntro[asked.isSigned ? "signature" : "transaction"];
  return panel[`${asked.kind}Intro`];
}

/** Beside the button that permits it, however far the rest is scrolled: nobody confirms a spender that he cannot see. */
export function SpenderBeside(): VNode | null {
  const { state } = useScene();
  const asked = askedNext(state);
  const together = asked ? null : state.build?.approval;
  const spender = asked?.spender ?? together?.spender;
  if (!spender || asked?.kind === "cancel") return null;
  const { panel } = texts;
  const names = { allow: panel.spender, permit: panel.spender, reset: panel.resetSpender, deposit: panel.depositTo, consent: panel.contract };
  return (
    <p class="spender-beside">
      {names[asked?.kind ?? "allow"]} <strong>{addressName(spender, readerOf(state))}</strong> <span class="mono">{spender}</span>
    </p>
  );
}

/** What stands behind it: the checks of the order that is built already, or what the package proves of a permit. */
function Proof({ asked }: { asked: Asked }): VNode | null {
  const { build } = useScene().state;
  if (asked.kind === "cancel") return null;
  if (asked.kind === "permit") return <p class="proof">{texts.panel.permitProof}</p>;
  if (asked.kind === "deposit") return <p class="proof">{texts.panel.depositProof}</p>;
  const isProved = build?.report.checks.some(
    ({ actual, verdict }) => verdict === "ok" && actual.toLowerCase() === asked.spender.toLowerCase(),
  );
  if (!isProved) return null;
  return (
    <p class="proof">
      <Icon name="tick" /> {texts.panel.provedSpender}
    </p>
  );
}

export function titleOf(asked: Asked, state: State): string {
  const { buttons } = texts;
  switch (asked.kind) {
    case "allow":
    case "deposit":
      return buttons[asked.kind](sumOf(asked, state));
    case "reset":
      return buttons.reset(tokenOf(asked, state).symbol);
    case "cancel":
      return buttons.cancel[asked.isSigned ? "signature" : "transaction"];
    default:
      return buttons[asked.kind];
  }
}

interface Fact {
  name: string;
  text: string;
  detail?: string;
}

function factsOf(asked: Asked, state: State): Fact[] {
  const { panel } = texts;
  const contract = { text: addressName(asked.spender, readerOf(state)) ?? "", detail: asked.spender };
  if (asked.kind === "consent")
    return [
      { name: panel.order, text: "", detail: asked.orderHash },
      { name: panel.contract, ...contract },
      { name: panel.cost, text: panel.gas },
    ];
  if (asked.kind === "cancel")
    return [
      ...asked.orders.map((order) => ({
        name: panel.order,
        text: cancelledWords(state, order),
        ...(order.orderHash ? { detail: order.orderHash } : {}),
      })),
      { name: panel.contract, ...contract },
      { name: panel.cost, text: asked.isSigned ? panel.noGas : panel.gas },
    ];
  return sumFacts(asked, contract, state);
}

type Summed = Exclude<Asked, { kind: "consent" | "cancel" }>;

/** What may be taken, of whom, and until when. */
function sumFacts(asked: Summed, contract: Omit<Fact, "name">, state: State): Fact[] {
  const { build } = state;
  const { panel } = texts;
  const token = tokenOf(asked, state);
  const approval = build?.approval;
  const own = build?.kind === "delta" ? build.maxSpent : approval?.amount;
  const forOthers = asked.kind === "allow" && own && BigInt(asked.amount) > BigInt(own);
  const amount = asked.kind === "reset" ? panel.nothing(token.symbol) : panel.exactly(sumOf(asked, state));
  const spender = { allow: panel.spender, permit: panel.spender, reset: panel.resetSpender, deposit: panel.depositTo };
  const facts: Fact[] = [
    {
      name: panel.amount,
      text: amount,
      ...(forOthers ? { detail: panel.forOpenOrders } : {}),
    },
    { name: spender[asked.kind], ...contract },
    { name: panel.token, text: token.symbol, ...(isNative(token) ? {} : { detail: token.address }) },
  ];
  if (asked.kind === "permit") facts.push({ name: panel.until, text: formatMoment(new Date(asked.deadline * 1000)) });
  else if (asked.kind === "allow") facts.push({ name: panel.until, text: panel.used });
  if (approval?.current && asked.kind !== "deposit")
    facts.push({ name: panel.today, text: `${exact(approval.current, token.decimals)} ${token.symbol}` });
  return facts;
}

function tokenOf(asked: Summed, state: State): State["src"] {
  const token = asked.kind === "deposit" ? NATIVE_TOKEN : asked.token;
  return tokenAt(state.chains, state.build?.chainId ?? state.chain.chainId, token);
}

function sumOf(asked: Summed, state: State): string {
  const { symbol, decimals } = tokenOf(asked, state);
  return `${exact(asked.amount, decimals)} ${symbol}`;
}
