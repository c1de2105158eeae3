//! `otc.buildFill`: a taker fills one or several orders on chain.
//!
//! Orders come from anybody. Before there is a transaction, each is compared with its hash, its maker's signature, and
//! the chain: its remaining amount, and its maker's balance and allowance. `verifiers::fill` judges them and writes the
//! calldata.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::funding::Funding;
use crate::flows::chain::lens::{PendingPrices, PriceReads, expect_older};
use crate::flows::chain::outcome::find_outcome;
use crate::flows::chain::reference::read_references;
use crate::flows::chain::signature_check::accepted_form;
use crate::flows::otc::orders_input::{check_are_tokens, code_questions, read_early, read_for_fill, read_orders};
use crate::flows::sealed_permit::open_permit;
use crate::flows::transaction::send::{check_early, transaction_build};
use crate::host::Host;
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::confirm::Purpose;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::U256;
use verify::internal::domain::input::known;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::token::own_decimals;
use verify::internal::domain::verify::otc_fill::Signature;
use verify::internal::domain::verify::price::is_about_price;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::JsonAt;
use verify::internal::verifiers::fill::{BuiltFill, FILL_OPTIONS, FillBuilder, read_options};
use verify::internal::verifiers::orders::SignedOtcOrder;

/// Builds the transaction that fills an order, or several of one pair. Returns the `TransactionBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member or option; VERIFY_MISMATCH with the first member that has the wrong value;
/// UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_fill<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.options, "options"), call.signal);
    known(&at, &FILL_OPTIONS)?;
    let mut input = read_orders(client, call.data, true, signal).await?;
    let options = read_options(&at, &input)?;
    let taker = find_account(client, &at.get("account"), signal).await?;
    let permit = at.get("permit").some().map(|at| open_permit(&client.shared, &at)).transpose()?;
    let (shared, chain_id) = (&client.shared, input.chain_id);
    let name = input.orders.first().map_or_else(String::new, |first| first.name.clone());
    let [gets, gives] = ["makerAsset", "takerAsset"].map(|member| [&name, ".", member].concat());
    let (maker_asset, taker_asset) = input.pair;
    let assets = [(&*gets, &maker_asset), (&*gives, &taker_asset)];
    let by_key: Vec<Vec<u8>> = input.orders.iter().map(SignedOtcOrder::key_signature).collect();
    let supposed = |bytes: &Vec<u8>| match bytes.is_empty() {
        true => (vec![], Signature::Anothers),
        false => (bytes.clone(), Signature::Makers),
    };
    let supposed: Vec<_> = by_key.iter().map(supposed).collect();
    // Everything is read in one round, with the simulation: as if the orders were whole and funded, as they mostly are.
    for one in &mut input.orders {
        one.maker_funds = (U256::MAX, U256::MAX);
    }
    let (permit, now) = (permit.as_ref(), shared.host.unix_ms() / 1_000);
    let fill = FillBuilder {
        input: &input,
        options: &options,
        signatures: &supposed,
        permit,
        taker,
        now,
        compare: None,
        outcome: None,
    };
    let whole = fill.build_transaction(&TradeReferences::default());
    let questions = || {
        let mut batch = Batch::default();
        let asking = PendingPrices::add(shared, &options.intent, None, &mut batch);
        let tokens = [&options.intent.dest, &options.intent.src];
        (asking, tokens.map(|token| batch.add(Read::decimals(token.chain_id, &token.address))), batch)
    };
    let ask_early = |chain: &Chain<'_, H>| {
        chain.put_early(code_questions(&assets).0);
        read_early(&input, chain);
        if let Ok(whole) = &whole {
            check_early(&whole.transaction, chain);
        }
        chain.put_early(questions().2);
    };
    if let Some(chain) = Chain::given(client, chain_id, signal) {
        expect_older(&chain, [options.intent.src.address, options.intent.dest.address]).await;
        ask_early(&chain);
    }
    let chain = Chain::need(client, chain_id, signal).await?;
    ask_early(&chain);
    let built = retry_fresh(shared, chain_id, signal, async || {
        check_are_tokens(&chain, &assets).await?;
        let started = shared.host.monotonic_ms();
        let now = read_for_fill(&mut input, &chain).await?;
        let mut signatures = Vec::new();
        for (one, by_key) in input.orders.iter().zip(&by_key) {
            signatures.push(find_signature(client, chain_id, one, by_key, signal).await?);
        }
        let (asking, [maker_decimals, taker_decimals], batch) = questions();
        let answers = chain.ask(batch).await?;
        let Intent { src, dest, .. } = &options.intent;
        let makers = own_decimals("options.makerDecimals", dest.decimals, &answers.get(maker_decimals)?);
        let takers = own_decimals("options.takerDecimals", src.decimals, &answers.get(taker_decimals)?);
        let price_reads = match asking {
            Some(asking) => asking.finish(&chain, &answers).await?,
            None => PriceReads::default(),
        };
        let references = read_references(client, &options.intent, (&price_reads, None), None, signal).await?;
        let (input, signatures) = (&input, &signatures);
        let mut fill =
            FillBuilder { input, options: &options, signatures, permit, taker, now, compare: None, outcome: None };
        let built = fill.build_transaction(&references);
        shared.checked("fill", started, &built);
        // With wrong decimals a good price looks bad.
        if built.as_ref().err().is_none_or(is_about_price) {
            makers.and(takers)?;
        }
        let BuiltFill { transaction, trial, .. } = match built {
            Ok(built) if options.try_outcome => built,
            _ => return built,
        };
        let allowance = Some(Funding::of(&transaction).read(&chain).await?.allowance);
        let outcome = find_outcome(&chain, &transaction, &trial, allowance).await?;
        let note = |checks: &mut _, trial: &_| outcome.note(trial, checks);
        fill.outcome = Some(&note);
        fill.build_transaction(&references)
    })
    .await?;
    transaction_build(client, Purpose::Fill, &built.transaction, &built.report, None, signal).await
}

/// The signature of an order in the form that the contract accepts, and its signer. `by_key` is
/// [`SignedOtcOrder::key_signature`]. A signature that the contract accepted before stays as it came.
///
/// # Errors
/// The RPC's failure, if only the chain could decide, and the contract has not accepted it before; ABORTED.
async fn find_signature<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    one: &SignedOtcOrder,
    by_key: &[u8],
    signal: &H::Signal,
) -> Result<(Vec<u8>, Signature)> {
    let bytes = &one.signed.signature;
    let was_accepted = one.is_partly_filled();
    if !by_key.is_empty() {
        return Ok((if was_accepted { bytes.clone() } else { by_key.to_vec() }, Signature::Makers));
    }
    match accepted_form(client, chain_id, one.maker, one.hash, bytes, true, signal).await {
        Ok(form) => Ok((if was_accepted { bytes.clone() } else { form }, Signature::Makers)),
        // No check depends on the signature any more: the answer of the maker's code does not matter.
        Err(error) if was_accepted && error.code != ErrorCode::Aborted => {
            Ok((bytes.clone(), Signature::AcceptedBefore))
        }
        Err(error) if [ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code) => {
            Ok((vec![], Signature::Anothers))
        }
        Err(error) => Err(error),
    }
}
