//! Everything the sandbox has while it runs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::chain::Chain;
use crate::control::{Control, Settings};
use crate::order::Book;
use crate::otc::OtcBook;
use crate::service::{PriceRoutes, Routes};

/// Shared by all requests and the solvers.
pub struct App {
    pub chains: Vec<Arc<Chain>>,
    pub control: Control,
    /// The folder of the page.
    pub pages: Option<PathBuf>,
    book: Mutex<Book>,
    otc: Mutex<OtcBook>,
    routes: Mutex<Routes>,
    price_routes: Mutex<PriceRoutes>,
}

impl App {
    pub fn new(chains: Vec<Arc<Chain>>, pages: Option<PathBuf>, settings: Settings) -> Self {
        Self {
            chains,
            control: Control::new(settings),
            pages,
            book: Mutex::default(),
            otc: Mutex::default(),
            routes: Mutex::default(),
            price_routes: Mutex::default(),
        }
    }

    pub fn chain(&self, id: u64) -> Option<&Arc<Chain>> {
        self.chains.iter().find(|chain| chain.id == id)
    }

    pub fn book(&self) -> MutexGuard<'_, Book> {
        held(&self.book)
    }

    pub fn otc(&self) -> MutexGuard<'_, OtcBook> {
        held(&self.otc)
    }

    pub fn routes(&self) -> MutexGuard<'_, Routes> {
        held(&self.routes)
    }

    pub fn price_routes(&self) -> MutexGuard<'_, PriceRoutes> {
        held(&self.price_routes)
    }
}

/// Locks, also after a request died while it held the lock.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
