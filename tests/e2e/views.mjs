/* How the page is looked at: sizes, schemes and devices. */

const desktop = { width: 1440, height: 900 };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Options of a browser's context, by name; `path` is the page's address. */
export const VIEWS = {
  desktop: { viewport: desktop },
  laptop: { viewport: { width: 1280, height: 720 } },
  "desktop-dark": { viewport: desktop, colorScheme: "dark" },
  "forced-colours": { viewport: desktop, forcedColors: "active" },
  "right-to-left": { viewport: desktop, path: "/?dir=rtl" },
  // A window of 1440 px at 200 %.
  "zoomed-200": { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  phone,
  "phone-dark": { ...phone, colorScheme: "dark" },
  narrow: { ...phone, viewport: { width: 320, height: 640 } },
};
