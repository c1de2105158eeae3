//! The program: starts a sandbox, prints its URL, and stops on a signal or when the holder of the other end of its
//! standard input has ended.

use std::os::unix::fs::FileTypeExt;
use std::process::ExitCode;
use std::time::Duration;

use sandbox::{Options, Trouble};
use tokio::signal::unix::{SignalKind, signal};

const GRACE: Duration = Duration::from_millis(500);

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
    println!(r#"{{"ready":true,"url":"{}","chains":{:?}}}"#, running.url(), running.chain_ids());
    let broken = tokio::select! {
        () = &mut end => None,
        // A signal meant for all may reach the nodes first.
        reason = running.broken() => tokio::time::timeout(GRACE, end).await.err().map(|_| reason),
    };
    running.stop().await;
    broken.map_or(Ok(()), |reason| Err(Trouble::new(reason)))
}

/// If it is a pipe, the parent process holds the other end: when the parent ends in any way, the sandbox stops too. An
/// empty input, as in the background of a shell, has no such end.
async fn standard_input_closed() {
    let kind = std::fs::metadata("/dev/stdin").map(|input| input.file_type());
    if !kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return std::future::pending().await;
    }
    let (closed, is_closed) = tokio::sync::oneshot::channel();
    // A separate thread: at the program's end the runtime would wait for a pending read.
    std::thread::spawn(move || {
        let _unread = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _nobody_waits = closed.send(());
    });
    let _sent_or_gone = is_closed.await;
}
