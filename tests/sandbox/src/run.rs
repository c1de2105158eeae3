//! Starts nodes, contracts, solvers and the server, and ends them together.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::app::App;
use crate::chain::{Artifacts, Chain, Node};
use crate::control::Settings;
use crate::{Options, Trouble, bridge, chain, http, solver};

const CHAINS: [(u64, &str); 2] = [(31337, "Sandbox One"), (31338, "Sandbox Two")];

/// A running sandbox. Dropping it ends the nodes it started.
pub struct Running {
    address: SocketAddr,
    app: Arc<App>,
    nodes: Vec<Node>,
    tasks: JoinSet<()>,
}

/// Starts everything; ready when it returns.
///
/// # Errors
/// Names the part that could not be started.
pub async fn start(options: Options) -> Result<Running, Trouble> {
    let artifacts = Artifacts::new(&options.artifacts);
    if let Some(pages) = options.pages.as_ref().filter(|pages| !pages.is_dir()) {
        return Err(Trouble::new(format!("--static {} is not a folder", pages.display())));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .await
        .map_err(|error| Trouble::new(format!("cannot listen on port {}: {error}", options.port)))?;
    let address = listener.local_addr()?;
    let launch = async |(id, name)| -> Result<(Node, Arc<Chain>), Trouble> {
        let node = Node::start(&options.anvil, id).await?;
        let chain = Chain::deploy(id, name, &node, &artifacts).await?;
        Ok((node, Arc::new(chain)))
    };
    let ((first, one), (second, two)) = tokio::try_join!(launch(CHAINS[0]), launch(CHAINS[1]))?;
    let (service_delay_ms, node_delay_ms) = options.delays_ms;
    let settings = Settings { service_delay_ms, node_delay_ms, ..Settings::default() };
    let app = Arc::new(App::new(vec![one, two], options.pages, settings));
    let mut tasks = JoinSet::new();
    for chain in &app.chains {
        tasks.spawn(solver::run(Arc::clone(&app), Arc::clone(chain)));
        tasks.spawn(chain::run_oracles(Arc::clone(chain)));
    }
    tasks.spawn(bridge::run(Arc::clone(&app)));
    tasks.spawn(http::serve(listener, Arc::clone(&app)));
    Ok(Running { address, app, nodes: vec![first, second], tasks })
}

impl Running {
    /// Where it listens, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn chain_ids(&self) -> Vec<u64> {
        self.app.chains.iter().map(|chain| chain.id).collect()
    }

    /// Resolves when a node, solver or server has ended unexpectedly, with its name.
    pub async fn broken(&mut self) -> String {
        let [first, second] = &mut self.nodes[..] else { return std::future::pending().await };
        tokio::select! {
            status = first.ended() => format!("the node of chain {} ended: {status}", CHAINS[0].0),
            status = second.ended() => format!("the node of chain {} ended: {status}", CHAINS[1].0),
            Some(task) = self.tasks.join_next() => format!("a task ended: {task:?}"),
        }
    }

    /// Ends the server, the solvers and the nodes.
    pub async fn stop(mut self) {
        self.tasks.shutdown().await;
        for node in self.nodes {
            node.stop().await;
        }
    }
}
