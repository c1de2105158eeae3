//! `approvals.buildRevoke`: the transaction that takes an allowance back.

use crate::client::Client;
use crate::flows::allowances::holder::AllowanceHolder;
use crate::flows::allowances::spenders::find_spenders;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::open_orders::{NEEDED, name_open_orders, takes_from};
use crate::flows::journal::sync::sync_best_effort;
use crate::flows::transaction::send::transaction_build;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::Purpose;
use crate::wallet::reads::Read;
use alloy_primitives::{Address, U256, hex};
use verify::internal::domain::abi::word_at;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::asset;
use verify::internal::domain::chain::name as chain_name;
use verify::internal::domain::erc20;
use verify::internal::domain::input::{account, chain_id, known, optional};
use verify::internal::domain::permit::calls;
use verify::internal::domain::token::is_native;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::verify::{Checks, report};
use verify::internal::error::{Error, Result};
use verify::internal::json::JsonAt;
use verify::internal::value::text::ToText;

/// The members of an `Allowance`, which `approvals.buildRevoke` takes; it uses the first five.
const REVOKED: [&str; 13] = [
    "chainId",
    "account",
    "token",
    "spender",
    "kind",
    "decimals",
    "contract",
    "name",
    "isCurrent",
    "isKnown",
    "amount",
    "isUnlimited",
    "expiration",
];

/// Whether a contract's tokens are no sums (ERC-721, by ERC-165, <https://eips.ethereum.org/EIPS/eip-165>).
async fn is_collection<H: Host>(chain: &Chain<'_, H>, token: Address) -> bool {
    const SUPPORTS_ERC721: [u8; 36] = hex!("01ffc9a780ac58cd00000000000000000000000000000000000000000000000000000000");
    let answer = chain.read(Read::view(&token, &SUPPORTS_ERC721).named("supportsInterface")).await;
    answer.is_ok_and(|answer| erc20::word(&answer) == Some(U256::from(1)))
}

/// The call `approvals.buildRevoke`: the transaction that takes an allowance back. Returns the `TransactionBuild` as JSON text.
/// The effect follows from token and spender alone, and the spender is looked up again: an edited allowance can at most
/// take back another one of the same contracts.
///
/// # Errors
/// INVALID_INPUT with the member, also if the spender is no contract of the service, or nothing is allowed;
/// UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_revoke<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "allowance"), call.signal);
    known(&at, &REVOKED)?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let token = account(&at.get("token"))?;
    if is_native(token) {
        return Err(at.get("token").fault("an ERC-20 token: the native token has no allowance"));
    }
    let address = account(&at.get("spender"))?;
    let holder = optional(&at.get("kind"), AllowanceHolder::read)?.unwrap_or(AllowanceHolder::Token);
    let owner = find_account(client, &at.get("account"), signal).await?;
    let spenders = find_spenders(client, chain_id, signal).await?;
    let unknown = || at.get("spender").fault("a contract of the service on this chain, of today or an old one");
    let spender = spenders.iter().find(|one| one.address == address).ok_or_else(unknown)?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let to = holder.contract(token);
    let answer = chain.read(Read::view(&to, &holder.question(token, owner, address)).named("allowance")).await?;
    // An expired allowance is taken back, too: it may come to life again. An NFT contract is refused: it has no
    // allowances, and the same call means something else for it.
    let amount = holder.amount(&answer, 0).0;
    if holder == AllowanceHolder::Token && is_collection(&chain, token).await {
        return Err(at.get("token").fault("an ERC-20 token: of an NFT the same call approves one"));
    }
    if amount.is_zero() {
        let expected = "an allowance that is still there (it is zero now)";
        return Err(Error::input("allowance.amount", expected, at.get("amount").text().unwrap_or("nothing")));
    }
    let data = match holder {
        AllowanceHolder::Token => erc20::approve(address, U256::ZERO),
        AllowanceHolder::Permit2 => calls::revoke(token, address),
    };
    let transaction = Transaction { chain_id, owner, to, value: U256::ZERO, data, pays: None, decimals: vec![] };
    // The calldata is read back: its recipient, its spender, and an allowance of zero.
    let arguments = transaction.data.get(4..).unwrap_or_default();
    let place = if holder == AllowanceHolder::Token { 0 } else { 32_usize };
    let named = word_at(arguments, place).map(|word| Address::from_word(word.into())).unwrap_or_default();
    let left = word_at(arguments, place.saturating_add(32)).unwrap_or(U256::MAX);
    let mut checks = Checks::default();
    checks.same("transaction.to", &holder.contract(token), &transaction.to);
    checks.same("transaction.spender", &address, &named);
    checks.same("transaction.amount", &U256::ZERO, &left);
    checks.at_least("allowance.amount", &U256::from(1), &amount);
    let name = asset::name(chain_id, token).map(|name| [&name, " "].concat()).unwrap_or_default();
    let named = [&*name, &token.text()].concat();
    let through = if holder == AllowanceHolder::Permit2 { " through Permit2" } else { "" };
    let what =
        ["Take back what the ", &spender.text(), " may take of ", &named, through, " on ", &chain_name(chain_id)];
    sync_best_effort(client, signal).await;
    let ends = match holder {
        AllowanceHolder::Token => {
            let need = ApprovalNeed::new(spender.protocol, chain_id, &token, &owner, &address, &U256::ZERO, None);
            name_open_orders(&client.shared, takes_from(&need, None), NEEDED)
        }
        AllowanceHolder::Permit2 => String::new(),
    };
    let report = report(&[what.concat(), ends].concat(), &checks.finish()?, None);
    transaction_build(client, Purpose::Revoke, &transaction, &report, None, signal).await
}
