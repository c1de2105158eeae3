//! `cargo xtask demo`: the page, the service and two chains, all on one address.

use std::time::Instant;

use crate::failure::Failure;
use crate::service::{self, Service};
use crate::setup::{self, Need};
use crate::terminal::{duration, say};
use crate::workspace::Workspace;

/// `cargo xtask demo [--port N]`
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let more = service::port(arguments)?;
    let needs = [Need::Page, Need::Sandbox, Need::Contracts];
    setup::require(workspace, &needs)?;
    let service = Service::start(workspace, Some(&workspace.page()), &more)?;
    say(&banner(&service.url, &duration(start.elapsed())));
    service.serve()
}

fn banner(url: &str, time: &str) -> String {
    let line = format!("Open  {url}/");
    let rule = "━".repeat(line.chars().count() + 4);
    format!(
        "\n  {rule}\n    {line}\n  {rule}\n\n  Ready after {time}. The wallet in the page is funded; nothing leaves this machine.\n  \
         Ctrl-C ends everything."
    )
}
