// The stack of an error. The error itself is made in the middle of the module, or long after the call; the app needs
// its own line that made the call.
import { membersOf } from "./module.ts";
import { isTradeError } from "./reading.ts";

/** A place in the app's code, in the engines that can name it. */
export interface Site {
  stack?: string;
}

/** The place where the app called the function `call`. Empty in engines that cannot name it. */
export function callSite(call: (...given: never[]) => unknown): Site {
  const site = {};
  Error.captureStackTrace?.(site, call);
  return site;
}

/** The error, with the stack of that place, and with the reason of the caller's signal, if that ended the call. */
export function seenFrom<Thrown>(site: Site, error: Thrown, options?: unknown): Thrown {
  if (!isTradeError(error)) return error;
  const reason = error.code === "ABORTED" ? reasonOf(options) : undefined;
  if (reason !== undefined) error.cause ??= reason;
  // A page may make something else of stacks. V8 begins with a line of its own.
  const frames = typeof site.stack === "string" ? site.stack.replace(/^Error(\n|$)/, "") : "";
  const value = `${error.name}: ${error.message}\n${frames}`;
  if (frames) Object.defineProperty(error, "stack", { value, writable: true, configurable: true });
  return error;
}

function reasonOf(options: unknown): unknown {
  try {
    const signal = membersOf(membersOf(options)?.signal);
    return signal?.aborted ? signal.reason : undefined;
  } catch {
    // There is a signal that cannot be read.
    return undefined;
  }
}

/** The same function, whose errors show the caller. */
export function shownAt<Given extends unknown[], Result>(work: (...given: Given) => Result) {
  return function call(...given: Given): Result {
    try {
      return work(...given);
    } catch (error) {
      throw seenFrom(callSite(call), error);
    }
  };
}
