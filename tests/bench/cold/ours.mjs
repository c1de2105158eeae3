import { connect } from "../network/ours.mjs";
import { firstTrade } from "./first-trade.mjs";

firstTrade(connect);
