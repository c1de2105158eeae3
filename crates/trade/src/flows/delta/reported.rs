//! An order as the service or the app reports it, compared with the request, with the orders that this client signed,
//! and with its own hash.
//!
//! An order that contradicts is refused. One that cannot be compared, because its struct is missing, of an unknown type
//! or for an unknown contract, is marked `unverified`. See "An order as it is reported" in docs/verification.md.
//!
//! It refuses: another order under the requested id or hash; an order of another owner or chain; a struct that was not
//! signed; and members beside the struct that promise more than it does, or to another account.

use crate::client::Shared;
use crate::flows::chain::deployment::known_contracts;
use crate::host::Host;
use crate::ledger::orders::SignedOrder;
use alloy_primitives::{Address, B256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::order::domain;
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::typed_struct::TypedStruct;
use verify::internal::domain::verify::delta_reported::{
    ReportedOrder, StructMatch, bridged_to, contradiction, find_struct, least_paid,
};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array};
use verify::internal::value::text::{ToText, joined};
use verify::internal::wire::order::{OrderView, read_order};

/// The required identity of a reported order. Members that are `None` or empty are not compared.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The service's id.
    pub id: Option<String>,
    /// The order's hash.
    pub hash: Option<B256>,
    /// The account that signed it, if that is known.
    pub owner: Option<Address>,
    /// The source chains that it may be on.
    pub chains: Vec<u64>,
}

impl Wanted {
    /// Reads what [`Wanted::write`] wrote.
    ///
    /// # Errors
    /// INVALID_INPUT for a chain that is no number.
    pub fn read(at: &JsonAt<'_>) -> Result<Wanted> {
        Ok(Wanted {
            id: at.get("id").text().ok().map(String::from),
            hash: at.get("hash").fixed::<32>().ok().map(B256::from),
            owner: at.get("owner").address().ok(),
            chains: match at.get("chains").items() {
                Ok(items) => items.map(|at| at.integer(MAX_EXACT)).collect::<Result<_>>()?,
                Err(_) => Vec::new(),
            },
        })
    }

    /// The identity as JSON text.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.maybe("id", &self.id);
        out.maybe("hash", &self.hash);
        out.maybe("owner", &self.owner);
        out.raw("chains", &array(&self.chains.iter().map(ToText::text).collect::<Vec<_>>()));
        out.close()
    }

    /// The identity that an order passed in by the app states: later reads have to agree with it.
    ///
    /// # Errors
    /// INVALID_INPUT with `orderHash` if that is not a hash.
    pub fn from_order(at: &JsonAt<'_>) -> Result<Wanted> {
        at.get("orderHash").some().map(|at| at.fixed::<32>()).transpose()?;
        let mut wanted = Wanted::default();
        wanted.learn(at);
        Ok(wanted)
    }

    /// Takes over id, hash, owner and chain of an order that was read: the next read has to be the same order.
    pub fn learn(&mut self, at: &JsonAt<'_>) {
        let stated = read_order(at);
        // The id is kept in the service's own spelling.
        self.id = stated.id.map(String::from).or(self.id.take());
        self.hash = self.hash.or(stated.hash);
        self.owner = self.owner.or(stated.owner);
        if let Some(chain_id) = stated.chain_id {
            self.chains = vec![chain_id];
        }
    }

    /// The identity of an order that this client signed.
    fn of(known: &SignedOrder) -> Wanted {
        let owner = Some(known.order.address(member!("owner")));
        Wanted { id: known.id.clone(), hash: Some(known.hash), owner, chains: vec![known.chain_id] }
    }
}

/// A reported order that contradicts nothing.
pub struct Reported<'a> {
    /// The order as it came.
    pub json: &'a Json,
    /// The struct that was signed, if it is known to hash to the order's hash.
    pub signed: Option<SignedOrder>,
    /// Whether this client submitted it.
    pub is_signed_here: bool,
}

/// Compares a reported order with all that is known of it. Refuses another order than the wanted one, another struct
/// than the signed one, and members beside the struct that contradict it.
///
/// # Errors
/// `code` with the member that contradicts.
pub fn verify_reported<'a, H: Host>(
    shared: &Shared<H>,
    at: &JsonAt<'a>,
    wanted: &Wanted,
    code: ErrorCode,
) -> Result<Reported<'a>> {
    let stated = read_order(at);
    let id = stated.id.or(wanted.id.as_deref());
    let known = [shared.ledger.signed(stated.hash.or(wanted.hash), None), shared.ledger.signed(None, id)];
    let differs = |at: JsonAt<'a>, expected: &dyn ToText| Err(contradiction(&at, &expected.text(), code));
    for wanted in known.iter().flatten().map(Wanted::of).chain([wanted.clone()]) {
        if let Some(id) = wanted.id.filter(|id| stated.id.is_some_and(|stated| !stated.eq_ignore_ascii_case(id))) {
            return differs(at.get("id"), &id);
        }
        if let Some(hash) = wanted.hash.filter(|hash| stated.hash != Some(*hash)) {
            return differs(at.get("orderHash"), &hash);
        }
        if let Some(owner) = wanted.owner.filter(|owner| stated.owner.is_some_and(|stated| stated != *owner)) {
            return differs(at.get("owner"), &owner);
        }
        if !wanted.chains.is_empty() && stated.chain_id.is_some_and(|stated| !wanted.chains.contains(&stated)) {
            let chains: Vec<String> = wanted.chains.iter().map(ToText::text).collect();
            return differs(at.get("input").get("chainId"), &joined(&chains, " or "));
        }
    }
    let known = known.into_iter().flatten().next();
    let is_signed_here = known.is_some();
    let signed = match known {
        Some(known) => {
            let value = at.get("order");
            let same = |value: &JsonAt<'_>| {
                TypedStruct::read(known.order.encoded(), value).is_ok_and(|read| read == *known.order)
            };
            if value.some().is_some_and(|value| !same(&value)) {
                return Err(contradiction(&value, "the struct that was signed", code));
            }
            Some(known)
        }
        None => find_signed(shared, at, &stated, code)?,
    };
    if let Some(SignedOrder { order, chain_id, .. }) = &signed {
        let wrapped: Vec<Address> =
            known_contracts(shared, *chain_id).iter().filter_map(|one| one.wrapped_native).collect();
        ReportedOrder { at, order, chain_id: *chain_id, wrapped: &wrapped, code }.verify()?;
        // The struct has an owner even if no member beside it does.
        if let Some(owner) = wanted.owner.filter(|owner| *owner != order.address(member!("owner"))) {
            return differs(at.get("order").get("owner"), &owner);
        }
    }
    let json = at.json().unwrap_or(&Json::Null);
    Ok(Reported { json, signed, is_signed_here })
}

/// The struct in a reported order, if it hashes to the order's hash in the domain of a known contract; `None` if it
/// cannot be hashed here.
///
/// # Errors
/// `code` with `orderHash` if it can be hashed and does not have that hash.
fn find_signed<H: Host>(
    shared: &Shared<H>,
    at: &JsonAt<'_>,
    stated: &OrderView<'_>,
    code: ErrorCode,
) -> Result<Option<SignedOrder>> {
    let (Some(hash), Some(chain_id)) = (stated.hash, stated.chain_id) else { return Ok(None) };
    let mut deltas: Vec<Address> =
        known_contracts(shared, chain_id).iter().filter_map(|one| one.of(Protocol::Delta)).collect();
    deltas.dedup();
    let domains: Vec<B256> = deltas.iter().map(|delta| domain(chain_id, *delta).hash()).collect();
    match find_struct(&at.get("order"), at.get("onChainOrderType").text().ok(), hash, &domains) {
        StructMatch::Signed(order, index) => {
            let delta = deltas.get(index).copied().unwrap_or_default();
            // The amount that a bridge delivers is not in the struct: only the client that requested the order has
            // it.
            let arrives = if bridged_to(&order).is_some() { None } else { least_paid(&order) };
            Ok(Some(SignedOrder { id: None, hash, chain_id, delta, order, arrives }))
        }
        StructMatch::Unknown => Ok(None),
        StructMatch::Other => Err(contradiction(&at.get("orderHash"), "the hash of the struct in the order", code)),
    }
}

impl Reported<'_> {
    /// The order for the app; `settled` is `seen` or `claimed`, for a completed one.
    pub fn json(&self, settled: Option<&'static str>) -> Json {
        annotate(self.json, self.signed.is_some(), settled)
    }
}

/// An order as it came, with the members that only this package may write: `unverified` and `settled`, and those that a
/// watch adds. Members of these names from the service are dropped.
pub fn annotate(order: &Json, is_verified: bool, settled: Option<&'static str>) -> Json {
    let Json::Object(members) = order else { return order.clone() };
    let own = ["unverified", "settled", "ended", "unseenSince"];
    let foreign = |member: &&(String, Json)| !own.contains(&member.0.as_str());
    let mut members: Vec<_> = members.iter().filter(foreign).cloned().collect();
    if !is_verified {
        members.push(("unverified".into(), Json::Bool(true)));
    }
    if let Some(settled) = settled {
        members.push(("settled".into(), Json::String(settled.into())));
    }
    Json::Object(members)
}
