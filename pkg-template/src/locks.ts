// Locks that one client of one tab can have at a time: by Web Locks, else among the clients of this page.

/** Milliseconds between two requests for a lock that another client has. */
const RETRY_MS = 100;

/** The locks that clients of this page have among themselves. */
const taken = new Set<string>();

/** Gives a lock back. */
export type GiveBack = () => void;

/**
 * Takes a lock: returns a function that gives it back. Null if another client has it; if `isPatient`, once `signal` has
 * fired. `webLocks` may be undefined.
 */
export async function takeLock(
  name: string, isPatient: boolean, signal: AbortSignal, webLocks: LockManager | undefined,
): Promise<GiveBack | null> {
  try {
    if (webLocks) return await byWebLocks(webLocks, name, isPatient, signal);
  } catch {
    // Web Locks are not available here, as in a frame of an opaque origin.
  }
  return takeHere(name, isPatient, signal);
}

/**
 * On a busy machine the answer may take longer than the patience, and an abort may meet it on its way. Lock requests
 * are answered in their order: once a second request is answered, another client has the lock, or it is here.
 */
function byWebLocks(webLocks: LockManager, name: string, isPatient: boolean, signal: AbortSignal): Promise<GiveBack | null> {
  const ask = (options: LockOptions) =>
    new Promise<GiveBack | null>((resolve, reject) => {
      const hold = (lock: Lock | null) => (lock ? new Promise<void>((giveBack) => resolve(giveBack)) : resolve(null));
      webLocks.request(`verified-swap/${name}`, options, hold).catch(reject);
    });
  if (!isPatient) return ask({ ifAvailable: true });
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const askLast = () =>
      ask({ ifAvailable: true }).then((giveBack) => {
        waiting.abort();
        resolve(giveBack);
      }, reject);
    const end = <Answer>(settle: (answer: Answer) => void) => (answer: Answer) => {
      signal.removeEventListener("abort", askLast);
      settle(answer);
    };
    signal.addEventListener("abort", askLast);
    ask({ signal: waiting.signal }).then(end(resolve), end(reject));
    if (signal.aborted) askLast();
  });
}

async function takeHere(name: string, isPatient: boolean, signal: AbortSignal): Promise<GiveBack | null> {
  while (taken.has(name)) {
    if (!isPatient || signal.aborted) return null;
    await pause(RETRY_MS, signal);
  }
  taken.add(name);
  return () => taken.delete(name);
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
