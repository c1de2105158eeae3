//! Runs the steps a verb needs, two beside each other where they do not wait for one another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

use super::{Need, STEPS, Step, job, prerequisites, turn};
use crate::failure::Failure;
use crate::signal;
use crate::workspace::Workspace;

/// Steps that may run at once: one that compiles and one that downloads.
const LANES: usize = 2;
/// How each step ended.
pub struct Prepared(Vec<(Need, Result<(), Failure>)>);

impl Prepared {
    /// The first failure among `needs`.
    pub fn all_of(&self, needs: &[Need]) -> Result<(), Failure> {
        let failures = || self.0.iter().filter(|(need, outcome)| needs.contains(need) && outcome.is_err());
        // What a failure elsewhere has stopped is no reason.
        let failed =
            failures().find(|(_, outcome)| *outcome != Err(Failure::Interrupted)).or_else(|| failures().next());
        failed.map_or(Ok(()), |(_, outcome)| outcome.clone())
    }
}

/// Meets all `needs`. The first step that fails ends the others: what they have done so far is kept.
pub fn require(workspace: &Workspace, needs: &[Need]) -> Result<(), Failure> {
    take_all(workspace, needs, true)?.all_of(needs)
}

/// Meets `needs` as far as possible. A failed step fails those that wait for it, and no others.
pub fn attempt(workspace: &Workspace, needs: &[Need]) -> Result<Prepared, Failure> {
    take_all(workspace, needs, false)
}

fn take_all(workspace: &Workspace, needs: &[Need], all_or_nothing: bool) -> Result<Prepared, Failure> {
    prerequisites::check(workspace)?;
    let _turn = turn::take(workspace)?;
    let steps: Vec<&Step> = STEPS.iter().filter(|step| required(needs).contains(&step.need)).collect();
    let board = Board {
        states: Mutex::new(vec![State::Waiting; steps.len()]),
        changed: Condvar::new(),
        halt: AtomicBool::new(false),
        all_or_nothing,
    };
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| work(workspace, &steps, &board));
        }
    });
    if signal::interrupted() {
        return Err(Failure::Interrupted);
    }
    let states = board.states.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let outcomes = steps.iter().zip(states).map(|(step, state)| match state {
        State::Ended(outcome) => (step.need, outcome),
        State::Waiting | State::Working => {
            (step.need, Err(Failure::because(format!("{} was not reached.", step.title))))
        }
    });
    Ok(Prepared(outcomes.collect()))
}

#[derive(Clone)]
enum State {
    Waiting,
    Working,
    Ended(Result<(), Failure>),
}

struct Board {
    states: Mutex<Vec<State>>,
    changed: Condvar,
    /// Set when a step has failed and nothing is worth going on with.
    halt: AtomicBool,
    all_or_nothing: bool,
}

/// `needs` with all they wait for.
fn required(needs: &[Need]) -> Vec<Need> {
    let mut all = needs.to_vec();
    let mut next = 0;
    while let Some(&need) = all.get(next) {
        let before = STEPS.iter().filter(|step| step.need == need).flat_map(|step| step.after);
        let missing: Vec<Need> = before.filter(|need| !all.contains(need)).copied().collect();
        all.extend(missing);
        next += 1;
    }
    all
}

fn work(workspace: &Workspace, steps: &[&Step], board: &Board) {
    let Ok(mut states) = board.states.lock() else { return };
    loop {
        fail_what_waits_for_a_failure(steps, &mut states);
        if let Some(index) = next_ready(steps, &states) {
            states[index] = State::Working;
            drop(states);
            let outcome = job::take(workspace, steps[index], (index + 1, steps.len()), &board.halt);
            if board.all_or_nothing && outcome.is_err() {
                board.halt.store(true, Ordering::SeqCst);
            }
            let Ok(again) = board.states.lock() else { return };
            states = again;
            states[index] = State::Ended(outcome);
            board.changed.notify_all();
        } else if states.iter().all(|state| matches!(state, State::Ended(_))) {
            board.changed.notify_all();
            return;
        } else {
            let Ok(again) = board.changed.wait(states) else { return };
            states = again;
        }
    }
}

fn state_of<'a>(steps: &[&Step], states: &'a [State], need: Need) -> Option<&'a State> {
    steps.iter().position(|step| step.need == need).map(|index| &states[index])
}

fn next_ready(steps: &[&Step], states: &[State]) -> Option<usize> {
    (0..steps.len()).find(|&index| {
        matches!(states[index], State::Waiting)
            && steps[index]
                .after
                .iter()
                .all(|need| matches!(state_of(steps, states, *need), Some(State::Ended(Ok(())))))
    })
}

fn fail_what_waits_for_a_failure(steps: &[&Step], states: &mut [State]) {
    for index in 0..steps.len() {
        if !matches!(states[index], State::Waiting) {
            continue;
        }
        let failure = steps[index].after.iter().find_map(|need| match state_of(steps, states, *need) {
            Some(State::Ended(Err(failure))) => Some(failure.clone()),
            _ => None,
        });
        if let Some(failure) = failure {
            states[index] = State::Ended(Err(failure));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_needs_no_browser_and_everything_its_page_is_made_of() {
        let needs = required(&[Need::Page, Need::Sandbox, Need::Contracts]);
        for need in [Need::NpmPackages, Need::WasmTarget, Need::WasmBindgen, Need::WasmPack, Need::Package] {
            assert!(needs.contains(&need), "{need:?}");
        }
        assert!(!needs.contains(&Need::Browser));
    }

    #[test]
    fn a_step_waits_only_for_steps_listed_before_it() {
        for (index, step) in STEPS.iter().enumerate() {
            for need in step.after {
                assert!(
                    STEPS[..index].iter().any(|earlier| earlier.need == *need),
                    "{} waits for {need:?}",
                    step.title
                );
            }
        }
    }

    #[test]
    fn a_failure_reaches_those_that_wait_for_it_and_no_others() {
        let steps: Vec<&Step> = STEPS.iter().collect();
        let mut states = vec![State::Waiting; steps.len()];
        let npm = steps.iter().position(|step| step.need == Need::NpmPackages).expect("a step");
        states[npm] = State::Ended(Err(Failure::because("no network")));
        fail_what_waits_for_a_failure(&steps, &mut states);
        let failed = |need| matches!(state_of(&steps, &states, need), Some(State::Ended(Err(_))));
        assert!(failed(Need::Contracts) && failed(Need::Package) && failed(Need::Page) && failed(Need::Tarball));
        assert!(!failed(Need::Sandbox) && !failed(Need::WasmBindgen) && !failed(Need::Browser));
    }
}
