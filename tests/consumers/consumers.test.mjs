/** The stacks that most apps are made with. */
import { USUAL } from "./stacks.mjs";
import { testStacks } from "./trades.mjs";

testStacks(USUAL);
