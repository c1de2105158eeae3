import type { Check, Report } from "verified-swap";
import type { ComponentChildren, VNode } from "preact";
import { messages } from "../messages/en.ts";
import {
  groupsOf,
  isAllowed,
  isBeforeFee,
  lessFee,
  nameOf,
  readerOf,
  unjudged,
  valueOf,
  type CheckGroup,
  type GroupName,
  type Reader,
} from "../state/checks.ts";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";

const texts = messages.review;

/** What a group's row shows of its checks: the first of each that is there. */
const KEYS: Record<GroupName, RegExp[]> = {
  who: [/beneficiary|payee/, /owner$|\.from$|\.maker$/],
  what: [/srcToken$/, /destToken$/, /bridge\.outputToken$/],
  amount: [
    /(srcAmount|fromAmount|totalSrcAmount|maxSrcAmount)$/,
    /numSlices$/,
    /(destAmount|toAmount|destAmountPerSlice|totalDestAmount|fill\.makerAmount|withdrawal\.amount|transaction\.amount)$/,
    /quote\.price$/,
  ],
  until: [/(deadline|expiry)$/, /nonce$/],
  cost: [/feeBps$/, /quote\.fee$/],
  contract: [/verifyingContract$|transaction\.to$|spender$/, /domain\.chainId$|transaction\.chainId$/],
  other: [],
};

/** How many rows of a group's two columns there are at most. */
const SHOWN: Record<GroupName, number> = { who: 1, what: 3, amount: 4, until: 1, cost: 1, contract: 2, other: 1 };

const FIRST: readonly CheckGroup["verdict"][] = ["mismatch", "unusual", "ok"];

/** Two columns, asked and signed, in six groups, the worst first; each opens to every check in it. */
export function CheckGroups(props: { report: Report; signing: string; children?: ComponentChildren }): VNode {
  const { report, signing, children } = props;
  const { state } = useScene();
  const reader = readerOf(state, report);
  const groups = groupsOf(report).toSorted((one, other) => FIRST.indexOf(one.verdict) - FIRST.indexOf(other.verdict));
  return (
    <div class="groups">
      <div class="groups-head" aria-hidden="true">
        <span>{texts.asked}</span>
        <span>{signing}</span>
      </div>
      {children}
      {groups.map((group) => (
        <Group key={group.name} group={group} reader={reader} signing={signing} />
      ))}
    </div>
  );
}

/** What no check says. */
export function Unjudged({ report }: { report: Report }): VNode {
  const { bounded, bridge, unknown } = unjudged(report);
  return (
    <>
      {bounded.length > 0 && <p class="quiet">{texts.ignore(bounded)}</p>}
      {bridge.length > 0 && <p class="up-to-bridge">{texts.bridge(bridge)}</p>}
      {unknown.length > 0 && <p class="quiet">{texts.unknown(unknown)}</p>}
    </>
  );
}

interface GroupProps {
  group: CheckGroup;
  reader: Reader;
  signing: string;
}

function Group({ group: { name, checks, verdict }, reader, signing }: GroupProps): VNode {
  return (
    <details class={`group ${verdict}`} open={verdict !== "ok"}>
      <summary>
        <span class="group-mark">
          <Icon name={verdict === "ok" ? "tick" : verdict === "unusual" ? "warning" : "cross"} />
        </span>
        <span class="group-name">
          {texts.groups[name]}
          <span class="visually-hidden">, {texts.verdicts[verdict]}</span>
        </span>
        <span class="group-pairs">
          {keysOf(name, checks).map((check) => (
            <Pair key={check.field} check={check} reader={reader} signing={signing} />
          ))}
        </span>
      </summary>
      <ul class="check-list" aria-label={texts.checksOf(checks.length)}>
        {checks.map((check, place) => (
          <CheckRow key={place} check={check} reader={reader} />
        ))}
      </ul>
    </details>
  );
}

function keysOf(name: GroupName, checks: Check[]): Check[] {
  const failed = checks.filter(({ verdict }) => verdict === "mismatch" || verdict === "unusual");
  const isSet = ({ field, actual }: Check): boolean => !field.includes("bridge") || !/^0(x0*)?$/.test(actual);
  const first = KEYS[name].map((key) => checks.find((check) => key.test(check.field) && isSet(check)));
  const keys = [...failed, ...first.filter((check) => check !== undefined)];
  return (keys.length > 0 ? [...new Set(keys)] : checks).slice(0, SHOWN[name]);
}

function Pair({ check, reader, signing }: { check: Check; reader: Reader; signing: string }): VNode {
  const { field, expected, actual, verdict } = check;
  const { state } = reader;
  // The router pays the sender where it is told nobody.
  const isSender = verdict === "ok" && /beneficiary$/.test(field) && /^0x0+$/.test(actual) && state.account;
  const read = (value: string): string => valueOf(field, isBeforeFee(check, state) ? lessFee(value, state) : value, reader, true);
  const [asked, received] = [read(expected), read(isSender ? state.account! : actual)];
  return (
    <Sides verdict={verdict} allows={isAllowed(check, state)} asked={asked} put={received} signing={signing} />
  );
}

interface SidesProps {
  verdict: Check["verdict"];
  /** Whether what is expected is a bound of this page, and nothing that the user said. */
  allows?: boolean;
  asked: string;
  put: string;
  signing: string;
}

/** A value as it was asked for and as it came, each with who said it: on a narrow screen to be seen, and always read out. */
export function Sides({ verdict, allows = false, asked, put, signing }: SidesProps): VNode {
  const hidden = (text: string): VNode => <span class="visually-hidden">{text}</span>;
  return (
    <span class={`pair ${verdict}${asked === put ? " same" : ""}`}>
      <span>
        <small class={allows ? "by allows" : "by"}>
          {allows ? texts.allows : texts.asked}
          {hidden(allows ? " " : ": ")}
        </small>
        <span class="value">{asked}</span>
      </span>
      <span>
        {hidden("; ")}
        <small class="by">
          {signing}
          {hidden(": ")}
        </small>
        <span class="value">{put}</span>
      </span>
    </span>
  );
}

export function CheckRow({ check, reader }: { check: Check; reader: Reader }): VNode {
  const { field, expected, actual, verdict } = check;
  const [asked, value] = [valueOf(field, expected, reader), valueOf(field, actual, reader)];
  const received = isBeforeFee(check, reader.state) ? texts.beforeFee(value) : value;
  return (
    <li class={`check ${verdict}`}>
      <span class="check-field">
        {nameOf(field)} {nameOf(field) !== field && <span class="mono">{field}</span>}
      </span>
      <span class="check-verdict">{texts.checkVerdicts[verdict === "ok" && asked !== value ? "holds" : verdict]}</span>
      <span class="check-values">
        {asked === value ? (
          received
        ) : (
          <>
            {texts.check[isAllowed(check, reader.state) ? "allows" : "asked"]} <b>{asked}</b>, {texts.check.received} <b>{received}</b>
          </>
        )}
      </span>
    </li>
  );
}
