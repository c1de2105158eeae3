/** The package's timers and its monotonic clock run faster than real time, so that nobody waits for its pauses. */

/** Seconds of the package in a real one. */
export const SPEED = 10;

const { setTimeout: realTimeout, performance } = globalThis;
const realNow = performance.now.bind(performance);
globalThis.setTimeout = (callback, ms, ...rest) => realTimeout(callback, ms / SPEED, ...rest);
performance.now = () => realNow() * SPEED;
