/**
 * The costs that a fresh page pays once: evaluating the code, compiling and instantiating the module, the first swap.
 * Runs where nothing has run yet; the recording was made elsewhere.
 */
import { amountOf, playedBack } from "./paper-world.mjs";

/** Milliseconds to evaluate a peer's bundle. */
export async function timeEvaluation(load) {
  const start = performance.now();
  await load();
  return performance.now() - start;
}

/** Milliseconds to evaluate the glue, compile the module's bytes and instantiate it. */
export async function timeModule(load, bytes) {
  const start = performance.now();
  const { init } = await load();
  await init(bytes);
  return performance.now() - start;
}

/** Milliseconds from the bundle's text (and the module's bytes, if any) to a posted order. */
export async function timeFirstSwap(load, bytes, recording) {
  return playedBack(recording, async (environment) => {
    const start = performance.now();
    const { connect, init } = await load();
    if (bytes) await init(bytes);
    const swap = await connect(environment);
    await swap(amountOf(0));
    return performance.now() - start;
  });
}

/** The module with a custom section of its own, so that no engine's cache has it already. */
export function neverSeen(bytes, mark) {
  const name = new TextEncoder().encode(`bench-${mark}`);
  const section = [0, name.length + 1, name.length, ...name];
  const result = new Uint8Array(bytes.length + section.length);
  result.set(bytes);
  result.set(section, bytes.length);
  return result;
}
