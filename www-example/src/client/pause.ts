/** Resolves after so many milliseconds, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** What `read` says, asked again every `ms` milliseconds while it fails; null once `signal` has aborted. */
export async function insist<T>(read: () => Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await read();
    } catch {
      await pause(ms, signal);
    }
  }
  return null;
}
