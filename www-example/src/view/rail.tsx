import { isTerminal, type Arrival, type BridgeLeg, type DeltaBuild, type Order } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { formatDecimal, formatDuration } from "../state/format.ts";
import { rounded, significant, type Rounding } from "../state/money.ts";
import { leastOf } from "../state/prices.ts";
import {
  chainName,
  isCrosschain,
  routeOf,
  routesOf,
  symbolAt,
  tokenAt,
  type Route,
  type State,
} from "../state/state.ts";
import { formatUnits } from "../state/units.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";
import { ChainBadge } from "./parts/token-logo.tsx";

const texts = messages.terms.crossing;

/** Rows held free for routes that are on their way. */
const USUAL_ROUTES = 2;

const COST_DIGITS = 3;

/** Characters of a bridge's name. */
const MOST_NAMED = 40;

/** In the form: the way to the other chain, and over which bridge. */
export function RouteRail(): VNode | null {
  const { state } = useScene();
  const { tab, src, dest } = state;
  if (tab !== "swap" || !isCrosschain(state)) return null;
  const route = routeOf(state);
  const bridgeInput = route?.bridgeInput && symbolAt(state.chains, src.chainId, route.bridgeInput.token);
  return (
    <div class="rail">
      <Line from={src.chainId} to={dest.chainId} bridge={route?.bridge ?? null} loading={route === null} />
      <Promises
        here={bridgeInput ? texts.enters(bridgeInput) : texts.entersSome}
        there={route?.arrival === "promised" ? texts.another(dest.symbol) : texts.same(dest.symbol)}
        arrival={route?.arrival ?? null}
      />
      <Routes />
      <Refund chainId={src.chainId} symbol={bridgeInput ?? null} />
    </div>
  );
}

/** In the review: the same way, with what was signed for it. */
export function BuildRail({ build }: { build: DeltaBuild }): VNode | null {
  const { state } = useScene();
  const { dest } = state.pair ?? state;
  const { destination, chainId } = build;
  if (!destination) return null;
  const { bridgeInput, minReceived, arrival, expected } = destination;
  const symbol = symbolAt(state.chains, chainId, bridgeInput.token);
  const { decimals, least } = bridgeInput;
  const leastIn = decimals === null ? null : sumOf(least, { symbol, decimals }, "down");
  return (
    <div class="rail">
      <Line from={chainId} to={dest.chainId} bridge={routeOf(state)?.bridge ?? null} />
      <Promises
        here={leastIn ? texts.entersAtLeast(leastIn) : texts.enters(symbol)}
        there={minReceived ? texts.atLeast(sumOf(minReceived, dest, "down")) : texts.about(sumOf(expected, dest, "down"))}
        arrival={arrival}
        checked
      />
      <Refund chainId={chainId} symbol={symbol} />
    </div>
  );
}

/** How far it is. */
type Reached = keyof typeof texts.reached;

/** In an order's view: how far it is on its way. */
export function OrderRail({ order, from, to }: { order: Order | null; from: number; to: number }): VNode {
  return (
    <div class="rail">
      <Line from={from} to={to} reached={reachedBy(order)} />
    </div>
  );
}

function reachedBy(order: Order | null): Reached {
  if (!order || (order.transactions.length === 0 && !isTerminal(order))) return "here";
  if (order.status === "REFUNDING") return "returning";
  if (order.refunds.length > 0) return "returned";
  if (order.status === "COMPLETED") return "there";
  return order.transactions.length === 0 ? "stayed" : isTerminal(order) ? "unknown" : "bridge";
}

interface LineProps {
  from: number;
  to: number;
  bridge?: BridgeLeg | null;
  loading?: boolean;
  reached?: Reached;
}

/** Two chains, and the bridge between them. */
function Line({ from, to, bridge = null, loading = false, reached }: LineProps): VNode {
  const { state } = useScene();
  return (
    <ol class="rail-line" aria-label={texts.label} data-reached={reached}>
      <li class="rail-end">
        <ChainBadge chainId={from} />
        <span>{chainName(state, from)}</span>
      </li>
      <li class="rail-bridge">
        <span class="rail-name">{reached ? texts.reached[reached] : bridgeName(bridge)}</span>
        {!reached && <span class={loading ? "skeleton" : undefined}>{etaWords(bridge)}</span>}
      </li>
      <li class="rail-end">
        <ChainBadge chainId={to} />
        <span>{chainName(state, to)}</span>
      </li>
    </ol>
  );
}

interface PromisesProps {
  here: string;
  there: string;
  arrival: Arrival | null;
  /** By the report. */
  checked?: boolean;
}

/** What the order guarantees on this chain, and what hangs on the bridge on the other. */
function Promises({ here, there, arrival, checked = false }: PromisesProps): VNode {
  return (
    <div class="rail-promises">
      <p>
        <strong>
          {texts.byOrder} {checked && <Icon name="tick" />}
        </strong>
        {here}
      </p>
      <p class={arrival === "promised" ? "promised" : undefined}>
        <strong>{arrival === "promised" ? texts.byBridge : texts.ifDelivered}</strong>
        {there}
      </p>
    </div>
  );
}

/** The ways over the bridge, of which one is taken. */
function Routes(): VNode | null {
  const { state, store } = useScene();
  const { quote, alternative } = state;
  const routes = quote?.kind === "delta" ? routesOf(quote) : null;
  if (routes?.length === 1) return null;
  return (
    <fieldset class="routes">
      <legend class="visually-hidden">{texts.bridge}</legend>
      {routes?.map((route, index) => (
        <label key={index} class="route">
          <input
            type="radio"
            name="bridge"
            checked={index === (alternative ?? -1) + 1}
            onChange={() => store.set({ alternative: index === 0 ? null : index - 1 })}
          />
          <span class="route-name">
            {bridgeName(route.bridge)}
            <small>{[etaWords(route.bridge), praiseOf(route, routes, state)].filter(Boolean).join(" · ")}</small>
          </span>
          <span class="route-sum">
            {sumOfRoute(route, state)}
            <small>{takenBy(route, state)}</small>
          </span>
        </label>
      ))}
      {!routes && Array.from({ length: USUAL_ROUTES }, (_, index) => <div key={index} class="route skeleton" />)}
    </fieldset>
  );
}

function sumOfRoute(route: Route, { quote, side, src, dest }: State): string {
  const arrives = quote?.kind === "delta" ? leastOf({ ...quote, ...route }, 0) : route.destAmount;
  return side === "SELL" ? sumOf(arrives, dest, "down") : texts.pay(sumOf(route.srcAmount, src, "up"));
}

/** What happens if the bridge fails. */
function Refund({ chainId, symbol }: { chainId: number; symbol: string | null }): VNode {
  const { state } = useScene();
  return (
    <details class="rail-refund">
      <summary>{texts.fails}</summary>
      <p>{texts.refund(symbol ?? texts.whatEntered, chainName(state, chainId))}</p>
    </details>
  );
}

/** Its name, where the page has one; else the service's word as a quotation, without what is invisible or changes direction. */
function bridgeName(bridge: BridgeLeg | null): string {
  const protocol = bridge?.protocol ?? "";
  const plain = protocol.replace(/\p{C}/gu, "").trim().slice(0, MOST_NAMED);
  return (Object.hasOwn(texts.bridges, protocol) && texts.bridges[protocol]) || (plain && texts.calledBridge(plain)) || texts.bridge;
}

function etaWords(bridge: BridgeLeg | null): string {
  const ms = bridge?.estimatedTimeMs ?? 0;
  return ms > 0 ? texts.eta(formatDuration(Math.ceil(ms / 1000))) : texts.noEta;
}

/** Where it is better than all others, by the figures of the quote. */
function praiseOf(route: Route, routes: Route[], { side }: State): string {
  const others = routes.filter((other) => other !== route);
  const time = ({ bridge }: Route): number => bridge?.estimatedTimeMs ?? Infinity;
  const isFastest = others.every((other) => time(route) < time(other));
  const isBest = others.every((other) =>
    side === "SELL"
      ? BigInt(route.destAmount) > BigInt(other.destAmount)
      : BigInt(route.srcAmount) < BigInt(other.srcAmount),
  );
  const best = side === "SELL" ? texts.most : texts.cheapest;
  return [isFastest && texts.fastest, isBest && best].filter(Boolean).join(", ");
}

/** What the bridge keeps, by the quote: known where the same asset arrives. */
function takenBy({ bridgeInput, destAmount, arrival }: Route, { chains, src, dest }: State): string {
  const token = bridgeInput && tokenAt(chains, src.chainId, bridgeInput.token);
  if (!bridgeInput || !token || token.kind === "unread" || arrival !== "guaranteed") return texts.takesUnknown;
  const taken =
    BigInt(bridgeInput.amount) * 10n ** BigInt(dest.decimals) - BigInt(destAmount) * 10n ** BigInt(token.decimals);
  if (taken < 0n) return texts.takesUnknown;
  const cost = significant(formatUnits(taken, dest.decimals + token.decimals), COST_DIGITS, "up");
  return texts.takes(`${formatDecimal(cost)} ${dest.symbol}`);
}

function sumOf(amount: string, { symbol, decimals }: Pick<Token, "symbol" | "decimals">, rounding: Rounding): string {
  return `${rounded(amount, decimals, rounding)} ${symbol}`;
}
