import { connect } from "../network/peer.mjs";
import { firstTrade } from "./first-trade.mjs";

firstTrade(connect);
