//! The reason why a command ended early.

use std::fmt;

/// A failure, in words for the person at the terminal.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// Ctrl-C or SIGTERM. Nothing is left running.
    Interrupted,
    /// The failure was already printed in full.
    Reported,
    /// One sentence with the remedy, possibly followed by the end of a log.
    Because(String),
}

impl Failure {
    pub fn because(sentence: impl Into<String>) -> Self {
        Failure::Because(sentence.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Interrupted => formatter.write_str("interrupted"),
            Failure::Reported => formatter.write_str("failed, see above"),
            Failure::Because(sentence) => formatter.write_str(sentence),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Because(error.to_string())
    }
}
