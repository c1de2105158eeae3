//! The caller's context: its accounts, tokens, addresses and prices. Every name from it is marked as the caller's.

use alloy_primitives::{Address, U256};
use verify::internal::domain::asset;
use verify::internal::domain::chain::{Contracts, application_contracts, pinned};
use verify::internal::domain::decimal::scaled;
use verify::internal::domain::fields::Fields;
use verify::internal::domain::input::{account, chain_id, decimals_input, known, optional, short_text, unix_secs};
use verify::internal::domain::intent::Token;
use verify::internal::domain::token;
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// A Safe whose transactions are to be hashed.
#[derive(Clone, Debug, Default)]
pub struct Safe {
    /// The Safe's address.
    pub address: Address,
    /// Its version: before 1.3.0 its domain has no chain.
    pub version: String,
    /// The nonce of its next transaction.
    pub nonce: U256,
}

/// The context of a payload.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The accounts of the user.
    pub accounts: Vec<Address>,
    /// The chain on which the user is.
    pub chain_id: u64,
    /// The time now, unix seconds.
    pub now: Option<u64>,
    /// The website or app that makes the request.
    pub origin: Option<String>,
    /// Tokens with the caller's names and decimals.
    pub tokens: Vec<Token>,
    /// Addresses with the caller's names.
    pub address_book: Vec<(Address, String)>,
    /// Prices of one whole token, `(chain, token, dollars times 10^18)`.
    pub references: Vec<(u64, Address, U256)>,
    /// The Safe whose transaction is explained.
    pub safe: Option<Safe>,
    /// The service's contracts by chain, in place of those compiled in.
    pub contracts: Vec<(u64, Contracts)>,
}

impl Context {
    /// Reads `{ accounts, chainId, now?, origin?, tokens?: [{ address, chainId?, symbol?, decimals? }], addressBook?:
    /// [{ address, name }], references?: { chainId: { token: dollars } }, safe?: { address, version, nonce }, contracts?: { chainId: { delta?,
    /// wrappedNative?, router?, rfq? } } }`.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, unknown or malformed.
    pub fn read(at: &JsonAt<'_>) -> Result<Context> {
        let members =
            ["accounts", "chainId", "now", "origin", "tokens", "addressBook", "references", "safe", "contracts"];
        known(at, &members)?;
        let mut context = Context { chain_id: chain_id(&at.get("chainId"))?, ..Context::default() };
        for one in at.get("accounts").items()? {
            context.accounts.push(account(&one)?);
        }
        context.now = optional(&at.get("now"), unix_secs)?;
        context.origin = optional(&at.get("origin"), |at| at.text().map(String::from))?;
        for one in at.get("tokens").some().map(|at| at.items()).transpose()?.into_iter().flatten() {
            context.tokens.push(read_token(&one, context.chain_id)?);
        }
        for one in at.get("addressBook").some().map(|at| at.items()).transpose()?.into_iter().flatten() {
            known(&one, &["address", "name"])?;
            context.address_book.push((account(&one.get("address"))?, short_text(&one.get("name"))?));
        }
        let references = at.get("references");
        for chain in references.names() {
            let (prices, id) = (references.get(chain), chain.parse::<u64>());
            let id = id.map_err(|_| references.get(chain).fault("prices by the id of a chain"))?;
            for name in prices.names() {
                let price = prices.get(name);
                let token = token::parse(name).map_err(|why| price.fault(why.expected()))?;
                let dollars = price.number_or_text().and_then(scaled).filter(|dollars| !dollars.is_zero());
                context.references.push((id, token, dollars.ok_or_else(|| price.fault("a decimal above 0"))?));
            }
        }
        let contracts = at.get("contracts");
        for chain in contracts.names() {
            let id = chain.parse::<u64>().map_err(|_| contracts.get(chain).fault("contracts by the id of a chain"))?;
            context.contracts.push((id, application_contracts(&contracts.get(chain))?));
        }
        context.safe = at.get("safe").some().map(|at| read_safe(&at)).transpose()?;
        Ok(context)
    }

    /// The service's contracts of a chain, and who names them: the caller, or the table.
    pub fn contracts(&self, chain_id: u64) -> Option<(Contracts, &'static str)> {
        let given = self.contracts.iter().find(|(id, _)| *id == chain_id).map(|(_, found)| (*found, "caller"));
        given.or_else(|| pinned(chain_id).map(|found| (found, "table")))
    }
}

fn read_token(at: &JsonAt<'_>, chain: u64) -> Result<Token> {
    known(at, &["address", "chainId", "symbol", "decimals"])?;
    let mut token = Token { chain_id: chain, decimals: u8::MAX, ..Token::default() };
    let mut fields = Fields::of(at);
    fields.required("address", token::read, &mut token.address);
    fields.optional("chainId", chain_id, &mut token.chain_id);
    fields.optional("symbol", short_text, &mut token.symbol);
    fields.optional("decimals", decimals_input, &mut token.decimals);
    fields.finish()?;
    match asset::decimals(token.chain_id, token.address) {
        Some(_) => token.settle_decimals(&at.get("decimals"))?,
        None => token.is_by_app = token.decimals != u8::MAX,
    }
    Ok(token)
}

fn read_safe(at: &JsonAt<'_>) -> Result<Safe> {
    known(at, &["address", "version", "nonce"])?;
    let mut safe = Safe::default();
    let mut fields = Fields::of(at);
    fields.required("address", account, &mut safe.address);
    fields.required("version", short_text, &mut safe.version);
    fields.required("nonce", |at| at.uint(), &mut safe.nonce);
    fields.finish()?;
    Ok(safe)
}
