//! How a model is run to its end, and what it did on the way.

use stateright::{Checker, Model};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Mutex;

/// The bounds of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    pub clicks: u8,
    pub faults: u8,
    pub crashes: u8,
    pub reorgs: u8,
}

/// The names of the actions that were taken.
#[derive(Default)]
pub struct Taken(Mutex<BTreeSet<String>>);

impl Taken {
    pub fn note(&self, action: impl Debug) {
        let name: String = format!("{action:?}").chars().filter(|sign| !sign.is_ascii_digit()).collect();
        let mut names = self.0.lock().unwrap();
        if !names.contains(&name) {
            names.insert(name);
        }
    }
}

/// Runs a model to its end. Returns the names of the actions that were taken.
pub fn exhaust<M>(bounds: Bounds, model: M, taken: fn(&M) -> &Taken) -> BTreeSet<String>
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq + Send + Sync,
{
    let checker = model.checker().threads(2).spawn_bfs().join();
    let of = std::any::type_name::<M>();
    println!("{of}, {bounds:?}: {} states, depth {}", checker.unique_state_count(), checker.max_depth());
    checker.assert_properties();
    taken(checker.model()).0.lock().unwrap().clone()
}

/// The most steps that a world needs in which everything answers at once.
const MAX_STEPS: usize = 60;

/// The tabs of a world: whether no call of a tab is under way, and whether `resume` has just listed everything to it.
type TabStates<S> = fn(&mut S) -> [(bool, &mut bool); 2];

/// Whether a world is idle, or comes to be once all answer at once: see [`rest_of`].
pub fn ends<M: Model>(model: &M, world: &M::State, honest: fn(&M::Action) -> bool, tabs: TabStates<M::State>) -> bool
where
    M::State: Clone + PartialEq,
{
    let is_idle = |world: &mut M::State| tabs(world).iter().all(|(is_idle, _)| *is_idle);
    is_idle(&mut world.clone()) || rest_of(model, world, honest, tabs).as_mut().is_some_and(is_idle)
}

/// Where a world comes to rest in which wallet, nodes, service and storage answer at once: only actions that are
/// `honest` are taken, the first one each time that changes more than which tabs are quiet. `None` if it goes round.
fn rest_of<M: Model>(
    model: &M,
    world: &M::State,
    honest: fn(&M::Action) -> bool,
    tabs: TabStates<M::State>,
) -> Option<M::State>
where
    M::State: Clone + PartialEq,
{
    let still = |mut world: M::State| {
        for (_, is_quiet) in tabs(&mut world) {
            *is_quiet = false;
        }
        world
    };
    let mut world = still(world.clone());
    for _ in 0..MAX_STEPS {
        let mut actions = vec![];
        model.actions(&world, &mut actions);
        let all = actions.into_iter().filter(honest).filter_map(|action| model.next_state(&world, action));
        match all.map(still).find(|next| *next != world) {
            Some(next) => world = next,
            None => return Some(world),
        }
    }
    None
}

/// How far a run goes: as far as an unoptimised build does in seconds, the usual bounds (`cargo xtask test model`), or
/// wider ones, which take minutes (`--all`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    Narrow,
    Usual,
    Wide,
}

pub fn width() -> Width {
    match std::env::var("MODEL_BOUNDS").as_deref() {
        Err(_) => Width::Narrow,
        Ok("usual") => Width::Usual,
        Ok("wide") => Width::Wide,
        Ok(other) => panic!("MODEL_BOUNDS is usual or wide, not {other}"),
    }
}

/// Fails if the actions of a model are not these.
pub fn assert_taken(taken: &BTreeSet<String>, all: &str) {
    let names: Vec<_> = taken.iter().map(String::as_str).collect();
    assert_eq!(names.join(" "), all.split_whitespace().collect::<Vec<_>>().join(" "), "an action is never taken");
}
