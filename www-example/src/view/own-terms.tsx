import type { OtcBuild } from "verified-swap";
import type { VNode } from "preact";
import { addressWords, Sides, type GroupName, type Reader } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "../state/checks.ts";
import { formatTime } from "../state/format.ts";
import { exact } from "../state/money.ts";
import { tokenAt, type State } from "../state/state.ts";
import { useScene } from "./context.ts";

const texts = messages.review;
const NOBODY = /^0x0+$/;

/** The terms of an OTC order: built here, so there is nothing of the service to check. What is signed says the same. */
export function OwnTerms({ build }: { build: OtcBuild }): VNode {
  const { state } = useScene();
  const reader = readerOf(state);
  const termsIn = (terms: object): [GroupName, string][] => termsOf(terms, build.chainId, state, reader);
  const [asked, signed] = [termsIn(build.request), termsIn(build.typedData.message)];
  return (
    <>
      <p class="vs-quiet own-terms">{texts.builtHere}</p>
      {asked.map(([name, value], place) => (
        <div key={name} class="vs-group vs-row own">
          <span />
          <span class="vs-group-name">{texts.groups[name]}</span>
          <span class="vs-pairs">
            <Sides
              verdict={value === signed[place]?.[1] ? "ok" : "mismatch"}
              asked={value}
              put={signed[place]?.[1] ?? ""}
              signing={texts.signing.sign}
              reader={reader}
            />
          </span>
        </div>
      ))}
    </>
  );
}

function termsOf(terms: object, chainId: number, state: State, reader: Reader): [GroupName, string][] {
  const of = (name: string): string => String(Object.entries(terms).find(([known]) => known === name)?.[1] ?? "");
  const taker = of("taker");
  const [maker, wanted] = [tokenAt(state.chains, chainId, of("makerAsset")), tokenAt(state.chains, chainId, of("takerAsset"))];
  const give = `${exact(of("makerAmount"), maker.decimals)} ${maker.symbol}`;
  const get = `${exact(of("takerAmount"), wanted.decimals)} ${wanted.symbol}`;
  const expiry = Number(of("expiry"));
  return [
    ["who", taker === "" || NOBODY.test(taker) ? texts.anyone : addressWords(taker, reader, true)],
    ["amount", `${give} → ${get}`],
    ["until", expiry === 0 ? texts.never : formatTime(new Date(expiry * 1000))],
  ];
}
