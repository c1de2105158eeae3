//! A plain schedule in place of the package's (`pkg-template/src/watch.ts`), for the tests of what an answer means: each
//! order by itself, one after the other, with pauses that grow.

use super::tree::{at, json, text};
use super::{FakeHost, Rig, Stop};
use pollster::block_on;
use verified_swap_trade::flows::{Client, Follow, Following};
use verified_swap_trade::host::{Host, Signal};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, quoted};

/// An order, as the schedule knows it.
#[derive(Debug, Default)]
struct Order {
    /// Members of `Asked`, each with a comma behind it.
    asked: String,
    /// The last report and its members of `Round`, each with a comma before it.
    report: String,
    known: String,
    lapses_at: Option<u64>,
    unseen: Option<Json>,
    is_ended: bool,
    failures: u32,
}

/// A watch with its orders.
#[derive(Debug)]
pub struct Watched {
    follow: Follow,
    plan: Option<Json>,
    orders: Vec<Order>,
    /// The change that the application got last; it counts as told when the application comes back.
    told: Option<String>,
    last: Option<String>,
    pause_ms: u32,
    changed_ms: u64,
}

impl Watched {
    pub fn new(what: &Json, options: &str) -> Result<Watched> {
        let follow = Follow::new(what, &JsonAt::input(&json(options), "options"))?;
        let (plan, orders, told, last) = (None, vec![], None, None);
        Ok(Watched { follow, plan, orders, told, last, pause_ms: 0, changed_ms: 0 })
    }

    pub fn of(what: &Json) -> Watched {
        Watched::new(what, "{}").unwrap()
    }

    /// The next change of a watch that runs alone.
    pub fn one(&mut self, rig: &Rig) -> Result<Option<Json>> {
        block_on(self.next(&rig.client, &rig.signal)).map(|next| next.map(|order| json(&order)))
    }

    /// A round of the module.
    pub async fn call(&self, client: &Client<FakeHost>, name: &str, data: &str, signal: &Stop) -> Result<Json> {
        self.follow.call(client, name, &json(data), signal).await.map(|answer| json(&answer))
    }

    /// Waits until something differs from its last returned state. `None` once all have ended.
    pub async fn next(&mut self, client: &Client<FakeHost>, signal: &Stop) -> Result<Option<String>> {
        if let Some(told) = self.told.take() {
            self.call(client, "told", &told, signal).await?;
        }
        if self.plan.is_none() {
            let plan = self.call(client, "plan", "{}", signal).await?;
            if let Some(Json::Array(orders)) = plan.get("orders") {
                let asked = |order: &Json| order.write().trim_matches(['{', '}']).to_owned() + ",";
                self.orders.extend(orders.iter().map(|order| Order { asked: asked(order), ..Order::default() }));
            }
            self.plan = Some(plan);
        }
        let is_sent = self.plan.as_ref().is_some_and(|plan| plan.get("isTransaction") == Some(&Json::Bool(true)));
        loop {
            if !self.orders.is_empty() && self.orders.iter().all(|order| order.is_ended) {
                return Ok(None);
            }
            if self.pause_ms > 0 {
                client.shared.host.sleep(self.pause_ms, signal).await;
            }
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            let change = if is_sent { self.look(client, signal).await? } else { self.ask(client, signal).await? };
            let now = client.shared.host.monotonic_ms();
            if change.is_some() {
                (self.pause_ms, self.changed_ms) = (if is_sent { 2_000 } else { 0 }, now);
                return Ok(change);
            }
            let most = if now - self.changed_ms < 300_000 { 15_000 } else { 55_000 };
            self.pause_ms = (self.pause_ms.max(2_000) * 3 / 2).min(most);
        }
    }

    /// A look at the transaction: its change, if there is one.
    async fn look(&mut self, client: &Client<FakeHost>, signal: &Stop) -> Result<Option<String>> {
        let is_seen = self.last.is_some();
        let look = self.call(client, "look", &format!(r#"{{"isSeen":{is_seen}}}"#), signal).await?;
        let Some(sent) = look.get("sent").map(Json::write).filter(|sent| self.last.as_ref() != Some(sent)) else {
            return Ok(None);
        };
        self.orders = vec![Order { is_ended: at(&look, "isEnded") == &Json::Bool(true), ..Order::default() }];
        self.told = look.get("told").map(Json::write);
        self.last = Some(sent.clone());
        Ok(Some(sent))
    }

    /// A request for each order, up to the first change.
    async fn ask(&mut self, client: &Client<FakeHost>, signal: &Stop) -> Result<Option<String>> {
        for index in 0..self.orders.len() {
            let order = &self.orders[index];
            if order.is_ended {
                continue;
            }
            let host = &client.shared.host;
            if order.unseen.is_none() && order.lapses_at.is_some_and(|end| host.unix_ms() / 1_000 >= end) {
                return self.show(client, signal, index, r#""deadline""#).await;
            }
            let since =
                order.unseen.as_ref().map(|unseen| format!(r#","unseenSince":{}"#, at(unseen, "since").write()));
            let round = format!(
                r#"{{"orders":[{}],"index":0{}{}}}"#,
                quoted(&format!(r#"{{{}"isEnded":false}}"#, order.asked)),
                order.report,
                since.unwrap_or_default()
            );
            let answer = match self.call(client, "round", &round, signal).await {
                Ok(answer) => answer,
                Err(error) => {
                    let order = &mut self.orders[index];
                    order.failures += 1;
                    let is_known = !order.report.is_empty() && order.unseen.is_none();
                    let most = match error.code {
                        ErrorCode::ServiceMalformed => 8,
                        _ if is_known => 3,
                        _ => 1,
                    };
                    if error.code != ErrorCode::Aborted && order.failures < most {
                        continue;
                    }
                    order.failures = 0;
                    return Err(error);
                }
            };
            if answer.get("retryMs").is_some() {
                continue;
            }
            let order = &mut self.orders[index];
            order.failures = 0;
            let Some(Json::Array(told)) = answer.get("told") else { panic!("{answer:?}") };
            let told = told.first();
            let reported = told.and_then(|told| told.get("reported")).filter(|reported| **reported != Json::Null);
            if let Some(reported) = reported {
                let known = at(reported, "known").write();
                let given = json(&format!("{{{}\"a\":0}}", order.asked)).get("given").map(Json::write);
                let given = given.map(|given| format!(r#""given":{given},"#)).unwrap_or_default();
                order.asked = format!(
                    r#"{},"digest":{},{given}"#,
                    known.trim_matches(['{', '}']),
                    at(reported, "digest").write()
                );
                order.report = format!(
                    r#","text":{},"deadline":{}"#,
                    at(reported, "text").write(),
                    at(reported, "deadline").write()
                );
                order.known = known;
                order.lapses_at = at(reported, "lapsesAt").write().parse().ok();
                order.is_ended = told.is_some_and(|told| at(told, "isEnded") == &Json::Bool(true));
            }
            let unseen = answer.get("unseen").cloned();
            let is_new = reported.is_some()
                || unseen.is_some() != order.unseen.is_some()
                || unseen.as_ref().map(|unseen| at(unseen, "isOver"))
                    != order.unseen.as_ref().map(|unseen| at(unseen, "isOver"));
            order.unseen = unseen;
            if is_new {
                let is_over = order.unseen.as_ref().is_some_and(|unseen| at(unseen, "isOver") == &Json::Bool(true));
                order.is_ended |= is_over;
                return self.show(client, signal, index, if is_over { r#""chain""# } else { "null" }).await;
            }
        }
        Ok(None)
    }

    async fn show(
        &mut self,
        client: &Client<FakeHost>,
        signal: &Stop,
        index: usize,
        ended: &str,
    ) -> Result<Option<String>> {
        let order = &mut self.orders[index];
        order.is_ended |= ended != "null";
        let report = json(&format!("{{{}}}", order.report.trim_start_matches(',')));
        let since = order.unseen.as_ref().map_or("null".into(), |unseen| at(unseen, "since").write());
        let change = format!(
            r#"{{"known":{},"text":{},"ended":{ended},"unseenSince":{since}}}"#,
            order.known,
            quoted(text(&report, "text"))
        );
        let shown = self.call(client, "show", &change, signal).await?;
        self.told = shown.get("told").map(Json::write);
        Ok(Some(at(&shown, "order").write()))
    }
}
