// The package's types, by which its scripts are checked.
export type * from "../index.d.ts";
