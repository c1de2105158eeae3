//! An anvil process.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use alloy_primitives::B256;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::Trouble;

/// A node and its port. Dropping it ends the process.
pub struct Node {
    child: Child,
    _states: States,
    port: u16,
    keys: Vec<B256>,
}

impl Node {
    /// Starts anvil for `chain_id` on a free port, and waits until it listens.
    ///
    /// # Errors
    /// When the program cannot be started, ends, or does not listen in time.
    pub async fn start(anvil: &Path, chain_id: u64) -> Result<Self, Trouble> {
        let states = States::new();
        let mut child = Command::new(anvil)
            .args(["--host", "127.0.0.1", "--port", "0", "--accounts", "10", "--chain-id", &chain_id.to_string()])
            .arg("--cache-path")
            .arg(&states.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| Trouble::new(format!("cannot start the node {}: {error}", anvil.display())))?;
        let stdout = child.stdout.take().ok_or_else(|| Trouble::new("the node has no output".into()))?;
        let mut lines = BufReader::new(stdout).lines();
        let mut keys = Vec::new();
        let port = timeout(Duration::from_secs(30), listening_port(&mut lines, &mut keys))
            .await
            .map_err(|_| Trouble::new(format!("the node {} did not listen within 30 s", anvil.display())))?
            .ok_or_else(|| Trouble::new(format!("the node {} ended before it listened", anvil.display())))?;
        // The log must be read: a full pipe would block the node.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, _states: states, port, keys })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The keys of its accounts, in their order: well-known ones, which the node prints.
    pub fn keys(&self) -> &[B256] {
        &self.keys
    }

    /// Resolves when the process ends by itself.
    pub async fn ended(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Ends the process and waits until it is gone.
    pub async fn stop(mut self) {
        let _already_gone = self.child.kill().await;
    }
}

/// Where the node keeps the states of old blocks: gigabytes in an hour, which it would leave behind in the user's home
/// when it is ended.
struct States(PathBuf);

impl States {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("sandbox-{}-{number}", std::process::id())))
    }
}

impl Drop for States {
    fn drop(&mut self) {
        // There is none if no state was old enough.
        let _nothing_there = std::fs::remove_dir_all(&self.0);
    }
}

async fn listening_port(lines: &mut Lines<BufReader<ChildStdout>>, keys: &mut Vec<B256>) -> Option<u16> {
    while let Ok(Some(line)) = lines.next_line().await {
        // `(0) 0x...` with 32 bytes is a key; with 20 it is an account.
        keys.extend(line.split(") ").nth(1).and_then(|key| key.trim().parse::<B256>().ok()));
        if let Some(port) = line.strip_prefix("Listening on 127.0.0.1:") {
            return port.trim().parse().ok();
        }
    }
    None
}
