// The page's acts, and what it learns, as steps: each write to the storage, each request, each question to the wallet,
// when it has begun and when it has ended. At the step that `?stop=` names the page stops: nothing of it gets out any
// more, and nothing reaches it, as if it had died there. The test then kills it.

const stop = new URLSearchParams(location.search).get("stop");
// A reload is another page.
history.replaceState(null, "", location.pathname);

export const steps = [];
const counts = new Map();
const never = new Promise(() => {});
let isDead = false;
/** The wallet's answer arrived; it is in the storage, or ought to be; the page was told that it is not. */
let [isAnswered, isKept, isTold] = [false, false, false];
/** The package's report of its storage. */
export const onProgress = ({ journal }) => (isTold ||= journal === "memory");

function take(name) {
  if (isDead) return;
  const number = (counts.get(name) ?? 0) + 1;
  counts.set(name, number);
  steps.push(`${name} ${number}`);
  if (steps.at(-1) !== stop) return;
  isDead = true;
  window.died(isKept && !isTold);
}

async function observe(name, act, learn) {
  if (isDead) return never;
  // Before anybody else is asked for anything.
  isKept ||= isAnswered;
  const acting = act();
  take(`${name} begun`);
  const ending = acting.then((value) => () => value, (error) => () => { throw error; });
  const end = await ending;
  take(`${name} ended`);
  if (isDead) return never;
  learn?.();
  return end();
}

/** Results that a dead page never gets. */
export const alive = (value) => (isDead ? never : value);

const { fetch } = window;
window.fetch = (url, options) => {
  const { origin, pathname } = new URL(url, location);
  const act = () => fetch(url, options);
  // The app's own files.
  return origin === location.origin ? act() : observe(requestName(pathname, options), act);
};

function requestName(pathname, { method = "GET", body } = {}) {
  const path = pathname.replace(/^\/as\/[^/]+/, "").replace(/0x\w+|[\w-]{36}/g, "*");
  if (!path.startsWith("/rpc/")) return `${method} ${path}`;
  return `node ${[...new Set([JSON.parse(body)].flat().map((call) => call.method))].join()}`;
}

const { transaction } = IDBDatabase.prototype;
/** Before the package can see it: transactions that wrote, with what they wrote. */
const writes = new WeakMap();
IDBDatabase.prototype.transaction = function (...args) {
  const made = transaction.apply(this, args);
  made.addEventListener("complete", () => {
    for (const { name, keeps } of writes.get(made) ?? []) {
      isKept ||= keeps && !isDead;
      take(`${name} ended`);
    }
  });
  return made;
};
for (const [method, verb, place] of [["put", "write", 1], ["delete", "delete", 0]]) {
  const act = IDBObjectStore.prototype[method];
  IDBObjectStore.prototype[method] = function (...args) {
    if (isDead) return this.count();
    const request = act.apply(this, args);
    const what = args[place].split("/")[0];
    const name = `${verb} ${what}`;
    writes.set(this.transaction, [...(writes.get(this.transaction) ?? []), { name, keeps: isAnswered && what === "trade" }]);
    take(`${name} begun`);
    return request;
  };
}

const { postMessage } = BroadcastChannel.prototype;
BroadcastChannel.prototype.postMessage = function (message) {
  if (!isDead) postMessage.call(this, message);
};

const ASKS = ["eth_signTypedData_v4", "eth_sendTransaction", "wallet_sendCalls"];
export const wallet = {
  request: ({ method, params }) => {
    const learn = () => (isAnswered ||= ASKS.includes(method));
    const ask = async () => {
      const { value, error } = await window.askWallet({ method, params });
      if (error) throw Object.assign(new Error(error.message), error);
      return value;
    };
    return observe(`wallet ${method}`, ask, learn);
  },
};
