/** Everything that is alive in a page. */

/** The result of `alive()` where nothing is left. */
export const NOTHING = { timers: 0, listeners: 0, channels: 0, connections: 0, fetches: 0, locks: 0 };

/**
 * Counts from the page's beginning: `alive()`. `atRest()` waits until that is nothing, or not for long. It needs nothing
 * from outside, so that it can be sent into a page.
 */
export function census() {
  const [timers, channels] = [new Set(), new Set()];
  let [listeners, fetches] = [[], 0];
  window.connections = [];
  for (const [start, stop, isOnce] of [["setTimeout", "clearTimeout", true], ["setInterval", "clearInterval"]]) {
    const [begin, end] = [window[start], window[stop]];
    window[start] = (call, ms, ...rest) => {
      const id = begin(() => (isOnce && timers.delete(id), call(...rest)), ms);
      timers.add(id);
      return id;
    };
    window[stop] = (id) => (timers.delete(id), end(id));
  }
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    const isCounted = [window, document].includes(target) || target instanceof AbortSignal;
    // The browser's remote control has some of its own.
    if (isCounted && new Error().stack.includes("/verified-swap/")) listeners.push({ target, type, listener, signal: options?.signal });
    return addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (...given) {
    const [type, listener] = given;
    const target = this ?? window;
    listeners = listeners.filter((one) => one.target !== target || one.type !== type || one.listener !== listener);
    return removeEventListener.apply(target, given);
  };
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(name) {
      super(name);
      channels.add(this);
    }
    close() {
      channels.delete(this);
      super.close();
    }
  };
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given) {
    const opening = open.apply(this, given);
    opening.addEventListener("success", () => connections.push(opening.result));
    return opening;
  };
  const { close } = IDBDatabase.prototype;
  IDBDatabase.prototype.close = function () {
    connections = connections.filter((one) => one !== this);
    close.call(this);
  };
  const { fetch } = window;
  window.fetch = (...given) => {
    fetches += 1;
    const answer = fetch(...given);
    const end = () => void (fetches -= 1);
    answer.then(end, end);
    return answer;
  };
  window.alive = async () => {
    const { held = [], pending = [] } = (await navigator.locks?.query()) ?? {};
    const unended = listeners.filter(({ signal }) => !signal?.aborted).length;
    return {
      timers: timers.size, listeners: unended, channels: channels.size, connections: connections.length, fetches,
      locks: held.length + pending.length,
    };
  };
  window.atRest = async () => {
    for (let tries = 100; tries > 0; tries--) {
      const left = await alive();
      if (Object.values(left).every((count) => count === 0)) return left;
      await new Promise(requestAnimationFrame);
    }
    return alive();
  };
}
