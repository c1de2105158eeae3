//! The program: starts a sandbox, says where it is, and ends with its standard input or a signal.

use std::process::ExitCode;

use sandbox::{Options, Trouble};
use tokio::io::AsyncReadExt;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("sandbox: {trouble}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Trouble> {
    let options = Options::parse(std::env::args().skip(1))?;
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let mut end = std::pin::pin!(async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            () = standard_input_closed() => {}
        }
    });
    let mut running = tokio::select! {
        started = sandbox::start(options) => started?,
        () = &mut end => return Ok(()),
    };
    let ready = serde_json::json!({"ready": true, "url": running.url(), "chains": running.chain_ids()});
    println!("{ready}");
    let broken = tokio::select! {
        () = &mut end => None,
        reason = running.broken() => Some(reason),
    };
    running.stop().await;
    broken.map_or(Ok(()), |reason| Err(Trouble::new(reason)))
}

/// Whoever started the sandbox holds the other end: when it goes away, however it goes, the sandbox goes too.
async fn standard_input_closed() {
    let mut input = tokio::io::stdin();
    let mut buffer = [0; 256];
    while let Ok(1..) = input.read(&mut buffer).await {}
}
