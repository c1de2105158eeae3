//! The sandbox as a running program: `cargo xtask sandbox`, and the one behind the demo.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::{self, Running, printed};
use crate::setup::{self, Need};
use crate::signal;
use crate::terminal::say;
use crate::workspace::Workspace;

/// Two nodes and a dozen deployments take a second or two; a loaded machine some more.
const START_LIMIT: Duration = Duration::from_secs(60);

/// A running sandbox. It ends, with its nodes, when this value goes.
pub struct Service {
    pub url: String,
    running: Running,
    log: PathBuf,
    // It ends itself when this closes, even if this program is killed.
    _lifeline: Option<ChildStdin>,
}

impl Service {
    /// Starts it on a free port, `pages` served at `/`, and waits until it is ready.
    pub fn start(workspace: &Workspace, pages: Option<&Path>, more: &[String]) -> Result<Self, Failure> {
        let log = workspace.log(&format!("sandbox-{}", std::process::id()));
        let mut command = workspace.command(workspace.sandbox_binary());
        command.arg("--anvil").arg(workspace.anvil()).arg("--artifacts").arg(workspace.contracts()).args(more);
        if let Some(pages) = pages {
            command.arg("--static").arg(pages);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(process::open_log(&log)?);
        let mut running = Running::start(&mut command)?;
        let lifeline = running.stdin();
        let (sender, lines) = mpsc::channel();
        if let Some(output) = running.stdout() {
            // Reads on after the first line, so that the pipe never fills; ends with the program.
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    // Nobody listens after the first line.
                    let _ = sender.send(line);
                }
            });
        }
        let mut service = Service { url: String::new(), running, log, _lifeline: lifeline };
        let start = Instant::now();
        while service.url.is_empty() {
            if signal::interrupted() {
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

    /// Waits for Ctrl-C, which is the good end; the sandbox ending by itself is not.
    pub fn serve(mut self) -> Result<(), Failure> {
        loop {
            if signal::interrupted() {
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
        // Its log has a name of its own only so that two do not mix; nobody looks for it after a good end.
        if signal::interrupted() {
            let _ = std::fs::remove_file(&self.log);
        }
    }
}

/// `cargo xtask sandbox [--port N]`
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let more = port(arguments)?;
    let needs = [Need::Sandbox, Need::Contracts, Need::NpmPackages];
    setup::require(workspace, &needs)?;
    let service = Service::start(workspace, None, &more)?;
    let description = printed(workspace.command("node").arg("xtask/node/describe-sandbox.mjs").arg(&service.url));
    say(&format!("\nThe service is at {}\n", service.url));
    if let Some(description) = description {
        say(&description);
    }
    say("\ndocs/sandbox.md says how to fund accounts, move time and make the service fail or lie. Ctrl-C ends it.");
    service.serve()
}

/// `--port N`, the one option that demo and sandbox pass on.
pub fn port(arguments: &[String]) -> Result<Vec<String>, Failure> {
    match arguments {
        [] => Ok(Vec::new()),
        [option, number] if option == "--port" && number.parse::<u16>().is_ok() => Ok(arguments.to_vec()),
        _ => Err(Failure::because(format!("Not understood: {}. The only option is `--port N`.", arguments.join(" ")))),
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

    #[test]
    fn only_a_port_is_accepted() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(port(&words("")), Ok(vec![]));
        assert_eq!(port(&words("--port 8080")), Ok(words("--port 8080")));
        for wrong in ["--port", "--port 99999", "--open", "--port 1 2"] {
            assert!(port(&words(wrong)).is_err(), "{wrong}");
        }
    }
}
