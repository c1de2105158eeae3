import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isTradeError, type Order, type TokenInfo, type TradeError, type TradeProgress } from "verified-swap";
import { useOrders, useQuote, useTrade, useTrades, useVerifiedSwap, type PendingReview } from "verified-swap/react";
import { figuresOf } from "verified-swap/swap";
import { formatUnits, parseUnits, type Address } from "viem";
import { useConnect, useConnection, useConnectors, useDisconnect } from "wagmi";
import { Checks, Questions, Refusal } from "./report.tsx";
import { chain } from "./setup.ts";

const SLIPPAGE_BPS = 50;

export function App() {
  const { client, error } = useVerifiedSwap();
  const { data: tokens } = useQuery({
    queryKey: ["tokens", chain.id],
    queryFn: async () => (await client!.info.tokens({ chainId: chain.id })).tokens,
    enabled: client !== null,
  });
  const { address } = useConnection();
  return (
    <main>
      <h1>Swap</h1>
      <Wallet />
      {tokens ? <Form tokens={tokens} /> : <p>{error?.message ?? "Loading…"}</p>}
      {address && tokens && <Orders account={address} tokens={tokens} />}
      {address && <Unfinished account={address} />}
    </main>
  );
}

function Wallet() {
  const { address, connector } = useConnection();
  const connectors = useConnectors();
  const connect = useConnect();
  const disconnect = useDisconnect();
  if (address) {
    return (
      <p className="wallet">
        {connector?.name}: {address.slice(0, 6)}…{address.slice(-4)} <button onClick={() => disconnect.mutate()}>Disconnect</button>
      </p>
    );
  }
  return (
    <p className="wallet">
      {connectors.length === 0 && "No wallet has announced itself yet."}
      {connectors.map((connector) => (
        <button key={connector.uid} onClick={() => connect.mutate({ connector })}>Connect {connector.name}</button>
      ))}
      {connect.error?.message}
    </p>
  );
}

function Form({ tokens }: { tokens: TokenInfo[] }) {
  const { address } = useConnection();
  const [amount, setAmount] = useState("100");
  const [from, setFrom] = useState(0);
  const [to, setTo] = useState(1);
  const [src, dest] = [tokens[from]!, tokens[to]!];

  const request = requestOf(amount, src, dest);
  const { quote, isFetching, error } = useQuote(request);
  const { trade, state, review } = useTrade(request); // of this request alone: no other's failure stands beside its price
  // Every number is the package's: what is quoted, agreed to and received differs only where the trade does.
  const figures = quote && figuresOf({ quote, form: { slippageBps: SLIPPAGE_BPS } });
  const isBusy = state !== null && state.step !== "done" && state.step !== "failed";
  const refused = [state?.error, error].find((error) => isTradeError(error, "VERIFY_MISMATCH"));
  const main = useRef<HTMLButtonElement>(null);
  // The review has taken the focus with it. A user who has moved on meanwhile keeps theirs.
  useEffect(() => { if (state && !isBusy && document.activeElement === document.body) main.current?.focus(); }, [isBusy]);
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (quote) trade(quote, { slippageBps: SLIPPAGE_BPS, permit: "whenPossible" }); }}>
      <fieldset disabled={isBusy}>
        <label>Sell <input inputMode="decimal" value={amount} onChange={(event) => setAmount(event.target.value)} />
          <Tokens name="Token to sell" tokens={tokens} value={from} onChange={setFrom} /></label>
        <label>Buy <output>{figures?.get ? <Amount raw={figures.get} of={dest} /> : isFetching ? "…" : "–"}</output>
          <Tokens name="Token to buy" tokens={tokens} value={to} onChange={setTo} /></label>
      </fieldset>
      <button ref={main} className="main" disabled={!address || !quote || isBusy}>{address ? "Review" : "Connect a wallet first"}</button>
      <p role="status">{state ? told(state, dest) : error?.message}</p>
      {refused && <Refusal error={refused} />}
      {review && <Review {...review} src={src} dest={dest} />}
    </form>
  );
}

/** The request that is typed, once it is an amount of two tokens. */
function requestOf(amount: string, src: TokenInfo, dest: TokenInfo) {
  if (src === dest || !/^\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) return null;
  return {
    chainId: chain.id, advanced: { chainName: chain.name },
    srcToken: src.address, srcDecimals: src.decimals, srcSymbol: src.symbol,
    destToken: dest.address, destDecimals: dest.decimals, destSymbol: dest.symbol,
    amount: parseUnits(amount, src.decimals),
  };
}

function Tokens({ name, tokens, value, onChange }: { name: string; tokens: TokenInfo[]; value: number; onChange(value: number): void }) {
  return (
    <select aria-label={name} value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {tokens.map(({ symbol, address }, index) => <option key={address} value={index}>{symbol}</option>)}
    </select>
  );
}

/** The sentence is read aloud first, and Enter agrees to nothing yet. */
function showModal(dialog: HTMLDialogElement | null) {
  dialog?.showModal();
  dialog?.querySelector("p")?.focus();
}

/** Shows another sentence when the price is renewed; the answer is to the one that is shown. */
function Review({ src, dest, ...review }: PendingReview & { src: TokenInfo; dest: TokenInfo }) {
  const { build, quote, sentence, report, questions, confirm, decline } = review;
  const { pay, payAtMost, getAtLeast } = figuresOf({ build, quote });
  const [accepted, setAccepted] = useState<string[]>([]);
  const isOpen = questions.some(({ id }) => !accepted.includes(id));
  return (
    <dialog ref={showModal} onCancel={decline} aria-label="Review">
      <p tabIndex={-1}>Pay <Amount raw={payAtMost ?? pay} of={src} />, get at least <Amount raw={getAtLeast} of={dest} />.</p>
      <p className="sentence">{sentence}</p>
      <Checks report={report} />
      <Questions questions={questions} accepted={accepted} onChange={setAccepted} />
      <div className="answer"><button type="button" onClick={decline}>Cancel</button> <button type="button" className="main" disabled={isOpen}
          onClick={() => confirm({ accept: accepted })}>Agree</button></div>
    </dialog>
  );
}

function Orders({ account, tokens }: { account: Address; tokens: TokenInfo[] }) {
  const { orders, hasMore, fetchMore, error } = useOrders({ account, chainId: chain.id, limit: 5 });
  const of = ({ input, output }: Order) =>
    [input, output].map(({ token }) => tokens.find(({ address }) => address === token)?.symbol ?? token).join(" → ");
  return (
    <section>
      <h2>Orders</h2>
      {error && <p>{error.message}</p>}
      <ul>{orders.map((order) => <li key={order.id}>{of(order)}, {new Date(order.createdAt).toLocaleString()}: {order.status}</li>)}</ul>
      {hasMore && <button onClick={fetchMore}>More</button>}
    </section>
  );
}

/** Trades that a closed page left, and that only the user can decide. */
function Unfinished({ account }: { account: Address }) {
  const { client } = useVerifiedSwap();
  const { unfinished } = useTrades({ account });
  return unfinished.map(({ id, summary }) => (
    <p key={id}>Not finished: {summary.sentence} <button onClick={() => client?.trades.abandon(id)}>Abandon</button></p>
  ));
}

function told({ message, order, error }: TradeProgress, dest: TokenInfo) {
  if (error) return reason(error);
  if (order?.status !== "COMPLETED" || !("output" in order)) return message;
  return <>Done: <Amount raw={figuresOf({ order, trade: null }).received} of={dest} /> arrived.</>;
}

const reason = (error: TradeError) => (isTradeError(error, "USER_REJECTED") ? "Nothing was signed." : error.message);

/** Raw units as text; null is an amount that is not known. */
function Amount({ raw, of: { symbol, decimals } }: { raw: string | null; of: TokenInfo }) {
  if (raw === null) return <>an amount of {symbol} that is not known</>;
  return <data value={raw}>{Number(formatUnits(BigInt(raw), decimals)).toPrecision(7)} {symbol}</data>;
}
