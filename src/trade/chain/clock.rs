//! What time it is where an order or a transaction will be settled.

use crate::domain::chain::pinned;
use crate::domain::text::ToText;
use crate::error::{Error, Result};
use crate::json::JsonAt;

/// How far apart a known chain's clock and this machine's may be.
const CLOCK_SLACK_SECS: u64 = 3_600;

/// The time, unix seconds: the chain's, as its last block says it. A chain that is known runs by the world's clock;
/// where no block came for a while, the machine's is the later one. A machine that is far ahead of the chain is wrong
/// itself.
pub fn chain_time(chain_id: u64, block: u64, machine: u64) -> u64 {
    let is_near = machine <= block.saturating_add(CLOCK_SLACK_SECS);
    if pinned(chain_id).is_some() && is_near { block.max(machine) } else { block }
}

/// By how many seconds that time is ahead of this machine's; zero where that is no more than clocks differ by.
pub fn secs_ahead(time: u64, machine: u64) -> u64 {
    time.checked_sub(machine).filter(|secs| *secs > CLOCK_SLACK_SECS).unwrap_or_default()
}

/// What is named in options, a deadline or how long something is good for, ends before `least` seconds have passed.
pub fn deadline_too_early(options: &JsonAt<'_>, now: u64, least: u64) -> Error {
    let deadline = options.get("deadline");
    if deadline.is_absent() {
        return options.get("validForSecs").fault(&["at least ", &least.text()].concat());
    }
    deadline.fault(&["unix seconds after ", &now.saturating_add(least).saturating_sub(1).text()].concat())
}

/// Whether that time has passed by the chain's last block, so that nothing can come before it any more. A node of a
/// known chain that is far ahead of this machine does not tell.
pub fn has_passed(chain_id: u64, block: u64, machine: u64, deadline: u64) -> bool {
    block > deadline && checked_chain_time(chain_id, block, machine).is_ok()
}

/// The time, as [`chain_time`] has it, for what is made now. A node that is far ahead would make orders and permits
/// good for years.
///
/// # Errors
/// INVALID_INPUT with the RPC.
pub fn checked_chain_time(chain_id: u64, block: u64, machine: u64) -> Result<u64> {
    let time = chain_time(chain_id, block, machine);
    if pinned(chain_id).is_some() && secs_ahead(time, machine) > 0 {
        let field = ["rpc.", &chain_id.text()].concat();
        return Err(Error::input(&field, "a node whose clock is right", &time.text()));
    }
    Ok(time)
}
