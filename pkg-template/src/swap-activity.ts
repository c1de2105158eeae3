// STUB until the activity is there: replace the whole file.
import type { Activity, ActivityHost } from "./swap-parts.ts";

export function createActivity(_: ActivityHost): Activity {
  const nothing = () => {};
  return {
    restart: nothing, follow: nothing, open: nothing, cancel: nothing, resume: nothing, abandon: nothing, loadMore: nothing,
    remedy: nothing, close: nothing,
  };
}
