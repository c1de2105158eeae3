import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages/en.ts";

const words = messages.failures;

/** "We try again in 5 s.", counted down; empty if nobody tries. */
export function useRetryWords(retryAt: number | undefined): string {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (retryAt === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [retryAt]);
  if (retryAt === undefined || now === 0) return "";
  const secs = Math.ceil((retryAt - now) / 1000);
  return secs > 0 ? words.retryIn(secs) : words.retryNow;
}
