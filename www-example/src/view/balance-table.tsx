import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { exact, rounded } from "../state/money.ts";
import { chainName } from "../state/state.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { useScene } from "./context.ts";
import { Figure } from "./parts/figure.tsx";

const texts = messages.progress.balances;

interface Holdings {
  src: Amount | null;
  dest: Amount | null;
}

/** What the account held before, and holds after. */
export function BalanceTable(props: { src: Token; dest: Token; before: Holdings; after: Holdings | null }): VNode {
  const { src, dest, before, after } = props;
  const { state } = useScene();
  const nameOf = ({ symbol, chainId }: Token): string =>
    src.chainId === dest.chainId ? symbol : messages.review.on(symbol, chainName(state, chainId));
  return (
    <table class="balances">
      <caption>{texts.title}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.token}</th>
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        <BalanceLine name={nameOf(src)} token={src} before={before.src} after={after?.src ?? null} />
        <BalanceLine name={nameOf(dest)} token={dest} before={before.dest} after={after?.dest ?? null} />
      </tbody>
    </table>
  );
}

interface LineProps {
  name: string;
  token: Token;
  before: Amount | null;
  after: Amount | null;
}

function BalanceLine({ name, token, before, after }: LineProps): VNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      {[before, after].map((amount, position) => (
        <td key={position}>
          {amount === null ? (
            <Figure text="–" />
          ) : (
            <Figure text={rounded(amount, token.decimals, "down")} exact={exact(amount, token.decimals)} />
          )}
        </td>
      ))}
    </tr>
  );
}
