//! A host that there is none of: the table of calls is one for each host.

use verified_swap::host::{
    Changes, Event, Host, HttpAnswer, HttpFailure, HttpRequest, Signal, StorageFailure, WalletFailure,
};
use verified_swap::json::Json;

#[derive(Clone, PartialEq)]
pub enum Nowhere {}

impl Signal for Nowhere {
    fn never() -> Nowhere {
        unreachable!()
    }

    fn is_aborted(&self) -> bool {
        match *self {}
    }
}

impl Host for Nowhere {
    type Signal = Nowhere;
    type Provider = Nowhere;
    type Prompt = Nowhere;
    type Lock = Nowhere;
    type Inbox = Nowhere;

    async fn fetch(&self, _: HttpRequest, _: u32, _: &Nowhere) -> Result<HttpAnswer, HttpFailure> {
        match *self {}
    }

    fn is_sent(&self, _: &HttpRequest) -> bool {
        match *self {}
    }

    fn may_switch(&self, _: &Nowhere) -> bool {
        match *self {}
    }

    fn ask(&self, _: &Nowhere, _: &'static str, _: &str) -> Nowhere {
        match *self {}
    }

    async fn answer(&self, _: &Nowhere, _: Option<u32>, _: &Nowhere) -> Result<Json, WalletFailure> {
        match *self {}
    }

    async fn sleep(&self, _: u32, _: &Nowhere) {
        match *self {}
    }

    async fn pause(&self, _: u32, _: &Nowhere) {
        match *self {}
    }

    fn page(&self) -> u64 {
        unreachable!()
    }

    fn is_visible(&self) -> bool {
        match *self {}
    }

    async fn load(&self, _: &str, _: u32) -> Result<Vec<(String, String)>, StorageFailure> {
        match *self {}
    }

    async fn changes(&self, _: &str, _: u32, _: u32) -> Result<Changes, StorageFailure> {
        match *self {}
    }

    async fn store(&self, _: &str, _: Option<&str>, _: bool, _: u32) -> Result<(), StorageFailure> {
        match *self {}
    }

    async fn lock(&self, _: &str, _: u32) -> Option<Nowhere> {
        match *self {}
    }

    fn tell(&self, _: &'static str, _: &str) {
        match *self {}
    }

    fn hears_tabs(&self) -> bool {
        match *self {}
    }

    fn inbox(&self, _: &'static str) -> Nowhere {
        match *self {}
    }

    fn next_message(&self, _: &Nowhere) -> Option<String> {
        match *self {}
    }

    fn monotonic_ms(&self) -> u64 {
        match *self {}
    }

    fn unix_ms(&self) -> u64 {
        match *self {}
    }

    fn random(&self) -> [u8; 32] {
        match *self {}
    }

    fn event(&self, _: Event, _: u64) {
        match *self {}
    }
}
