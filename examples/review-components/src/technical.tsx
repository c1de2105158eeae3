import { useState, type ReactNode } from "react";
import type { HardwareScreen, Report } from "verified-swap";
import { plain } from "./checks";
import type { Reader } from "./reader";

export interface TechnicalProps {
  reader: Pick<Reader, "texts">;
  report?: Report | null | undefined;
  /** What the wallet is given, such as a transaction. */
  payload?: object | null | undefined;
}

/** For those who want the bytes: every field as it is signed, the hashes of a hardware wallet, the report as a file. */
export function Technical({ report = null, payload = null, reader }: TechnicalProps) {
  const texts = reader.texts.technical;
  return (
    <details className="vs-details vs-technical">
      <summary>{texts.title}</summary>
      <div className="vs-technical-body">
        {report?.hardware && <Hardware screen={report.hardware} reader={reader} />}
        {payload && (
          <pre tabIndex={0} aria-label={texts.fields}>
            {JSON.stringify(payload, null, 2)}
          </pre>
        )}
        {report && <ReportButtons report={report} reader={reader} />}
      </div>
    </details>
  );
}

/** What a hardware wallet shows: the two hashes and the digest, and each field below. */
export function Hardware({ screen, reader }: { screen: HardwareScreen; reader: Pick<Reader, "texts"> }) {
  const texts = reader.texts.technical;
  return (
    <>
      <dl className="vs-members">
        <Member name={texts.hardware}>
          <dl className="vs-members">
            <Member name={texts.domainHash}>{screen.domainHash}</Member>
            <Member name={texts.messageHash}>{screen.messageHash}</Member>
          </dl>
        </Member>
        <Member name={texts.signed}>{screen.digest}</Member>
      </dl>
      <details className="vs-raw">
        <summary>{texts.fields}</summary>
        <dl className="vs-members">
          {screen.fields.map(({ path, value }) => (
            <Member key={path} name={plain(path)}>
              {plain(value)}
            </Member>
          ))}
        </dl>
      </details>
    </>
  );
}

export function Member({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The report as text: onto the clipboard, or into a file. */
export function ReportButtons({ report, reader }: { report: object; reader: Pick<Reader, "texts"> }) {
  const texts = reader.texts.technical;
  const [said, say] = useState(texts.copy);
  const text = (): string => JSON.stringify(report, null, 2);
  const copy = (): void =>
    void navigator.clipboard.writeText(text()).then(
      () => say(texts.copied),
      () => say(texts.notCopied),
    );
  return (
    <div className="vs-report-buttons">
      <button type="button" onClick={copy}>
        {said}
      </button>
      <button type="button" onClick={() => save(text(), texts.file)}>
        {texts.download}
      </button>
    </div>
  );
}

function save(text: string, download: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href, download });
  link.click();
  URL.revokeObjectURL(href);
}
