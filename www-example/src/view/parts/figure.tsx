import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";

interface FigureProps {
  text: string;
  /** All of it, where `text` is shortened. */
  exact?: string | undefined;
  unit?: string | undefined;
  /** A hash or an address, and nothing else. */
  mono?: boolean | undefined;
  /** On its way: a bar in its place. */
  loading?: boolean | undefined;
}

/** A number or a hash. A shortened one shows all of it when pointed at, focused or pressed. */
export function Figure({ text, exact = text, unit = "", mono = false, loading = false }: FigureProps): VNode {
  const [said, whole] = unit ? [`${text} ${unit}`, `${exact} ${unit}`] : [text, exact];
  // A figure that becomes known takes the place of its bar, and is no bar that moves.
  const key = String(loading);
  const looks = `figure${mono ? " mono" : ""}${loading ? " skeleton" : ""}`;
  if (said === whole) return <data key={key} class={looks} value={exact}>{said}</data>; // prettier-ignore
  return (
    <data key={key} class={looks} value={exact} title={whole} data-exact={whole}>
      <Expandable said={said} whole={whole} />
    </data>
  );
}

function Expandable({ said, whole }: { said: string; whole: string }): VNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="expand"
        aria-expanded={open}
        aria-describedby={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onBlur={() => setOpen(false)}
        onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
      >
        {said}
      </button>
      {open && (
        <span class="bubble" id={id} role="status">
          {whole}
        </span>
      )}
    </>
  );
}
