//! The checks of chain and build before the owner is asked to sign a Delta order ("Before the prompt, and after it" in
//! docs/verification.md): an order that cannot be filled, or whose payment is lost, is refused while that costs
//! nothing.

use crate::client::Client;
use crate::flows::chain::decimals::check_arriving_decimals;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::funding::Funding;
use crate::flows::chain::signature_check::DELEGATION_CODE_SIZE;
use crate::flows::delta::sealed::OpenBuild;
use crate::flows::submission::Signable;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Read;
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::intent::Token;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::token::is_native;
use verify::internal::domain::transaction::{Payment, StatedDecimals};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::value::text::ToText;

impl OpenBuild {
    /// The balance and allowance that the order needs. A deposit of the token `wrapped` counts as native token.
    /// `decimals` are compared in the same batch.
    pub fn funding<'a>(&self, wrapped: Option<Address>, decimals: &'a [StatedDecimals]) -> Funding<'a> {
        let (intent, amounts) = (&self.intent, &self.verified.amounts);
        if self.terms.external.is_some() {
            // The handler, not Delta, takes the tokens. Its needs are known only if the caller states them as
            // `prerequisite`.
            let needs = self.terms.prerequisite;
            return Funding {
                chain_id: intent.chain_id,
                owner: amounts.owner,
                spender: needs.map_or(self.spender, |needs| needs.spender),
                native: U256::ZERO,
                deposited: None,
                field_prefix: "options.advanced.external.prerequisite.",
                pays: needs.map(|needs| Payment {
                    protocol: Protocol::Delta,
                    token: needs.token,
                    amount: needs.amount,
                    permit: None,
                }),
                decimals,
                is_signed: true,
            };
        }
        let (token, native) = (intent.src.address, is_native(intent.src.address));
        let permit = self.terms.permit.as_ref().map(Permit::in_use);
        let pays = Payment { protocol: Protocol::Delta, token, amount: amounts.spent, permit };
        Funding {
            chain_id: intent.chain_id,
            owner: amounts.owner,
            spender: self.spender,
            native: if native { amounts.spent } else { U256::ZERO },
            deposited: wrapped.filter(|_| native),
            field_prefix: "",
            pays: Some(pays).filter(|_| !native),
            decimals,
            is_signed: true,
        }
    }

    /// The decimals that the caller stated for tokens on the source chain: of the sold token, and of the destination
    /// token or the bridge input.
    fn stated(&self) -> Vec<StatedDecimals> {
        let intent = &self.intent;
        let mut stated = vec![(intent.src.clone(), "request.srcDecimals".into())];
        if !intent.is_crosschain() {
            stated.push((intent.dest.clone(), "request.destDecimals".into()));
        }
        if let (Some(bridge), Some(decimals)) = (&self.verified.amounts.bridge, self.terms.bridge_input.decimals) {
            stated.push((
                Token { decimals, ..bridge.bridge_input.clone() },
                "options.advanced.bridgeInputDecimals".into(),
            ));
        }
        stated
    }
}

/// Reads the source chain in one batch, and refuses an order that cannot be filled now: wrong decimals, a deadline or
/// permit that has passed by the chain's clock, a permit that is used, too little balance or allowance. Also refuses an owner with code as the
/// unnamed beneficiary on another chain: there its address may have another owner.
///
/// # Errors
/// INVALID_INPUT with the member; QUOTE_EXPIRED; INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE; the RPC's failure.
pub async fn preflight<H: Host>(client: &Client<H>, build: &OpenBuild, signal: &H::Signal) -> Result<()> {
    let (intent, amounts) = (&build.intent, &build.verified.amounts);
    let mut until = u64::MAX;
    if let Some(permit) = &build.terms.permit {
        until = permit.grant.deadline;
    }
    let chain = Chain::need(client, intent.chain_id, signal).await?;
    let wrapped =
        find_deployment(&client.shared, intent.chain_id, Protocol::Delta, signal).await?.contracts.wrapped_native;
    let stated = build.stated();
    let funding = build.funding(wrapped, &stated);
    let found = funding.read(&chain).await?;
    if amounts.deadline <= found.now {
        let message = "the order's deadline has passed by the chain's clock";
        return Err(Error::new(ErrorCode::QuoteExpired, message));
    }
    if until < found.now {
        return Err(Error::input("build.permit", "a permit that has not expired (sign another)", &until.text()));
    }
    if intent.is_crosschain() && intent.beneficiary.is_none() {
        let code = match found.code {
            Some(code) => code,
            None => chain.read(Read::code_size(&amounts.owner)).await?,
        };
        // A smart account's address may have no owner on the other chain, or another one.
        if code != 0 && code != DELEGATION_CODE_SIZE {
            let expected = "the account that receives on the other chain: this one has code, and its address may be somebody else's there";
            return Err(Error::input("request.beneficiary", expected, "nobody named"));
        }
    }
    check_arriving_decimals(client, intent, signal).await?;
    // Last: if only an approval is missing, it may be sent together with the order.
    funding.check_covered_beside(found, &client.shared, Signable::<H>::known(build).as_deref())
}
