import type { Check, Report } from "verified-swap";
import { element, fill, setText } from "./element.ts";

/** Every check of a report, collapsed under their count. */
export function reportView(): { node: HTMLElement; show(report: Report | null): void } {
  const summary = element("summary");
  const checks = element("div", { class: "checks", tabindex: 0, role: "region", "aria-label": "Every check" });
  const node = element("details", { class: "report" }, summary, checks);
  let shown: Report | null = null;
  return {
    node,
    show(report) {
      node.hidden = report === null;
      if (report === null || report === shown) return;
      shown = report;
      setText(summary, summaryOf(report));
      fill(checks, ...tableOf(report));
    },
  };
}

function summaryOf({ checks }: Report): string {
  const failed = checks.filter(({ verdict }) => verdict === "mismatch").length;
  const passed = checks.filter(({ verdict }) => verdict === "ok").length;
  const unusual = checks.filter(({ verdict }) => verdict === "unusual").length;
  const rest = checks.length - passed - failed - unusual;
  const outcome =
    failed > 0
      ? `${failed} of ${checks.length} checks failed`
      : `${passed} ${passed === 1 ? "check" : "checks"} passed`;
  if (failed > 0) return outcome;
  return [outcome, unusual > 0 && `${unusual} unusual`, rest > 0 && `${rest} not judged`].filter(Boolean).join(", ");
}

function tableOf({ checks, hardware }: Report): HTMLElement[] {
  const list = element("ul", { class: "check-list" });
  // Values of the order first, types and domain last.
  const rank = ({ field }: Check): number => (field.startsWith("order.") ? 0 : field.startsWith("domain.") ? 1 : 2);
  for (const check of checks.toSorted((one, other) => rank(one) - rank(other))) list.append(line(check));
  if (!hardware) return [list];
  const row = (name: string, ...value: (Node | string)[]): HTMLElement =>
    element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
  const hashes = element(
    "dl",
    { class: "members" },
    row("Domain hash", hardware.domainHash),
    row("Message hash", hardware.messageHash),
  );
  const signed = row("Signed", hardware.digest);
  return [list, element("dl", { class: "members" }, row("On a hardware wallet", hashes), signed)];
}

const VERDICTS: Record<Check["verdict"], string> = {
  ok: "Matches",
  mismatch: "Differs",
  opaque: "Cannot be judged",
  unknown: "Unknown",
  unusual: "Unusual",
};

function line({ field, expected, actual, verdict }: Check): HTMLElement {
  return element(
    "li",
    { class: `check ${verdict}` },
    element("span", { class: "check-field" }, field),
    element("span", { class: "check-verdict" }, VERDICTS[verdict]),
    element("span", { class: "check-values" }, expected === actual ? actual : `asked ${expected}, received ${actual}`),
  );
}
