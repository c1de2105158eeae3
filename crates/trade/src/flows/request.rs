//! `quote`. The service's answer is compared with the request before the app sees it. See "A quote
//! against the request" in docs/verification.md.

use crate::client::Client;
use crate::flows::call::{CallArgs, Work};
use crate::flows::chain::deployment::{check_beneficiary, find_deployment};
use crate::flows::parts::Parts;
use crate::flows::quote::fields::PENDING;
use crate::flows::quote::opened::write_view;
use crate::flows::seal::{RawMembers, seal};
use crate::ledger::asked::Asked;
use crate::service::{self, quotes};
use alloy_primitives::U256;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use verify::internal::domain::bps::Bps;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::display::with_amount;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::price_options;
use verify::internal::domain::pricing::Mode;
use verify::internal::domain::side::Side;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::wire::failure::{self, Refusal};

/// The call `quote`: requests a price, of an order in slices the price of one, verifies it, and seals it with the request.
/// Also remembers the stated decimals: `approve` compares them with the token's. Returns the `Quote` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the request's member, also with `amount` if the last slice would give away too much; NO_ROUTE;
/// VERIFY_MISMATCH with the first value that differs from the request; those of the service.
pub async fn quote<H: Parts>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal, asked) = (&JsonAt::input(call.data, "request"), call.signal, Asked::now(&*client.shared.host));
    let intent = &Intent::read(at, &client.defaults())?;
    check_slices(at, intent)?;
    let shared = &client.shared;
    let wanted = intent.pricing.mode.protocol();
    if let Some(protocol) = wanted {
        check_beneficiary(
            at,
            intent,
            protocol,
            &find_deployment(shared, intent.chain_id, protocol, signal).await?.contracts,
        )?;
    }
    let trade = shared.host.trade_if_there();
    let hear: Work<'_> = match trade {
        Some(trade) => {
            (trade.read_early)(client, intent);
            (trade.prefetch_references)(client, intent, signal)
        }
        None => Box::pin(pending()),
    };
    let price = async || match &intent.pricing.market {
        Some(options) => {
            let more =
                price_options::query(&JsonAt::input(options, "request.advanced.market"), &price_options::MARKET)?;
            Ok((service::market::prices(shared, intent, more, signal).await?, false))
        }
        None => quotes::quote(shared, intent, signal).await,
    };
    let (answer, heard) = beside(pin!(price()), hear).await;
    let (text, bare) = answer.map_err(|error| with_amount(error, intent))?;
    let parts = RawMembers::of(&text)?;
    let (protocol, block) = match bare && parts.raw("route").is_ok() {
        true => (Protocol::Delta, text.as_str()),
        false => find_price(&parts, wanted).ok_or_else(|| with_amount(no_route(&text, wanted), intent))?,
    };
    let deployment = find_deployment(shared, intent.chain_id, protocol, signal).await?;
    check_beneficiary(at, intent, protocol, &deployment.contracts)?;
    let started = shared.host.monotonic_ms();
    let mut out = ObjectWriter::object();
    out.raw("request", &intent.write());
    out.number("at", started);
    out.raw("asked", &asked.write());
    out.number("unixMs", shared.host.unix_ms());
    shared.service.quotes.update(|count| count.saturating_add(1));
    out.number("count", shared.service.quotes.get());
    out.raw(protocol.label(), block);
    match heard {
        Some(Ok(heard)) => out.members(&heard),
        _ => out.text("reference", PENDING),
    }
    for name in ["fallbackReason", "others"] {
        if let Ok(raw) = parts.raw(name) {
            out.raw(name, raw);
        }
    }
    let text = out.close();
    let tree = parse(&text).map_err(Error::not_json)?;
    let judge = trade.map(|trade| trade.judge);
    let viewed = write_view(&tree, intent, protocol, (&deployment, judge));
    shared.checked("quote", started, &viewed);
    shared.service.remember_decimals(intent);
    let mut viewed = viewed?;
    viewed.text("sealed", &seal(&shared.settings.secret, &text));
    shared.host.expect_rest();
    Ok(viewed.close())
}

/// Refuses an order in slices that is not gasless, or whose last slice would give away too much.
///
/// # Errors
/// INVALID_INPUT with `mode` or `amount`.
fn check_slices(at: &JsonAt<'_>, intent: &Intent) -> Result<()> {
    let Some(twap) = &intent.twap else { return Ok(()) };
    // The last slice also sells the remainder of the division, and guarantees no more than the others.
    let (slice, last) = twap.slices(intent.amount);
    let given_away = last.saturating_sub(slice).saturating_mul(U256::from(Bps::WHOLE));
    if intent.side == Side::Sell && given_away > intent.amount.saturating_mul(U256::from(intent.max_loss_bps)) {
        return Err(at.get("amount").fault(
            "an amount that divides into slices with less remainder: the last slice sells it at no better price",
        ));
    }
    if intent.pricing.mode != Mode::Delta {
        return Err(at.get("mode").fault("DELTA: only gasless orders come in slices"));
    }
    Ok(())
}

/// Awaits the first future. Polls the second one beside it, and returns its output if it has finished by then.
async fn beside<T, U>(
    mut first: Pin<&mut dyn Future<Output = T>>,
    mut second: Pin<Box<dyn Future<Output = U> + '_>>,
) -> (T, Option<U>) {
    let mut found = None;
    poll_fn(|context| {
        let done = first.as_mut().poll(context);
        if found.is_none()
            && let Poll::Ready(output) = second.as_mut().poll(context)
        {
            found = Some(output);
        }
        done.map(|done| (done, found.take()))
    })
    .await
}

/// The block with the price in an answer, and its protocol; if one protocol was requested, only that one's.
fn find_price<'a>(parts: &RawMembers<'a>, wanted: Option<Protocol>) -> Option<(Protocol, &'a str)> {
    let names = [(Protocol::Delta, "delta"), (Protocol::Market, "market"), (Protocol::Market, "priceRoute")];
    let mut found = names.into_iter().filter(|(protocol, _)| wanted.is_none_or(|wanted| wanted == *protocol));
    found.find_map(|(protocol, name)| Some((protocol, parts.raw(name).ok()?)))
}

/// The error for an answer without a price: NO_ROUTE, unless the service reports another failure.
fn no_route(text: &str, wanted: Option<Protocol>) -> Error {
    let answer = parse(text).unwrap_or(Json::Null);
    let reason = answer.get("fallbackReason");
    let refusal = Refusal::read(reason.unwrap_or(&answer));
    let message = match wanted {
        _ if reason.is_none() && refusal.is_empty => "the service answered without a price and without a reason",
        Some(Protocol::Delta) => "the service has no gasless route for this trade",
        _ => "the service has no route for this trade",
    };
    // An older service answers a refusal with status 200.
    let is_envelope = reason.is_none() && (refusal.is_empty || refusal.error_type.is_some());
    let code = if is_envelope { failure::code(200, &refusal) } else { ErrorCode::NoRoute };
    let mut error = Error::new(code, message);
    refusal.describe(&mut error);
    error
}
