import type { ComponentChildren, VNode } from "preact";
import type { Prompt } from "../../src/types/prompt.ts";
import type { HardwareScreen, Report } from "../../src/types/report.ts";
import type { SwapReview } from "../../src/types/swap.ts";
import { Copy } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { plain } from "./reading.ts";

/** The exact sentence, as Rust wrote it, with a button that copies it. */
export function Signed({ sentence, isSent }: { sentence: string; isSent: boolean }): VNode {
  const texts = useScene().words.review.signed;
  return (
    <section class="review-signed">
      <h3>{isSent ? texts.sent : texts.title} <Copy text={sentence} name={texts.text} /></h3>
      <p class="sentence" dir="ltr">{plain(sentence)}</p>
    </section>
  );
}

/** For a second look: the hashes, the display of a hardware wallet, every signed field or the transaction, the report. */
export function Technical({ review: { build, prompt } }: { review: SwapReview }): VNode {
  const texts = useScene().words.review.technical;
  const { report } = build;
  const payload = prompt ? partsOf(prompt) : "transaction" in build ? build.transaction : null;
  const screen = prompt ? prompt.hardware : report.hardware;
  return (
    <details class="review-fold review-technical">
      <summary>{texts.title}</summary>
      {"orderHash" in build && <Member name={texts.orderHash}>{build.orderHash}</Member>}
      {prompt?.digests.calldata && <Member name={texts.calldata}>{prompt.digests.calldata}</Member>}
      {screen && <Hardware screen={screen} />}
      {payload && (
        <pre tabIndex={0} aria-label={texts.transaction}>{JSON.stringify(payload, null, 1).split("\n").map(plain).join("\n")}</pre>
      )}
      <ReportCopy report={report} />
    </details>
  );
}

function partsOf({ parts }: Prompt): object[] | null {
  return parts.some(({ to }) => to !== undefined) ? parts.map(({ sentence: _, ...call }) => call) : null;
}

function Hardware({ screen }: { screen: HardwareScreen }): VNode {
  const { technical, wallet } = useScene().words.review;
  return (
    <>
      <h4>{technical.hardware}</h4>
      <Member name={wallet.domainHash}>{screen.domainHash}</Member>
      <Member name={wallet.messageHash}>{screen.messageHash}</Member>
      <Member name={technical.digest}>{screen.digest}</Member>
      <h4>{technical.fields}</h4>
      {screen.fields.map(({ path, value }) => <Member key={path} name={plain(path)}>{plain(value)}</Member>)}
    </>
  );
}

/** A name, and a value of many digits. */
export function Member({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return <p class="review-member"><span>{name}</span> <bdi class="mono">{children}</bdi></p>;
}

/** The report with every check, to be copied: no signature is in it. */
export function ReportCopy({ report }: { report: Report }): VNode {
  const texts = useScene().words.review.technical;
  return <p class="quiet">{texts.copyReport} <Copy text={JSON.stringify(report, null, 2)} name={texts.report} /></p>;
}
