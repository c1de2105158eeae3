//! Permissions for others to act for an account: delegations (ERC-7710) and permissions (ERC-7715); and requests about chains
//! (EIP-3085) and tokens (EIP-747).

use super::answer::{Answer, Kept};
use super::payload_fields::{PayloadFields, word_of};
use super::scope::{Scope, is_unlimited, text_value};
use super::services::{CAVEATS, HALVES};
use super::words::*;
use super::wrapped::{check_chain, explain_unreadable, start_unreadable};
use alloy_primitives::U256;
use verify::internal::domain::asset;
use verify::internal::domain::intent::Token;
use verify::internal::domain::sentence::part::{EXPIRES, Sink, count, time};
use verify::internal::domain::token::NATIVE;
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::{ToText, contains, joined, split_once};

/// A delegation of the Delegation Framework. Each caveat is a contract that has to agree to what is done; what it agrees to is
/// in its terms, which are not read.
pub fn delegate(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (delegate, delegator, number) =
        (fields.address("delegate"), fields.address("delegator"), fields.count("caveats"));
    answer.fact("delegate", &delegate);
    scope.check_owner(answer, &fields.field("delegator"), delegator);
    scope.look(answer, &fields.field("delegate"), delegate);
    let shown = count::<Answer>(u64::try_from(number).unwrap_or(u64::MAX));
    answer.say(ACT, &[scope.who(delegate), scope.who(delegator), shown, scope.chain()]);
    let (mut names, mut halves) = (Vec::new(), 0);
    for caveat in (0..number.min(64)).map(|index| fields.sub(&PayloadFields::item("caveats", index))) {
        let enforcer = caveat.address("enforcer");
        let known = CAVEATS.iter().find(|(known, ..)| *known == enforcer);
        names.push(known.map_or_else(|| enforcer.text(), |(_, name, _)| (*name).to_owned()));
        halves |= known.map_or(0, |(.., half)| *half);
        answer.opaque(&caveat.field("terms"), caveat.bytes("terms").len());
    }
    if number > 0 {
        answer.say(CAVEATS_NAMED, &[Kept::word(&joined(&names, ", "))]);
        answer.unread(&fields.field("caveats"), 0);
    }
    let warning = if halves == HALVES { DELEGATION_BOUND } else { DELEGATION_OPEN };
    answer.find(warning, &fields.field("caveats"), &[scope.who(delegate)]);
}

/// Why a request is not read.
const MISSING: &str = "a member is missing, or not of its form";

/// A number that may be absent: `None` if it is there in another form.
fn number(at: &JsonAt<'_>) -> Option<Option<U256>> {
    let Some(at) = at.some() else { return Some(None) };
    at.json().filter(|json| !matches!(json, Json::Bool(_))).and_then(word_of).map(Some)
}

/// Begins an answer about members of a request: those that are not `known` are not read.
fn start(scope: &Scope<'_>, kind: Kind, parts: &[(&JsonAt<'_>, &str)]) -> Answer {
    let mut answer = Answer::of(kind);
    answer.fact_json("chainId", scope.chain_id.text());
    for (at, known) in parts {
        for name in at.names().take(32) {
            (answer.fields.read, answer.fields.total) =
                (answer.fields.read.saturating_add(1), answer.fields.total.saturating_add(1));
            if !known.split(' ').any(|known| known == name) {
                answer.find(MEMBER_UNREAD, name, &[text_value("text", name)]);
                answer.opaque(name, 0);
            }
        }
    }
    answer
}

/// A request for permissions: one, or several.
pub fn explain_permissions(scope: &Scope<'_>, list: &[JsonAt<'_>]) -> Answer {
    if let [at] = list {
        return explain_permission(scope, at);
    }
    let mut answer = start(scope, PERMISSION, &[]);
    scope.say_batch(&mut answer, list.len());
    for at in list {
        match scope.inside(&mut answer, None) {
            Some(inside) => answer.nest(explain_permission(&inside, at), false),
            None => {
                answer.unread("params", 0);
                break;
            }
        }
    }
    if list.is_empty() {
        answer.unread("params", 0);
    }
    answer
}

/// The members of a permission's data: so much in all, so much anew each period, or so much a second.
const FORMS: [(&str, &str, &str); 3] = [
    ("allowance", "allowanceAmount", ""),
    ("periodic", "periodAmount", "periodDuration"),
    ("stream", "amountPerSecond", "initialAmount maxAmount"),
];

fn explain_permission(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let one = at.get("permission");
    let (kind, data) = (one.get("type").text().unwrap_or_default(), one.get("data"));
    let (asset, form) = split_once(kind, "-token-").unwrap_or_default();
    let rules: Vec<_> = at.get("rules").items().map(Iterator::collect).unwrap_or_default();
    let is_expiry = |rule: &&JsonAt<'_>| rule.get("type").text().is_ok_and(|kind| kind == "expiry");
    let read = || {
        let (_, amount, more) = FORMS.iter().find(|(known, ..)| *known == form)?;
        let word = |name: &'static str| if contains(more, name) { number(&data.get(name)) } else { Some(None) };
        let token = match asset {
            "native" => NATIVE,
            "erc20" => data.get("tokenAddress").address().ok()?,
            _ => return None,
        };
        // If two are named, programs read one or the other.
        let signers = [at.get("to"), at.get("signer").get("data").get("address")];
        let mut signers = signers.iter().filter_map(JsonAt::some).map(|at| at.address().ok());
        let signer = signers.next()??;
        signers.all(|other| other == Some(signer)).then_some(())?;
        let mut ends = rules.iter().filter(is_expiry).map(|rule| rule.get("data").get("timestamp")).collect::<Vec<_>>();
        ends.push(at.get("expiry"));
        // The later of two ends counts.
        let end = ends.iter().map(number).collect::<Option<Vec<_>>>()?.into_iter().max().flatten();
        let secs = match form {
            "periodic" => Some(word("periodDuration")??),
            _ => (form == "stream").then_some(U256::from(1)),
        };
        let rate = number(&data.get(amount))??;
        let chain = number(&at.get("chainId"))?;
        let known = [*amount, " ", *more, " tokenAddress startTime justification"].concat();
        Some((token, signer, rate, secs, [word("initialAmount")?, word("maxAmount")?], end, chain, known))
    };
    let Some((token, signer, rate, secs, [at_once, in_all], end, chain, known)) = read() else {
        let mut answer = start_unreadable(scope, (PERMISSION, "The permission"), "permission", 0);
        answer.find(PERMISSION_UNKNOWN, "permission", &[text_value("text", kind)]);
        return answer;
    };
    let chain_id = chain.map_or(scope.chain_id, |id| u64::try_from(id).unwrap_or(u64::MAX));
    let scope = &Scope { chain_id, ..*scope };
    let outer = "chainId address account to signer expiry permission rules isAdjustmentAllowed";
    let parts = [(at, outer), (&one, "type data isAdjustmentAllowed required"), (&data, &*known)];
    let mut answer = start(scope, PERMISSION, &parts);
    check_chain(&mut answer, scope, "chainId", chain_id);
    if !rules.iter().all(|rule| is_expiry(&rule)) {
        answer.find(MEMBER_UNREAD, "rules", &[text_value("text", "rules")]);
        answer.opaque("rules", 0);
    }
    scope.check_sender(&mut answer, ["address", "account"].iter().find_map(|name| at.get(name).address().ok()));
    let token = scope.token(token);
    scope.look(&mut answer, "permission.data.tokenAddress", token.address);
    let shown = |raw| scope.allowed(raw, &token);
    if let Some(all) = in_all.or(Some(rate).filter(|_| secs.is_none())) {
        answer.gives(&shown(all));
    }
    answer.say(ALLOW, &[scope.who(signer), shown(rate), scope.chain()]);
    let period = secs.map(|secs| Kept::number(&secs));
    let until = end.map(|end| time::<Answer>(u64::try_from(end).unwrap_or(u64::MAX)));
    let parts = [(EVERY, period), (AT_ONCE, at_once.map(shown)), (IN_ALL, in_all.map(shown)), (EXPIRES, until)];
    for (part, value) in parts {
        if let Some(value) = value {
            answer.say(part, &[value]);
        }
    }
    // Without an end and a bound in all it grows for ever.
    let grows = secs.is_some_and(|secs| secs.is_zero() || (end.is_none() && in_all.is_none()));
    let unlimited = grows || [Some(rate), at_once, in_all].into_iter().flatten().any(is_unlimited);
    scope.check_spender(&mut answer, ("to", "permission"), (signer, &token), (unlimited, true));
    scope.check_deadline(&mut answer, "expiry", end);
    answer
}

/// A chain that a wallet is to add: its nodes state what the wallet shows.
pub fn explain_chain(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let id = number(&at.get("chainId")).flatten().and_then(|id| u64::try_from(id).ok());
    let (Some(id), Ok(urls)) = (id, at.get("rpcUrls").items()) else {
        return explain_unreadable(scope, (CHAIN_ADDED, "The chain"), (JSON_REFUSED, "params", MISSING), 0);
    };
    let scope = &Scope { chain_id: id, ..*scope };
    let known = "chainId chainName rpcUrls nativeCurrency blockExplorerUrls iconUrls";
    let mut answer = start(scope, CHAIN_ADDED, &[(at, known)]);
    let urls: Vec<String> = urls.map(|one| one.text().unwrap_or_default().to_owned()).collect();
    let nodes = text_value("text", &joined(&urls, ", "));
    let text = |at: JsonAt<'_>| text_value("text", at.text().unwrap_or_default());
    let currency = at.get("nativeCurrency");
    let symbol = text(currency.get("symbol"));
    answer.say(ADD_CHAIN, &[scope.chain(), text(at.get("chainName")), nodes.clone(), symbol.clone()]);
    answer.find(CHAIN_NODES, "rpcUrls", &[nodes, scope.chain()]);
    let is_other = |known: &String| {
        currency.get("symbol").text().ok() != Some(known)
            || number(&currency.get("decimals")) != Some(Some(U256::from(18)))
    };
    if let Some(known) = asset::name(id, NATIVE).filter(is_other) {
        answer.find(CHAIN_CURRENCY, "nativeCurrency", &[scope.chain(), symbol, Kept::word(&known)]);
    }
    answer
}

/// A token that a wallet is to show.
pub fn explain_token(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let options = at.get("options");
    let Ok(address) = options.get("address").address() else {
        return explain_unreadable(scope, (TOKEN_WATCHED, "The token"), (JSON_REFUSED, "params", MISSING), 0);
    };
    let mut answer =
        start(scope, TOKEN_WATCHED, &[(at, "type options"), (&options, "address symbol decimals image tokenId")]);
    let token = scope.token(address);
    let symbol = options.get("symbol").text().unwrap_or_default();
    let decimals = number(&options.get("decimals")).flatten().unwrap_or_default();
    let stated = text_value("text", symbol);
    answer.fact("contract", &token.address);
    answer.say(WATCH, &[scope.who(token.address), stated.clone(), Kept::number(&decimals), scope.chain()]);
    scope.look(&mut answer, "options.address", token.address);
    let name = |token: &Token| asset::name(scope.chain_id, token.address).or(token.symbol.clone());
    let is_named = |token: &Token| name(token).is_some_and(|name| name.eq_ignore_ascii_case(symbol.trim()));
    let has_decimals = token.decimals == u8::MAX || decimals == U256::from(token.decimals);
    let known = match name(&token) {
        Some(_) if is_named(&token) && has_decimals => None,
        Some(_) => Some(scope.token_name(&token)),
        // Under the name of another one.
        None => scope.tokens().find(is_named).map(|known| scope.who(known.address)),
    };
    if let Some(known) = known {
        answer.find(TOKEN_ALIAS, "options.symbol", &[stated, known]);
    }
    answer
}
