//! The whole of a trade, from the quote to the posted order, in surroundings that can be made to do anything: a service
//! that answers honestly until it is told to lie, a wallet that signs until it is told otherwise, a chain and a clock.

mod abort;
mod approve;
mod bounds;
mod cancel;
mod claims;
mod crosschain;
mod edited;
mod fake_host;
mod follow;
mod kinds;
mod lies;
mod limit;
mod market;
mod market_lies;
mod market_quotes;
mod market_requests;
mod market_swaps;
mod native;
mod nonce;
mod orders;
mod otc;
mod owners;
mod permit;
mod post;
mod preflight;
mod presign;
mod reading;
mod refusals;
mod resources;
mod signatures;
mod swap;
mod twap;
mod verify_order;
mod wallet;
mod withdrawal;
