// The part that all entries of verified-swap/verify share: loads the module once. It has no client.
import { type Place, unavailable, withRemedy } from "./remedy.ts";
import { isSupported } from "./support.ts";
import type { init, ModuleSource } from "./types.ts";
import instantiate from "./verified_swap_verify.js";

/** For remedies: the entry, and its module's file. */
const PLACE: Place = ["verified-swap/verify", "verified_swap_verify.wasm", "verified_swap_verify.wasm"];
let loading: Promise<void> | undefined;
let isThere = false;

/** Whether the module is there, so that every call can be made. */
export const hasModule = () => isThere;

/** `init` of an entry. `source` makes the module from its argument; `mayStart` is whether one can be made of it. */
export const loader = (
  source: (given: ModuleSource | undefined) => unknown, mayStart: (given?: ModuleSource) => boolean = isSupported,
): typeof init => {
  const load = async (given: ModuleSource | undefined) => {
    // A compiled module is taken where none can be compiled.
    if (!mayStart(given) && String(given) !== "[object WebAssembly.Module]") throw unavailable(PLACE);
    try {
      await instantiate(await source(given));
    } catch (error) {
      throw withRemedy(error, PLACE);
    }
    isThere = true;
  };
  return (given) => {
    if (!loading) {
      loading = load(given);
      // Forget a failure, so that the next call tries again.
      loading.catch(() => (loading = undefined));
    }
    return loading;
  };
};
