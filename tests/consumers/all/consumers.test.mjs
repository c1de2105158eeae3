/** The other stacks. */
import { OTHERS } from "../stacks.mjs";
import { testStacks } from "../trades.mjs";

testStacks(OTHERS);
