//! POST /transactions/{chainId}.

use alloy_primitives::U256;
use serde_json::json;

use super::arguments::arguments_json;
use super::calldata::Swap;
use super::issued::PriceRoute;
use super::maker::offer;
use super::method::Method;
use super::refused_call::reason;
use super::terms::Terms;
use crate::app::App;
use crate::chain::{Chain, NATIVE, Proposal};
use crate::json::{Json, read_amount};
use crate::service::Refusal;
use crate::service::call::{Call, Query};
use crate::service::members::Members;

/// The service's tip, where the fee is of two parts: 1 gwei.
const PRIORITY_FEE_WEI: u64 = 1_000_000_000;

/// Makes the transaction of a price route.
pub async fn transactions(app: &App, call: &Call) -> Result<Json, Refusal> {
    let text = call.subject.as_deref().unwrap_or_default();
    let chain = text.parse().ok().and_then(|id| app.chain(id)).ok_or_else(|| Refusal::unsupported_chain(text))?;
    let body = call.json()?;
    let options = Options::read(&call.query)?;
    let route = app.price_routes().take_back(call.verbatim("priceRoute")?, app.control.settings().routes)?;
    if route.chain_id != chain.id {
        return Err(Refusal::invalid(format!("chainId must be priceRoute.network, {}", route.chain_id)));
    }
    let now = chain.now().await?;
    route.require_fresh(now)?;
    let terms = Terms::read(app, chain, &Members(&body), &route, now)?;
    let proposal = proposal(chain, &route, &terms).await?;
    if !options.ignore_checks {
        check(chain, &route, &terms, &proposal, &options).await?;
    }
    if options.only_params {
        return arguments_json(&proposal.data)
            .ok_or_else(|| Refusal::new(500, "InternalError", "the calldata has no arguments"));
    }
    let gas = !(options.ignore_checks || options.ignore_gas_estimate);
    envelope(chain, &proposal, &options, gas).await
}

/// The transaction that a route and the user's terms make.
pub async fn proposal(chain: &Chain, route: &PriceRoute, terms: &Terms) -> Result<Proposal, Refusal> {
    let offer = match route.method {
        Method::RfqBatchFill => Some(offer(chain, route, terms).await?),
        _ => None,
    };
    let swap = Swap { chain, route, terms, offer, height: chain.height().await? };
    Ok(Proposal { from: terms.user, to: chain.router, data: swap.calldata(), value: swap.value() })
}

/// The query's switches and prices.
#[derive(Debug, Default)]
pub struct Options {
    ignore_checks: bool,
    ignore_gas_estimate: bool,
    ignore_allowance: bool,
    only_params: bool,
    eip1559: bool,
    gas_price: Option<U256>,
    max_fee: Option<U256>,
    max_priority_fee: Option<U256>,
}

impl Options {
    pub fn read(query: &Query) -> Result<Self, Refusal> {
        let flag = |name: &str| Ok::<_, Refusal>(query.flag(name)?.unwrap_or(false));
        let wei = |name: &str| {
            let Some(text) = query.get(name) else { return Ok(None) };
            read_amount(text)
                .map(Some)
                .ok_or_else(|| Refusal::invalid(format!("{name} must be wei as a decimal string")))
        };
        flag("degenMode")?;
        Ok(Self {
            ignore_checks: flag("ignoreChecks")?,
            ignore_gas_estimate: flag("ignoreGasEstimate")?,
            ignore_allowance: flag("ignoreAllowance")?,
            only_params: flag("onlyParams")?,
            eip1559: flag("eip1559")?,
            gas_price: wei("gasPrice")?,
            max_fee: wei("maxFeePerGas")?,
            max_priority_fee: wei("maxPriorityFeePerGas")?,
        })
    }
}

/// Balance, allowance, and whether it would go through.
async fn check(
    chain: &Chain,
    route: &PriceRoute,
    terms: &Terms,
    proposal: &Proposal,
    options: &Options,
) -> Result<(), Refusal> {
    let needed = terms.from_amount;
    let short = |error_type: &str, what: &str, have: U256| {
        Err(Refusal::new(400, error_type, format!("{what} {have} of {} is below {needed}", route.src)))
    };
    let balance = chain.balance(route.src, terms.user).await?;
    if balance < needed {
        return short("InsufficientBalance", "balance", balance);
    }
    if route.src != NATIVE && terms.permit.is_empty() {
        let allowance = chain.allowance_for(route.src, terms.user, chain.router).await?;
        match (allowance < needed, options.ignore_allowance) {
            (true, false) => return short("InsufficientAllowance", "allowance", allowance),
            // Nothing more can be found out by a dry run.
            (true, true) => return Ok(()),
            (false, _) => {}
        }
    }
    match chain.dry_run(proposal).await {
        Err(error) if error.refused => {
            Err(Refusal::new(400, "EstimationFailed", format!("Estimated transaction fail: {}", reason(&error))))
        }
        Err(error) => Err(error.into()),
        Ok(()) => Ok(()),
    }
}

/// The transaction as JSON. A gas limit only where the transaction was seen to go through.
pub async fn envelope(chain: &Chain, proposal: &Proposal, options: &Options, gas: bool) -> Result<Json, Refusal> {
    let mut transaction = json!({
        "from": proposal.from,
        "to": proposal.to,
        "value": proposal.value.to_string(),
        "data": proposal.data,
        "chainId": chain.id,
    });
    let gas_price = options.gas_price.unwrap_or(chain.gas_price().await?);
    if options.eip1559 {
        let priority = options.max_priority_fee.unwrap_or(U256::from(PRIORITY_FEE_WEI));
        let most = options.max_fee.unwrap_or(gas_price.saturating_add(gas_price).saturating_add(priority));
        transaction["maxFeePerGas"] = json!(most.to_string());
        transaction["maxPriorityFeePerGas"] = json!(priority.to_string());
    } else {
        transaction["gasPrice"] = json!(gas_price.to_string());
    }
    // With an allowance that is still to come there is nothing to estimate.
    if gas && let Ok(gas) = chain.gas_for(proposal).await {
        transaction["gas"] = json!(gas.to_string());
    }
    Ok(transaction.into())
}
