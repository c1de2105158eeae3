/** Resolves after so many milliseconds, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

const AGAIN_MS = [2_000, 4_000, 8_000, 15_000];

/** Told of each failure, and when it is tried again, unix milliseconds. Returns true if that is in vain. */
export type Failed = (error: unknown, retryAt: number) => boolean | void;

/** What `work` comes to, tried again after growing pauses; null once that is in vain, or `signal` has aborted. */
export async function insist<T>(work: () => Promise<T>, signal: AbortSignal, failed?: Failed): Promise<T | null> {
  for (let round = 0; !signal.aborted; round++) {
    try {
      return await work();
    } catch (error) {
      const ms = AGAIN_MS[Math.min(round, AGAIN_MS.length - 1)]!;
      if (signal.aborted || failed?.(error, Date.now() + ms)) return null;
      await pause(ms, signal);
    }
  }
  return null;
}
