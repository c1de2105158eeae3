import type { Hex } from "verified-swap";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo } from "../../client/offering.ts";
import { messages } from "../../messages/en.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";

const texts = messages.terms.otc.share;

/** The link of an OTC order, to be copied, and as a QR code. */
export function Share({ orderHash, isFirst = false }: { orderHash: Hex; isFirst?: boolean }): VNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" id="offer-share" class={isFirst ? "primary" : "link"} aria-disabled={false} onClick={() => setOpen(true)}>
        {isFirst ? texts.openOwn : texts.open}
      </button>
      {open && <ShareDialog link={linkTo(orderHash)} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({ link, onClose }: { link: string; onClose(): void }): VNode {
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const copy = (): void => {
    field.current?.select();
    void navigator.clipboard.writeText(link).then(
      () => setSaid(texts.copied),
      () => setSaid(texts.select),
    );
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p class="quiet">{texts.intro}</p>
      <QrCode text={link} />
      <div class="labelled">
        <label for="offer-link">{texts.link}</label>
        <input id="offer-link" ref={field} class="text mono" readOnly value={link} onFocus={() => field.current?.select()} />
      </div>
      <button type="button" class="secondary share-copy" onClick={copy}>
        <Icon name={said === texts.copied ? "tick" : "copy"} /> {texts.copy}
      </button>
      <p class="note" role="status">
        {said}
      </p>
    </Dialog>
  );
}

interface Code {
  size: number;
  path: string;
}

/** Dark on light in both colour schemes: readers want it so. */
function QrCode({ text }: { text: string }): VNode {
  const [code, setCode] = useState<Code | "failed" | null>(null);
  useEffect(() => {
    drawCode(text).then(setCode, () => setCode("failed"));
  }, [text]);
  if (code === "failed") return <p class="qr-room quiet">{texts.fails}</p>;
  return (
    <div class="qr-room">
      {code && (
        <svg class="qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={texts.code}>
          <path d={code.path} />
        </svg>
      )}
    </div>
  );
}

async function drawCode(text: string): Promise<Code> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: cells.join("") };
}
