import type { Report } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../messages/en.ts";

const texts = messages.review.technical;

/** For those who want the bytes: every field as it is signed, the hashes of a hardware wallet, the report as a file. */
export function Technical({ report, payload = null }: { report: Report | null; payload?: object | null }): VNode {
  const { hardware } = report ?? {};
  return (
    <details class="report technical">
      <summary>{texts.title}</summary>
      <div class="technical-body">
        {hardware && (
          <dl class="members">
            <Member name={texts.hardware}>
              <dl class="members">
                <Member name={texts.domainHash}>{hardware.domainHash}</Member>
                <Member name={texts.messageHash}>{hardware.messageHash}</Member>
              </dl>
            </Member>
            <Member name={texts.signed}>{hardware.digest}</Member>
          </dl>
        )}
        {hardware && (
          <details class="raw">
            <summary>{texts.fields}</summary>
            <dl class="members">
              {hardware.fields.map(({ path, value }) => (
                <Member key={path} name={path}>
                  {value}
                </Member>
              ))}
            </dl>
          </details>
        )}
        {payload && <pre tabIndex={0} aria-label={texts.fields}>{JSON.stringify(payload, null, 2)}</pre>}
        {report && <ReportButtons report={report} />}
      </div>
    </details>
  );
}

function Member({ name, children }: { name: string; children: VNode | string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The report as text: onto the clipboard, or into a file. */
export function ReportButtons({ report }: { report: object }): VNode {
  const [copied, setCopied] = useState(false);
  const text = (): string => JSON.stringify(report, null, 2);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
  };
  return (
    <div class="report-buttons">
      <button type="button" class="secondary" onClick={() => void copy()}>
        {copied ? texts.copied : texts.copy}
      </button>
      <button type="button" class="secondary" onClick={() => save(text())}>
        {texts.download}
      </button>
    </div>
  );
}

function save(text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href, download: texts.file });
  link.click();
  URL.revokeObjectURL(href);
}
