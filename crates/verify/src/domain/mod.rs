//! The trade itself: amounts, tokens, orders, calldata, permits, and every check of them. Pure: no clock, no network,
//! no randomness, no JavaScript, so that each rule can be tested by its inputs alone.
//!
//! | where | what |
//! |---|---|
//! | [`intent`], [`pricing`], [`price_options`], [`twap`] | the request of the user |
//! | [`agreement`], [`bridge_tokens`] | the statements of the application |
//! | [`chain`], [`token`], [`asset`], [`side`] | what is pinned or known: contracts by chain, tokens, which are one asset; sale or purchase |
//! | [`display`], [`sentence`] | the text that a person reads |
//! | [`delta`], [`market`], [`otc`] | the three ways to trade |
//! | [`fee`] | the partner's fee, computed alike by Delta and Market |
//! | [`mod@reference`] | the prices of pools and feeds: the reads, and their meaning |
//! | [`approval`], [`permit`] | an allowance for a trade, and signatures in place of it |
//! | [`spenders`] | the operator's old contracts, which may still have allowances |
//! | [`delegates`] | what accounts with a key delegate to, by name |
//! | [`tables`] | the tables that are compiled in, each with its day |
//! | [`verify`] | payload against intent: everything that can refuse |
//! | [`typed_struct`], [`eip712`], [`signature`] | the signed struct, its hash, and its signer |
//! | [`abi`], [`market::calldata`], [`member`] | calldata, written and read |
//! | [`transaction`], [`sent_members`], [`gas`], [`paymaster`], [`erc20`], [`revert`] | what is sent, its form, its cost, its paymaster; calls of a token; why a call reverts |
//! | [`together`] | several calls that are tried in one |
//! | [`bps`], [`decimal`], [`product`] | exact arithmetic without floats; amounts are in [`crate::value`] |
//! | [`input`], [`fields`] | the caller's input, read strictly |
//!
//! The checks and their reasons are in `docs/verification.md`.

pub mod abi;
pub mod agreement;
pub mod approval;
pub mod asset;
pub mod bps;
pub mod bridge_tokens;
pub mod chain;
pub mod decimal;
pub mod delegates;
pub mod delta;
pub mod display;
pub mod eip712;
pub mod erc20;
pub mod fee;
pub mod fields;
pub mod gas;
pub mod input;
pub mod intent;
pub mod market;
pub mod member;
pub mod otc;
pub mod paymaster;
pub mod permit;
pub mod price_options;
pub mod pricing;
pub mod product;
pub mod reference;
pub mod revert;
pub mod sent_members;
pub mod sentence;
pub mod side;
pub mod signature;
pub mod spenders;
pub mod tables;
pub mod together;
pub mod token;
pub mod transaction;
pub mod twap;
pub mod typed_struct;
pub mod verify;
