//! The command line.

use std::path::PathBuf;

use crate::Trouble;

/// Options to start the sandbox.
#[derive(Clone, Debug)]
pub struct Options {
    /// The node's program.
    pub anvil: PathBuf,
    /// The folder of compiled contracts.
    pub artifacts: PathBuf,
    /// A folder served at `/`.
    pub pages: Option<PathBuf>,
    /// Zero means a free port.
    pub port: u16,
    /// Milliseconds that each request to the service, and each to a node, takes at least.
    pub delays_ms: (u64, u64),
}

impl Options {
    pub const USAGE: &str = "usage: sandbox --anvil PATH --artifacts DIR [--static DIR] [--port N] [--delay MS,MS]";

    /// Reads the arguments after the program's name.
    ///
    /// # Errors
    /// A sentence that names the argument.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Trouble> {
        let (mut anvil, mut artifacts, mut pages, mut port) = (None, None, None, 0);
        let mut delays_ms = (0, 0);
        while let Some(name) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| Trouble::new(format!("{name} needs a value; {}", Self::USAGE)));
            match name.as_str() {
                "--anvil" => anvil = Some(value()?.into()),
                "--artifacts" => artifacts = Some(value()?.into()),
                "--static" => pages = Some(value()?.into()),
                "--port" => {
                    let text = value()?;
                    port = text.parse().map_err(|_| Trouble::new(format!("--port {text} is not a port number")))?;
                }
                "--delay" => {
                    let text = value()?;
                    let both = text.split_once(',').and_then(|(one, two)| Some((one.parse().ok()?, two.parse().ok()?)));
                    let said =
                        || Trouble::new(format!("--delay {text} is not two numbers of milliseconds, as in 200,150"));
                    delays_ms = both.ok_or_else(said)?;
                }
                _ => return Err(Trouble::new(format!("unknown argument {name}; {}", Self::USAGE))),
            }
        }
        let required = |name: &str| Trouble::new(format!("{name} is missing; {}", Self::USAGE));
        Ok(Self {
            anvil: anvil.ok_or_else(|| required("--anvil"))?,
            artifacts: artifacts.ok_or_else(|| required("--artifacts"))?,
            pages,
            port,
            delays_ms,
        })
    }
}
