//! The time by which deadlines are judged: the chain's, because its contracts compare them with the block's timestamp.
//!
//! A node could state any time. On a pinned chain it is compared with this machine's clock ("Before the prompt, and
//! after it" in docs/verification.md).

use verify::internal::domain::chain::pinned;
use verify::internal::error::{Error, Result};
use verify::internal::json::JsonAt;
use verify::internal::value::text::ToText;

/// The most that the clocks of a pinned chain and of this machine may differ, in seconds.
pub const CLOCK_SLACK_SECS: u64 = 3_600;

/// The time on a chain, unix seconds: the timestamp of its last `block`. A pinned chain keeps real time, so there it is
/// this `machine`'s time if that is later, as it is when no block came for a while. A machine more than an hour ahead
/// is itself wrong and does not count.
pub fn chain_time(chain_id: u64, block: u64, machine: u64) -> u64 {
    let is_near = machine <= block.saturating_add(CLOCK_SLACK_SECS);
    if pinned(chain_id).is_some() && is_near { block.max(machine) } else { block }
}

/// The seconds by which `time` is ahead of this machine's clock; zero if it is at most an hour.
pub fn secs_ahead(time: u64, machine: u64) -> u64 {
    time.checked_sub(machine).filter(|secs| *secs > CLOCK_SLACK_SECS).unwrap_or_default()
}

/// The error for a `deadline` or `validForSecs` of the options that ends before `least` seconds from `now` have passed.
pub fn deadline_too_early(options: &JsonAt<'_>, now: u64, least: u64) -> Error {
    let deadline = options.get("deadline");
    if deadline.is_absent() {
        return options.get("validForSecs").fault(&["at least ", &least.text()].concat());
    }
    deadline.fault(&["unix seconds after ", &now.saturating_add(least).saturating_sub(1).text()].concat())
}

/// Whether a deadline has passed by the chain's last block, so that no later block can fill the order. A node of a
/// pinned chain that is far ahead of this machine is not believed: it could end an order that can still be filled.
pub fn has_passed(chain_id: u64, block: u64, machine: u64, deadline: u64) -> bool {
    block > deadline && checked_chain_time(chain_id, block, machine).is_ok()
}

/// The time as in [`chain_time`], for deadlines that are counted from it. Refuses a node of a pinned chain that is more
/// than an hour ahead of this machine: it could make orders and permits valid for years.
///
/// # Errors
/// INVALID_INPUT with `rpc.` and the chain's id.
pub fn checked_chain_time(chain_id: u64, block: u64, machine: u64) -> Result<u64> {
    let time = chain_time(chain_id, block, machine);
    if pinned(chain_id).is_some() && secs_ahead(time, machine) > 0 {
        let field = ["rpc.", &chain_id.text()].concat();
        return Err(Error::input(&field, "a node whose clock is right", &time.text()));
    }
    Ok(time)
}
