//! Why the sandbox cannot start.

use std::fmt;

use crate::chain::RpcError;

/// One sentence for the person who started it.
#[derive(Debug)]
pub struct Trouble(String);

impl Trouble {
    pub fn new(sentence: String) -> Self {
        Self(sentence)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Trouble {}

impl From<RpcError> for Trouble {
    fn from(error: RpcError) -> Self {
        Self(format!("the node refused {error}"))
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}
