//! The compiled contracts, as `contracts/compile.mjs` writes them.

use std::path::{Path, PathBuf};

use alloy_primitives::Bytes;
use serde::Deserialize;

use crate::Trouble;

/// A folder of compiled contracts.
#[derive(Clone, Debug)]
pub struct Artifacts {
    dir: PathBuf,
}

impl Artifacts {
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// The creation code of a contract, constructor arguments not included.
    ///
    /// # Errors
    /// When the file is not there or is not an artifact.
    pub fn bytecode(&self, contract: &str) -> Result<Bytes, Trouble> {
        #[derive(Deserialize)]
        struct Artifact {
            bytecode: Bytes,
        }
        let file = self.dir.join(format!("{contract}.json"));
        let text = std::fs::read_to_string(&file).map_err(|error| {
            Trouble::new(format!(
                "cannot read the compiled contract {} ({error}); `node tests/sandbox/contracts/compile.mjs DIR` writes it",
                file.display()
            ))
        })?;
        let artifact: Artifact = serde_json::from_str(&text)
            .map_err(|error| Trouble::new(format!("{} is not a compiled contract: {error}", file.display())))?;
        Ok(artifact.bytecode)
    }
}
