import { test } from "node:test";
import { assertAccessible } from "../accessible.mjs";
import { WALKS } from "../walks.mjs";

for (const walk of WALKS) {
  for (const view of ["narrow", "desktop-dark", "forced-colours"])
    test(`${walk.name}: axe finds nothing, and everything fits the screen (${view})`, () => assertAccessible(walk, view));
}
