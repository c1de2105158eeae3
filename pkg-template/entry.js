// What every entry shares: loading the module once, and the parts of the client that are JavaScript's own (async
// iteration). Importing loads nothing; the first createClient or init does.
import load, * as wasm from "./verified_swap.js";

let loaded;
let ready = false;

/** Whether the module is loaded, so that the pure functions work. */
export const isReady = () => ready;

/** `init` and `createClient` of an entry that gets the module's bytes from `source`. */
export function entry(source) {
  const init = (bytes) => {
    // Forgotten on failure, so that a lost connection does not break the page until its reload.
    loaded ??= start(bytes, source).catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const createClient = async (options) => {
    await init();
    return wasm.openClient(options);
  };
  return { init, createClient };
}

async function start(bytes, source) {
  await load({ module_or_path: await (bytes ?? source()) });
  ready = true;
}

// Here and not beside the functions: a bundler leaves out a file of which an app uses no export.
for (const name of ["quote", "build", "approve", "submit", "order", "orders", "balance", "allowance"]) {
  wasm.Client.prototype[name] = function (argument, options) {
    return this.invoke(name, argument, options);
  };
}

wasm.Client.prototype.watch = async function* (order, options) {
  const following = this.follow(order, options);
  for (let next; (next = await following.next()); ) yield next;
};

wasm.Client.prototype.wait = async function (order, options) {
  let last;
  for await (last of this.watch(order, options));
  return last;
};
