//! The sandbox as a running program: `cargo xtask sandbox`, and the service of `cargo xtask demo`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::{self, Running, interrupted, printed};
use crate::setup::{self, Need};
use crate::terminal::{duration, say};
use crate::workspace::Workspace;

/// Two nodes and a dozen deployments take a second or two; a loaded machine some more.
const START_LIMIT: Duration = Duration::from_secs(60);

/// `cargo xtask demo`: the page, the service and two chains, all on one address.
pub fn demo(workspace: &Workspace, port: Option<u16>) -> Result<(), Failure> {
    let start = Instant::now();
    setup::require(workspace, &setup::DEMO)?;
    let service = Service::start(workspace, Some(&workspace.demo_page()), port, None)?;
    let line = format!("Open  {}/", service.url);
    let rule = "━".repeat(line.chars().count() + 4);
    say(&format!(
        "\n  {rule}\n    {line}\n  {rule}\n\n  Ready after {}. The wallet in the page is funded; nothing leaves this machine.\n  \
         Ctrl-C ends everything.",
        duration(start.elapsed())
    ));
    service.serve()
}

/// `cargo xtask sandbox`
pub fn sandbox(workspace: &Workspace, port: Option<u16>, delay: Option<&str>) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Sandbox, Need::Contracts, Need::NpmPackages])?;
    let service = Service::start(workspace, None, port, delay)?;
    say(&format!("\nThe service is at {}\n", service.url));
    if let Some(text) = printed(workspace.command("node").arg("xtask/node/describe-sandbox.mjs").arg(&service.url)) {
        say(&text);
    }
    say("\ndocs/sandbox.md says how to fund accounts, move time and make the service fail or lie. Ctrl-C ends it.");
    service.serve()
}

/// A running sandbox. It ends, with its nodes, when this value is dropped.
struct Service {
    url: String,
    running: Running,
    log: PathBuf,
    // The sandbox ends when this pipe closes, even if this program is killed.
    _lifeline: Option<ChildStdin>,
}

impl Service {
    /// Starts the sandbox on a free port, with `pages` served at `/`, and waits until it is ready.
    fn start(
        workspace: &Workspace,
        pages: Option<&Path>,
        port: Option<u16>,
        delay: Option<&str>,
    ) -> Result<Self, Failure> {
        let log = workspace.log(&format!("sandbox-{}", std::process::id()));
        let mut command = workspace.command(workspace.sandbox_binary());
        command.arg("--anvil").arg(workspace.anvil()).arg("--artifacts").arg(workspace.contracts());
        if let Some(pages) = pages {
            command.arg("--static").arg(pages);
        }
        if let Some(port) = port {
            command.args(["--port", &port.to_string()]);
        }
        if let Some(delay) = delay {
            command.args(["--delay", delay]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(process::open_log(&log)?);
        let mut running = Running::start(&mut command)?;
        let lifeline = running.stdin();
        let (sender, lines) = mpsc::channel();
        if let Some(output) = running.stdout() {
            // Reads on after the first line, so that the pipe never fills; ends with the program.
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    // Nothing reads after the first line.
                    let _ = sender.send(line);
                }
            });
        }
        let mut service = Service { url: String::new(), running, log, _lifeline: lifeline };
        let start = Instant::now();
        while service.url.is_empty() {
            if interrupted() {
                return Err(Failure::Interrupted);
            }
            if start.elapsed() > START_LIMIT {
                return Err(service.because("was not ready within a minute"));
            }
            match lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => service.url = ready_url(&line).unwrap_or_default(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(service.because("ended before it was ready")),
            }
        }
        Ok(service)
    }

    /// Waits for Ctrl-C or the end of the parent, which are successes; if the sandbox ends by itself, that is a
    /// failure.
    fn serve(mut self) -> Result<(), Failure> {
        process::note_closed_input();
        loop {
            if interrupted() {
                say("\nStopping.");
                drop(self);
                return Ok(());
            }
            if let Some(status) = self.running.ended()? {
                return Err(self.because(&format!("ended by itself ({status})")));
            }
            sleep(Duration::from_millis(100));
        }
    }

    fn because(&self, what: &str) -> Failure {
        let log = self.log.display();
        Failure::because(format!("The sandbox {what}. The end of {log}:\n{}", process::tail(&self.log, 20)))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Its log has a name of its own only so that two do not mix; it is not needed after a good end.
        if interrupted() {
            let _ = std::fs::remove_file(&self.log);
        }
    }
}

/// The URL in `{"ready":true,"url":"http://127.0.0.1:4040",...}`.
fn ready_url(line: &str) -> Option<String> {
    let compact: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (_, rest) = compact.contains("\"ready\":true").then(|| compact.split_once("\"url\":\""))??;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_that_says_ready_carries_the_url() {
        let ready = r#"{"ready": true, "url": "http://127.0.0.1:4040", "chains": [31337, 31338]}"#;
        assert_eq!(ready_url(ready).as_deref(), Some("http://127.0.0.1:4040"));
        assert_eq!(ready_url(r#"{"url":"http://127.0.0.1:4040"}"#), None);
        assert_eq!(ready_url("listening"), None);
    }
}
