//! A build as the app passes it back after its review: the basis of a permit, and of the build anew with the permit.

use crate::client::Client;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::delta::sealed::{OpenBuild, open_build};
use crate::flows::market::{OpenMarket, open_market};
use crate::flows::seal::{RawMembers, check_unedited, open_own};
use crate::host::Host;
use verify::internal::domain::chain::{Deployment, Protocol};
use verify::internal::domain::input::chain_id;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::permit::Spending;
use verify::internal::domain::verify::permit_request::ReviewedBuild;
use verify::internal::domain::verify::question::carry_questions;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt};

/// A build of this client, opened and verified once more.
pub struct Reviewed<'a> {
    /// The sealed text.
    pub text: &'a str,
    /// The chain's contracts, and their source.
    pub deployment: Deployment,
    /// The order or the transaction.
    pub built: Built,
    /// Its questions, as a JSON array.
    pub questions: String,
}

/// The content of a build, by its path.
pub enum Built {
    /// A gasless order.
    Order(Box<OpenBuild>),
    /// A transaction that the owner sends.
    Transaction(Box<OpenMarket>),
}

impl<'a> Reviewed<'a> {
    /// Opens a build that the app passed back. Refuses one of another client, an edited one, one that has a permit, and
    /// an order that outlives a permit.
    ///
    /// # Errors
    /// INVALID_INPUT with the build or its member; VERIFY_MISMATCH; the deployment's.
    pub async fn open<H: Host>(client: &Client<H>, data: &'a Json, signal: &H::Signal) -> Result<Reviewed<'a>> {
        let (shared, at) = (&client.shared, JsonAt::input(data, "build"));
        let text = open_own(&shared.settings.secret, &at)?;
        let members = RawMembers::of(text)?;
        let protocol = match (members.raw("toSign"), members.raw("transaction")) {
            (Ok(_), _) => Protocol::Delta,
            (_, Ok(_)) => Protocol::Market,
            _ => return Err(at.get("kind").fault("delta or market")),
        };
        let deployment = find_deployment(shared, chain_id(&at.get("chainId"))?, protocol, signal).await?;
        let mut built = match protocol {
            Protocol::Delta => Built::Order(open_build(text, &deployment)?),
            _ => Built::Transaction(Box::new(open_market(shared, text, &deployment)?)),
        };
        let view = match &mut built {
            Built::Order(order) => &mut order.view,
            Built::Transaction(transaction) => &mut transaction.view,
        };
        view.raw("approval", members.raw("approval").unwrap_or("null"));
        let shown = check_unedited(&at, &view.closed())?;
        let questions = carry_questions(shown.get("report").unwrap_or(&Json::Null));
        let reviewed = Reviewed { text, deployment, built, questions };
        reviewed.check_takes_permit(&at)?;
        Ok(reviewed)
    }

    /// The protocol whose contract takes the tokens.
    pub fn protocol(&self) -> Protocol {
        match self.built {
            Built::Order(_) => Protocol::Delta,
            Built::Transaction(_) => Protocol::Market,
        }
    }

    /// The request that was reviewed.
    pub fn intent(&self) -> &Intent {
        match &self.built {
            Built::Order(order) => &order.intent,
            Built::Transaction(transaction) => &transaction.intent,
        }
    }

    /// Until when it can be filled or sent, unix seconds.
    pub fn until(&self) -> u64 {
        match &self.built {
            Built::Order(order) => order.terms.deadline,
            Built::Transaction(transaction) => transaction.until,
        }
    }

    /// The most that the build takes from its owner: a permit for it has to allow as much.
    pub fn spending(&self) -> Spending {
        let (owner, spender, amount) = match &self.built {
            Built::Order(order) => (order.terms.owner, order.spender, order.verified.amounts.spent),
            Built::Transaction(built) => (built.transaction.owner, built.transaction.to, built.verified.max_spent),
        };
        let intent = self.intent();
        let deadline = matches!(self.built, Built::Order(_)).then_some(self.until());
        Spending { chain_id: intent.chain_id, token: intent.src.address, owner, spender, amount, deadline, now: 0 }
    }

    /// The facts that a permit for it has to fit.
    pub fn build(&self) -> ReviewedBuild {
        let (protocol, spending, until) = (self.protocol(), self.spending(), self.until());
        ReviewedBuild { protocol, spending, decimals: self.intent().src.decimals, until }
    }

    /// Refuses a build that has a permit, and an order that outlives one.
    ///
    /// # Errors
    /// INVALID_INPUT with the build's member.
    fn check_takes_permit(&self, at: &JsonAt<'_>) -> Result<()> {
        let (has_one, rests) = match &self.built {
            Built::Order(order) => (order.terms.permit.is_some(), order.terms.rests),
            Built::Transaction(built) => (built.transaction.pays.is_some_and(|pays| pays.permit.is_some()), false),
        };
        let outlives = "a single order at the market's price: this one outlives a permit, approve instead";
        match () {
            () if has_one => Err(Error::input("build", "one without a permit", "one that has a permit already")),
            () if rests => Err(at.get("type").fault(outlives)),
            () if self.intent().twap.is_some() => Err(at.get("twap").fault(outlives)),
            () => Ok(()),
        }
    }
}
