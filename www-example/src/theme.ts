import type { VerifiedSwapElement } from "verified-swap/element";

const THEMES = ["auto", "light", "dark"];
const KEY = "theme";

/** Lets the header's select choose the colours of page and element; they are kept in this browser. */
export function switchTheme(element: VerifiedSwapElement): void {
  const select = document.querySelector<HTMLSelectElement>("#theme")!;
  const use = (theme: string): void => {
    document.documentElement.dataset["theme"] = theme;
    element.theme = theme;
    select.value = theme;
  };
  const kept = localStorage.getItem(KEY) ?? "";
  if (THEMES.includes(kept)) use(kept);
  select.addEventListener("change", () => {
    use(select.value);
    localStorage.setItem(KEY, select.value);
  });
}
