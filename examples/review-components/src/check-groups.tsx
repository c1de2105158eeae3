import type { ReactNode } from "react";
import type { Check, Report } from "verified-swap";
import {
  countUnjudged,
  groupsOf,
  isAllowed,
  isBeforeFee,
  isUnjudged,
  lessFee,
  nameOf,
  plain,
  unjudged,
  valueOf,
  type CheckGroup,
  type GroupName,
} from "./checks";
import { Icon } from "./icon";
import type { Reader } from "./reader";

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

const MARKS = { ok: "tick", unusual: "warning", unjudged: "info", mismatch: "cross" } as const;

export interface CheckGroupsProps {
  report: Report;
  reader: Reader;
  /** What stands above the right column. Default: that it is signed. */
  signing?: string;
  /** Between the columns' heads and the groups. */
  children?: ReactNode;
}

/** Two columns, asked and signed, in groups, the worst first; each opens to every check in it. */
export function CheckGroups({ report, reader, signing = reader.texts.signing.sign, children }: CheckGroupsProps) {
  return (
    <div className="vs-groups">
      <div className="vs-groups-head" aria-hidden="true">
        <span>{reader.texts.asked}</span>
        <span>{signing}</span>
      </div>
      {children}
      {groupsOf(report).map((group) => (
        <Group key={group.name} group={group} reader={reader} signing={signing} />
      ))}
    </div>
  );
}

/** What no check says: whom to trust for it, or that nobody knows. */
export function Unjudged({ report, reader: { texts } }: { report: Report; reader: Reader }) {
  const { bounded, bridge, unknown } = unjudged(report);
  return (
    <>
      {bounded.length > 0 && <p className="vs-quiet">{texts.ignore(bounded)}</p>}
      {bridge.length > 0 && <p className="vs-up-to-bridge">{texts.bridge(bridge)}</p>}
      {unknown.length > 0 && <p className="vs-quiet">{texts.unknown(unknown)}</p>}
    </>
  );
}

interface GroupProps {
  group: CheckGroup;
  reader: Reader;
  signing: string;
}

function Group({ group: { name, checks, verdict }, reader, signing }: GroupProps) {
  const { texts } = reader;
  const count = countUnjudged(checks);
  return (
    <details className={`vs-group ${verdict}`} open={verdict !== "ok"}>
      <summary className="vs-row">
        <span className="vs-group-mark">
          <Icon name={MARKS[verdict]} />
        </span>
        <span className="vs-group-name">
          {texts.groups[name]}
          <span className="vs-hidden">, {texts.verdicts[verdict]}</span>
          {verdict !== "unjudged" && count > 0 && <small className="vs-count">{texts.notJudged(count)}</small>}
        </span>
        <span className="vs-pairs">
          {keysOf(name, checks).map((check, place) => (
            <Pair key={place} check={check} reader={reader} signing={signing} />
          ))}
        </span>
      </summary>
      <ChecksList checks={checks} reader={reader} />
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

function Pair({ check, reader, signing }: { check: Check; reader: Reader; signing: string }) {
  const { field, expected, actual, verdict } = check;
  // The router pays the sender where it is told nobody.
  const isSender = verdict === "ok" && /beneficiary$/.test(field) && /^0x0+$/.test(actual);
  const read = (value: string): string =>
    valueOf(field, isBeforeFee(check, reader) ? lessFee(value, reader) : value, reader, true);
  const put = read(isSender ? (reader.account ?? actual) : actual);
  return <Sides verdict={verdict} allows={isAllowed(check, reader)} asked={read(expected)} put={put} signing={signing} reader={reader} />;
}

export interface SidesProps {
  verdict: Check["verdict"];
  /** Whether what is expected is a bound of the app, and nothing that the user said. */
  allows?: boolean;
  asked: string;
  put: string;
  signing: string;
  reader: Reader;
}

/** A value as it was asked for and as it came, each with who said it: on a narrow screen to be seen, and always read out. */
export function Sides({ verdict, allows = false, asked, put, signing, reader: { texts } }: SidesProps) {
  return (
    <span className={`vs-pair ${verdict}${asked === put ? " same" : ""}`}>
      <span>
        {asked !== "" && (
          <>
            <small className={allows ? "vs-by allows" : "vs-by"}>
              {allows ? texts.allows : texts.asked}
              <span className="vs-hidden">{allows ? " " : ": "}</span>
            </small>
            <span className="vs-value">{asked}</span>
          </>
        )}
      </span>
      <span>
        {asked !== "" && <span className="vs-hidden">{"; "}</span>}
        <small className="vs-by">
          {signing}
          <span className="vs-hidden">: </span>
        </small>
        <span className="vs-value">{put}</span>
        {isUnjudged({ verdict }) && <small className="vs-unjudged">{texts.verdicts.unjudged}</small>}
      </span>
    </span>
  );
}

/** Each check in words: what it is about, what came of it, and both values where they differ. */
export function ChecksList({ checks, reader }: { checks: Check[]; reader: Reader }) {
  return (
    <ul className="vs-checks" aria-label={reader.texts.checksOf(checks.length)}>
      {checks.map((check, place) => (
        <CheckRow key={place} check={check} reader={reader} />
      ))}
    </ul>
  );
}

function CheckRow({ check, reader }: { check: Check; reader: Reader }) {
  const { texts } = reader;
  const { field, expected, actual, verdict } = check;
  const [asked, value] = [valueOf(field, expected, reader), valueOf(field, actual, reader)];
  const received = isBeforeFee(check, reader) ? texts.beforeFee(value) : value;
  const [name, path] = [nameOf(field, reader), plain(field)];
  return (
    <li className={`vs-check ${verdict}`}>
      <span className="vs-check-field">
        {name} {name !== path && <span className="vs-mono">{path}</span>}
      </span>
      <span className="vs-check-verdict">{texts.checkVerdicts[verdict === "ok" && asked !== value ? "holds" : verdict]}</span>
      <span className="vs-check-values">
        {asked === value || asked === "" ? (
          received
        ) : (
          <>
            {texts.check[isAllowed(check, reader) ? "allows" : "asked"]} <b>{asked}</b>, {texts.check.received} <b>{received}</b>
          </>
        )}
      </span>
    </li>
  );
}
