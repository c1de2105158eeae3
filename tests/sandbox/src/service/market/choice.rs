//! Which method and exchange a price is for.

use strum::VariantArray;

use super::method::{EXCHANGES, Method};
use crate::service::{Query, Refusal};

/// A method, and the exchange it trades on.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub method: Method,
    pub exchange: &'static str,
}

/// A trade's demands on a method.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    pub is_sell: bool,
    pub hops: usize,
    pub is_native: bool,
}

/// The filters of a request.
#[derive(Debug)]
pub struct Filters<'a> {
    include_methods: Vec<Method>,
    exclude_methods: Vec<Method>,
    include_exchanges: Vec<&'a str>,
    exclude_exchanges: Vec<&'a str>,
    fee_model_only: bool,
    without_rfq: bool,
}

impl<'a> Filters<'a> {
    /// # Errors
    /// InvalidInput for a method to include that is unknown, or a switch that is neither true nor false. Exchanges
    /// are an open set.
    pub fn read(query: &'a Query) -> Result<Self, Refusal> {
        let included = |text: &str| {
            let unknown = || Refusal::invalid(format!("includeContractMethods: {text} is not a method of the router"));
            Method::named(text).ok_or_else(unknown)
        };
        Ok(Self {
            include_methods: query
                .list("includeContractMethods")
                .into_iter()
                .map(included)
                .collect::<Result<_, _>>()?,
            // Clients still leave out what only older routers had.
            exclude_methods: query.list("excludeContractMethods").into_iter().filter_map(Method::named).collect(),
            include_exchanges: query.list("includeDEXS"),
            exclude_exchanges: query.list("excludeDEXS"),
            without_rfq: query.flag("excludeRFQ")?.unwrap_or(false),
            fee_model_only: query.flag("excludeContractMethodsWithoutFeeModel")?.unwrap_or(false),
        })
    }

    /// The same without makers' orders.
    pub fn without_rfq(self) -> Self {
        Self { without_rfq: true, ..self }
    }

    /// The first that fits; `wanted` comes first where it does.
    pub fn choose(&self, needs: Needs, wanted: Option<Method>) -> Option<Choice> {
        let named = self.include_methods.iter().copied().chain(wanted);
        let usual =
            Method::VARIANTS.iter().copied().filter(|method| method.is_usual() && self.include_methods.is_empty());
        let fits = |method: &Method| {
            method.serves(needs.is_sell)
                && (needs.hops <= 1 || method.takes_hops())
                && (needs.hops > 0 || method.is_generic())
                && (!needs.is_native || method.takes_native())
                && (!self.fee_model_only || method.has_fee_model())
                && (self.include_methods.is_empty() || self.include_methods.contains(method))
                && !self.exclude_methods.contains(method)
        };
        named.chain(usual).filter(fits).find_map(|method| {
            let possible: &[&str] = if method.is_generic() { &EXCHANGES } else { &[method.exchange()] };
            let exchange = possible.iter().copied().find(|exchange| self.admits(exchange))?;
            Some(Choice { method, exchange })
        })
    }

    /// Names are compared whatever their casing.
    pub fn admits(&self, exchange: &str) -> bool {
        let is_in = |list: &[&str]| list.iter().any(|name| name.eq_ignore_ascii_case(exchange));
        !(self.without_rfq && exchange == Method::RfqBatchFill.exchange())
            && (self.include_exchanges.is_empty() || is_in(&self.include_exchanges))
            && !is_in(&self.exclude_exchanges)
    }
}
