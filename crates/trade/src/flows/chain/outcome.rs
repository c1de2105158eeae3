//! A transaction's effect on balances, tried on the chain before it is sent.

use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::transaction::try_outcome;
use alloy_primitives::{Address, B256, U256, hex, keccak256};
use verify::internal::domain::delegates::note_code;
use verify::internal::domain::input::optional;
use verify::internal::domain::together::Call;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::verify::Checks;
use verify::internal::domain::verify::outcome::Trial;
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter};

/// The node's answer to a [`Trial`]; none by default.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many approvals came before the transaction.
    pub approvals: usize,
    /// The answer to [`Trial::calls`].
    pub answer: Option<Vec<u8>>,
    /// The owner's code.
    pub code: Option<Vec<u8>>,
}

impl Outcome {
    /// Writes it as JSON text, for a transaction with calldata of that hash.
    pub fn write(&self, data: &B256) -> String {
        let mut out = ObjectWriter::object();
        out.value("data", data);
        out.number("approvals", self.approvals as u64);
        for (name, bytes) in [("answer", &self.answer), ("code", &self.code)] {
            out.text_or_null(name, bytes.as_ref().map(hex::encode_prefixed).as_deref());
        }
        out.close()
    }

    /// Reads what [`Outcome::write`] wrote. It counts for calldata of that hash alone.
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>, data: &B256) -> Result<Outcome> {
        if at.get("data").fixed::<32>()? != **data {
            return Ok(Outcome::default());
        }
        Ok(Outcome {
            approvals: usize::try_from(at.get("approvals").integer(2)?).unwrap_or_default(),
            answer: optional(&at.get("answer"), |at| at.bytes())?,
            code: optional(&at.get("code"), |at| at.bytes())?,
        })
    }

    /// Adds its findings about a trial.
    pub fn note(&self, trial: &Trial, checks: &mut Checks) {
        trial.note(checks, self.approvals, self.answer.as_deref());
        note_code(checks, "ownerCode", self.code.as_deref());
    }
}

/// Tries a transaction, behind the approval that it lacks with that allowance (raw units; `None` if it was not read).
///
/// # Errors
/// ABORTED.
pub async fn find_outcome<H: Host>(
    chain: &Chain<'_, H>,
    transaction: &Transaction,
    trial: &Trial,
    allowance: Option<U256>,
) -> Result<Outcome> {
    let takes_allowance = transaction.pays.is_some_and(|pays| pays.permit.is_none());
    let approvals = match allowance.filter(|_| takes_allowance) {
        Some(allowance) if allowance < trial.most => 1_usize.saturating_add(usize::from(!allowance.is_zero())),
        _ => 0,
    };
    let Transaction { to, value, data, .. } = transaction;
    // A random account: it cannot be known before the transaction is built.
    let stranger = Address::from_word(keccak256(chain.client.shared.host.random()));
    let calls = trial.calls((approvals, Call { to: *to, value: *value, data }, stranger));
    let [answer, code] = try_outcome(chain, (trial.owner, trial.receiver), &calls).await?;
    Ok(Outcome { approvals, answer, code })
}
