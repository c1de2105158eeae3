/** The package's timers and clocks run faster than real time, so that its pauses are short. */

/** Seconds of the package in a real one. */
export const SPEED = 10;

/** Unix milliseconds by the real clock. */
export const realNow = Date.now;

/** Makes the time of this page or process faster. Needs nothing from outside, so that it can be sent into a page. */
export function hasten(speed) {
  const { setTimeout, performance } = globalThis;
  const [now, unixNow] = [performance.now.bind(performance), Date.now];
  const start = unixNow();
  globalThis.setTimeout = (callback, ms, ...rest) => setTimeout(callback, ms / speed, ...rest);
  performance.now = () => now() * speed;
  Date.now = () => Math.round(start + (unixNow() - start) * speed);
}
