import type { VNode } from "preact";
import type { Hex } from "../../src/types/values.ts";
import type { Order, OrderTransaction } from "../../src/types/orders.ts";
import type { SwapEntry, SwapFigures } from "../../src/types/swap.ts";
import { shortAddress } from "../format.ts";
import { Copy, Row, Rows, Sum, TransactionLink } from "../parts/text.tsx";
import { useScene } from "../scene.ts";

/** The order's hash and the transactions of a trade, with links to the explorers of their chains. */
export function Transactions({ entry }: { entry: SwapEntry }): VNode | null {
  const texts = useScene().words.entry.facts;
  const { order, sent, trade, figures } = entry;
  const known = trade?.kind === "unreadable" ? null : trade;
  const hash = order?.orderHash ?? known?.orderHash ?? (trade?.kind === "unreadable" ? trade.id : null);
  const chainId = sent?.chainId ?? known?.chainId;
  const transaction = sent?.hash ?? known?.transaction ?? null;
  if (!hash && !transaction) return null;
  return (
    <Rows>
      {order && figures && <Fills order={order} figures={figures} />}
      {!order && transaction && chainId !== undefined && <Transaction name={texts.transaction} chainId={chainId} hash={transaction} />}
      {order?.refunds.map(({ tx, amount, ...place }) => (
        <Transaction key={tx} name={texts.refund} chainId={place.chainId} hash={tx}>
          <Sum amount={amount} {...place} rounding="down" />
        </Transaction>
      ))}
      {hash && (
        <Row name={texts.order}>
          <bdi class="mono" title={hash}>{shortAddress(hash)}</bdi>
          <Copy text={hash} name={texts.hash} />
        </Row>
      )}
    </Rows>
  );
}

/** The fills; of slices with their amounts. */
function Fills({ order, figures: { src, dest, slices } }: { order: Order; figures: SwapFigures }): VNode {
  const texts = useScene().words.entry.facts;
  const { transactions } = order;
  const nameOf = (index: number): string =>
    slices ? texts.sliceOf(index + 1) : transactions.length > 1 ? texts.transactionOf(index + 1) : texts.transaction;
  return (
    <>
      {transactions.map((fill: OrderTransaction, index) => (
        <>
          <Transaction name={nameOf(index)} chainId={src.chainId} hash={fill.originTx}>
            {transactions.length > 1 && fill.receivedAmount !== null && <Sum amount={fill.receivedAmount} {...dest} rounding="down" />}
          </Transaction>
          {fill.destinationTx && fill.destinationTx !== fill.originTx && (
            <Transaction name={texts.arrival} chainId={dest.chainId} hash={fill.destinationTx} />
          )}
        </>
      ))}
    </>
  );
}

interface TransactionProps {
  name: string;
  chainId: number;
  hash: Hex;
  children?: VNode | false | undefined;
}

function Transaction({ name, chainId, hash, children }: TransactionProps): VNode {
  const texts = useScene().words.entry.facts;
  return (
    <Row name={name}>
      {children} <TransactionLink chainId={chainId} hash={hash} />
      <Copy text={hash} name={texts.hash} />
    </Row>
  );
}
