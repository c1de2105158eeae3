import type { ModuleSource } from "./setup.ts";
/** The module as the bundler gives files of this kind: its URL, its bytes, or compiled. `init` takes each of them. */
declare const source: ModuleSource;
export default source;
