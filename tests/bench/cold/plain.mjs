import { connect } from "../network/ours.mjs";
import { firstTrade } from "./first-trade.mjs";

/** The client is awaited before the first price is asked for. */
firstTrade((world, wallet) => connect({ ...world, isLoaded: true }, wallet));
