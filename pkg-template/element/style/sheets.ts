// Constructed style sheets, which a policy without inline styles allows.

const MADE = new Map<string, CSSStyleSheet>();

/** Gives a shadow root these style sheets, each once. */
export function adopt(root: ShadowRoot, texts: readonly string[]): void {
  const lacking = texts.map(sheetOf).filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  if (lacking.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...lacking];
}

function sheetOf(text: string): CSSStyleSheet {
  const made = MADE.get(text) ?? new CSSStyleSheet();
  if (!MADE.has(text)) {
    made.replaceSync(text);
    MADE.set(text, made);
  }
  return made;
}
