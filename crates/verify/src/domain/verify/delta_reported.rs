//! An order as the service or an application reports it, against the signed one (docs/verification.md, "An order as it
//! is reported").
//!
//! Its struct must have the reported hash, and the members beside the struct must agree with it. Refuses an order that
//! is shown with other tokens, amounts or parties than its owner signed.

use crate::domain::delta::order::{DeltaKinds, DeltaOrder, TYPES};
use crate::domain::delta::partner_fee::PartnerFee;
use crate::domain::eip712::Digest;
use crate::domain::fee::{CAP_BPS, after_fee};
use crate::domain::member::{Member, Members, member};
use crate::domain::side::Side;
use crate::domain::token::NATIVE;
use crate::domain::twap::Twap;
use crate::domain::typed_struct::{TypedStruct, members, name};
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::{Error, ErrorCode, Result};
use crate::json::JsonAt;
use crate::value::text::ToText;
use alloy_primitives::{Address, B256, U256};

/// The result of comparing the struct in a reported order.
pub enum StructMatch {
    /// The struct that has the stated hash, and the index of the domain for it.
    Signed(DeltaOrder, usize),
    /// A struct that cannot be hashed here: of an unknown type, or for an unknown contract.
    Unknown,
    /// A struct of a known type that does not have the stated hash: a lie.
    Other,
}

/// Looks for the known order type and the domain (by its separator) in which `value` has that hash. `called`, the
/// service's name for the type, decides only whether the type may be an unknown one. Members beside the signed ones are
/// ignored.
pub fn find_struct(value: &JsonAt<'_>, called: Option<&str>, hash: B256, domains: &[B256]) -> StructMatch {
    let mut is_known = false;
    for encoded in TYPES {
        // Reading a type that lacks members would build an error for nothing.
        if members(encoded).any(|(name, _)| value.get(name).is_absent()) {
            continue;
        }
        is_known = true;
        let Some(order) = TypedStruct::read(encoded, value).ok().and_then(DeltaOrder::known) else { continue };
        let own = order.hash();
        if let Some(index) = domains.iter().position(|domain| Digest::join(*domain, own).digest == hash) {
            return StructMatch::Signed(order, index);
        }
    }
    is_known &= called.is_none_or(|called| TYPES.iter().any(|encoded| name(encoded) == called));
    if is_known && !domains.is_empty() { StructMatch::Other } else { StructMatch::Unknown }
}

/// The destination chain of a crosschain order; `None` on one chain.
pub fn bridged_to(order: &DeltaOrder) -> Option<u64> {
    let chain: U256 = order.find(member!("bridge.destinationChainId"))?;
    (!chain.is_zero()).then(|| u64::try_from(chain).unwrap_or(u64::MAX))
}

/// The value of the first of these members that the order's type has; 0 if it has none.
fn first(order: &DeltaOrder, members: &[Member<DeltaKinds, Option<U256>>]) -> U256 {
    members.iter().find_map(|member| order.find(*member)).unwrap_or_default()
}

/// The most that leaves the owner, raw units, of all slices together.
pub fn most_spent(order: &DeltaOrder) -> U256 {
    first(order, &[member!("srcAmount"), member!("totalSrcAmount"), member!("maxSrcAmount")])
}

/// The least that the order pays out on its own chain after the fee, raw units, of all slices together; `None` if it
/// cannot be computed.
pub fn least_paid(order: &DeltaOrder) -> Option<U256> {
    let num_slices: Option<U256> = order.find(member!("numSlices"));
    let twap = Twap { num_slices: num_slices.map_or(Ok(1), u32::try_from).ok()?, interval_secs: 0 };
    let total = match order.find(member!("destAmountPerSlice")) {
        Some(slice) => twap.sum(slice, slice)?,
        None => order.find(member!("destAmount")).or_else(|| order.find(member!("totalDestAmount")))?,
    };
    Some(paid_out(total, order.uint(member!("partnerAndFee")), twap))
}

/// The rest of `total`, raw units, after the fee of an order's `partnerAndFee`: each slice pays its own, and the last
/// one has the remainder. An order that is not sliced is one slice.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::{twap::Twap, verify::delta_reported::paid_out};
/// // Three slices of 999, and one of 1002.
/// let paid = paid_out(U256::from(3_999), U256::from(10), Twap { num_slices: 4, interval_secs: 60 });
/// assert_eq!(paid, U256::from(3_994));
/// ```
pub fn paid_out(total: U256, partner_and_fee: U256, twap: Twap) -> U256 {
    let fee = PartnerFee::unpack(partner_and_fee).fee_bps.min(CAP_BPS);
    let (slice, last) = twap.slices(total);
    // No more than `total`.
    twap.sum(after_fee(slice, fee), after_fee(last, fee)).unwrap_or_default()
}

/// The error for a member that contradicts the signed struct, by `code`: a plain fault at the member, or for
/// VERIFY_MISMATCH one with a report.
pub fn contradiction(at: &JsonAt<'_>, expected: &str, code: ErrorCode) -> Error {
    let fault = at.fault(expected);
    if code != ErrorCode::VerifyMismatch {
        return fault;
    }
    let (field, actual) = (fault.field.clone().unwrap_or_default(), fault.actual.clone().unwrap_or_default());
    let mut checks = Checks::default();
    checks.note(&field, &expected, &actual, Verdict::Mismatch);
    checks.finish().err().unwrap_or(fault)
}

/// The description of an order beside its struct.
pub struct ReportedOrder<'a, 'b> {
    /// The reported order.
    pub at: &'b JsonAt<'a>,
    /// The struct that was signed.
    pub order: &'b DeltaOrder,
    /// The chain of its signature.
    pub chain_id: u64,
    /// Delta's known wrapped native tokens: an order that sells the native token may name either.
    pub wrapped: &'b [Address],
    /// The code of the error for a contradiction.
    pub code: ErrorCode,
}

impl ReportedOrder<'_, '_> {
    /// Compares the present members with the struct: side, parties, chains, tokens, the fixed amount, and bounds, which
    /// may not promise more than the signed ones. Refuses an order whose description is of another trade than its
    /// signature.
    ///
    /// # Errors
    /// [`contradiction`] for the first member that contradicts.
    pub fn verify(&self) -> Result<()> {
        let ReportedOrder { at, order, chain_id, .. } = *self;
        let (input, output) = (at.get("input"), at.get("output"));
        let total: Option<U256> = order.find(member!("totalDestAmount"));
        let is_purchase = order.find(member!("kind")).map_or(total.is_some(), |kind: U256| !kind.is_zero());
        let side = if is_purchase { Side::Buy } else { Side::Sell };
        self.member(at.get("side"), &side.name(), &|at| at.text().ok().and_then(Side::from_name) == Some(side))?;
        let parties =
            [("owner", Some(order.address(member!("owner")))), ("beneficiary", order.find(member!("beneficiary")))];
        for (name, party) in parties {
            if let Some(party) = party {
                self.member(at.get(name), &party, &|at| at.address().is_ok_and(|found| found == party))?;
            }
        }
        let bridged = bridged_to(order);
        let bought = match bridged {
            Some(_) => order.find(member!("bridge.outputToken")).unwrap_or_default(),
            None => order.address(member!("destToken")),
        };
        let sold = order.address(member!("srcToken"));
        let legs = [(input, chain_id, sold), (output, bridged.unwrap_or(chain_id), bought)];
        for (leg, chain_id, token) in legs {
            let is_chain = |at: &JsonAt<'_>| at.integer(u64::MAX).is_ok_and(|found| found == chain_id);
            self.member(leg.get("chainId"), &chain_id, &is_chain)?;
            let is_token = |at: &JsonAt<'_>| at.address().is_ok_and(|found| self.is_same(found, token));
            self.member(leg.get("token"), &token, &is_token)?;
        }
        // The destination amount on another chain is in units of its own.
        let (spent, paid) = (most_spent(order), first(order, &[member!("destAmount"), member!("totalDestAmount")]));
        let equals = |amount: U256| move |at: &JsonAt<'_>| at.uint().is_ok_and(|found| found == amount);
        match (side, bridged) {
            (Side::Sell, _) => self.member(input.get("amount"), &spent, &equals(spent))?,
            (Side::Buy, None) => self.member(output.get("amount"), &paid, &equals(paid))?,
            (Side::Buy, Some(_)) => {}
        }
        // A bound that promises more than the signed one is refused. One that promises less may be after the fee.
        if is_purchase {
            self.member(input.get("maxAmount"), &spent, &|at| at.uint().is_ok_and(|most| most >= spent))?;
        } else if bridged.is_none() && order.find::<U256>(member!("destAmount")).is_some() {
            self.member(output.get("minAmount"), &paid, &|at| at.uint().is_ok_and(|least| least <= paid))?;
        }
        Ok(())
    }

    /// Checks a member with `ok`, if it is present.
    ///
    /// # Errors
    /// [`contradiction`] with `expected`.
    fn member(&self, at: JsonAt<'_>, expected: &dyn ToText, ok: &dyn Fn(&JsonAt<'_>) -> bool) -> Result<()> {
        match at.some() {
            Some(at) if !ok(&at) => Err(contradiction(&at, &expected.text(), self.code)),
            _ => Ok(()),
        }
    }

    /// Whether two addresses name one token. The native token has several names; if Delta's wrapped form is not known,
    /// any address may be it.
    fn is_same(&self, one: Address, other: Address) -> bool {
        let is_native = |token: Address| token == NATIVE || token.is_zero() || self.wrapped.contains(&token);
        let (a, b) = (is_native(one), is_native(other));
        one == other || (a && b) || ((a || b) && self.wrapped.is_empty())
    }
}
