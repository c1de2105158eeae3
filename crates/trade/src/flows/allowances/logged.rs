//! Approvals in the chain's logs.

use crate::flows::allowances::holder::AllowanceHolder;
use crate::flows::allowances::queries::{AllowanceQueries, AllowanceQuery};
use crate::flows::allowances::spenders::Spender;
use crate::flows::chain::approval::APPROVAL;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256, b256};
use verify::internal::domain::permit::PERMIT2;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, quoted};
use verify::internal::value::text::ToText;

/// Milliseconds for which ever shorter ranges of logs are requested.
const LIMIT_MS: u64 = 20_000;
/// The shortest range of logs to request, in blocks; a shorter one shows too little.
const FEWEST_BLOCKS: u64 = 1_000;

/// `Approval(address,address,address,uint160,uint48)` of Permit2.
const PERMIT2_APPROVAL: B256 = b256!("0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b");
/// `Permit(address,address,address,uint160,uint48,uint48)` of Permit2.
const PERMIT2_PERMIT: B256 = b256!("0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec");

/// Adds the owner's approvals found in the chain's logs, the latest first. Returns the block from which on they were
/// read: the node is asked for all blocks, then for ever fewer, until it answers; `None` if it never does.
///
/// # Errors
/// The RPC's failure to read the latest block; ABORTED.
pub async fn add_logged<H: Host>(
    chain: &Chain<'_, H>,
    owner: Address,
    spenders: &[Spender],
    list: &mut AllowanceQueries,
) -> Result<Option<u64>> {
    let host = &chain.client.shared.host;
    let (started, latest) = (host.monotonic_ms(), chain.read(Read::block_number().informing()).await?);
    let mut blocks = latest.saturating_add(1);
    loop {
        let (mut batch, from) = (Batch::default(), latest.saturating_add(1).saturating_sub(blocks));
        let asked = AllowanceHolder::ALL
            .map(|(holder, _)| (holder, batch.add(Read::logs(filter(holder, owner, spenders), from))));
        let answers = chain.ask(batch.informing()).await?;
        let mut said = Vec::new();
        for (holder, asked) in asked {
            said.extend(answers.get(asked)?.map(|logs| (holder, logs)));
        }
        if said.len() == AllowanceHolder::ALL.len() {
            said.iter().for_each(|(holder, logs)| add_logs(*holder, logs, spenders, list));
            return Ok(Some(from));
        }
        blocks /= 2;
        if blocks < FEWEST_BLOCKS || host.monotonic_ms().saturating_sub(started) > LIMIT_MS {
            return Ok(None);
        }
    }
}

/// The filter of the owner's approvals for these spenders.
fn filter(holder: AllowanceHolder, owner: Address, spenders: &[Spender]) -> ObjectWriter {
    let word = |word: &B256| quoted(&word.text());
    let (owner, spenders) = (word(&owner.into_word()), spenders.iter().map(|one| word(&one.address.into_word())));
    let spenders = array(&spenders.collect::<Vec<_>>());
    let mut out = ObjectWriter::object();
    let topics = match holder {
        AllowanceHolder::Token => array(&[word(&APPROVAL), owner, spenders]),
        AllowanceHolder::Permit2 => {
            out.value("address", &PERMIT2);
            let events = array(&[word(&PERMIT2_APPROVAL), word(&PERMIT2_PERMIT)]);
            array(&[events, owner, "null".into(), spenders])
        }
    };
    out.raw("topics", &topics);
    out
}

/// Adds the allowances found in the logs. The node's filter is not relied on: a log of another spender is passed over.
fn add_logs(holder: AllowanceHolder, logs: &Json, spenders: &[Spender], list: &mut AllowanceQueries) {
    let Json::Array(logs) = logs else { return };
    for log in logs.iter().rev() {
        let at = JsonAt::input(log, "log");
        let mut topics: Vec<B256> = Vec::new();
        for topic in at.get("topics").items().into_iter().flatten() {
            topics.extend(topic.fixed::<32>().ok().map(B256::from));
        }
        let (token, spender) = match (holder, topics.as_slice()) {
            (AllowanceHolder::Token, [_, _, spender]) => (at.get("address").address().ok(), spender),
            (AllowanceHolder::Permit2, [_, _, token, spender]) => (Some(Address::from_word(*token)), spender),
            _ => continue,
        };
        let place = spenders.iter().position(|one| one.address == Address::from_word(*spender));
        if let (Some(token), Some(spender)) = (token, place) {
            list.add(AllowanceQuery { holder, token, spender });
        }
    }
}
