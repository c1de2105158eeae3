//! The sandbox as its users meet it: the program itself, over HTTP, with real nodes and contracts.

mod building;
mod client;
mod contract;
mod distortions;
mod faults;
mod http_rules;
mod offer;
mod otc;
mod permit;
mod permit2;
mod permits;
mod posting;
mod program;
mod quoting;
mod reading;
mod resources;
mod rfq_contract;
mod settling;
mod started;
mod tokens;
mod trade;
mod type_hashes;
