//! Child processes: each leads a process group, so that ending it ends all processes that it started.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::mem;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

use crate::failure::Failure;

/// The time that a program may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(5);
const SIGTERM: i32 = 15;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Notes Ctrl-C, SIGTERM and a closed terminal from now on; they no longer end this program by themselves.
pub fn note_interruptions() -> Result<(), Failure> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst))
        .map_err(|error| Failure::because(format!("Ctrl-C cannot be handled: {error}.")))
}

/// Notes from now on, too, when the parent that holds the other end of the standard input ends. An empty input, as in
/// the background of a shell, does not count.
pub fn note_closed_input() {
    let kind = fs::metadata("/dev/stdin").map(|input| input.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        std::thread::spawn(|| {
            // However the copy ends, the parent is gone.
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            INTERRUPTED.store(true, Ordering::SeqCst);
        });
    }
}

/// Whether this program was asked to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A running program. Neither it nor its group outlives this value.
pub struct Running(Box<dyn ChildWrapper>);

impl Running {
    /// Starts `command`, and takes it.
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let program = command.get_program().to_owned();
        CommandWrap::from(mem::replace(command, Command::new(&program)))
            .wrap(ProcessGroup::leader())
            .spawn()
            .map(Running)
            .map_err(|error| Failure::because(format!("{} could not be started: {error}.", program.display())))
    }

    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.0.stdout().take()
    }

    pub fn stdin(&mut self) -> Option<ChildStdin> {
        self.0.stdin().take()
    }

    /// The exit status, or None while it runs.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, Failure> {
        Ok(self.0.try_wait()?)
    }

    /// Waits for the program's end. Ends it on an interruption, past the limit, or if `meanwhile` fails.
    pub fn wait(
        mut self,
        limit: Duration,
        mut meanwhile: impl FnMut(Duration) -> Result<(), Failure>,
    ) -> Result<ExitStatus, Failure> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if interrupted() {
                return Err(Failure::Interrupted);
            }
            if start.elapsed() > limit {
                return Err(Failure::because(format!("It took longer than {} s and was ended.", limit.as_secs())));
            }
            meanwhile(start.elapsed())?;
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let start = Instant::now();
        if let Ok(None) = self.ended() {
            // It may have ended since.
            let _ = self.0.signal(SIGTERM);
        }
        while matches!(self.ended(), Ok(None)) && start.elapsed() < GRACE {
            sleep(Duration::from_millis(20));
        }
        // Ends the processes that it left behind in its group; mostly there are none, which is the error.
        let _ = self.0.kill();
    }
}

/// Runs `command` with its output in the file `log`, and waits for it.
pub fn run_logged(
    command: &mut Command,
    log: &Path,
    limit: Duration,
    meanwhile: impl FnMut(Duration) -> Result<(), Failure>,
) -> Result<ExitStatus, Failure> {
    let output = open_log(log)?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    Running::start(command)?.wait(limit, meanwhile)
}

/// Runs `command` with its output on this terminal, and waits for it.
pub fn run_shown(command: &mut Command) -> Result<(), Failure> {
    let status = Running::start(command.stdin(Stdio::null()))?.wait(Duration::MAX, |_| Ok(()))?;
    if status.success() { Ok(()) } else { Err(Failure::Reported) }
}

/// The output of a short command, or None if it is missing or fails.
pub fn printed(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Opens a log for appending, and makes its folder if missing.
pub fn open_log(log: &Path) -> Result<File, Failure> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(OpenOptions::new().create(true).append(true).open(log)?)
}

/// The beginnings of the lines in which cargo, npm, rustfmt and the test runners name a failure.
const TELLING: [&str; 5] = ["error", "npm error", "Diff in ", "---- ", "✖ failing tests:"];

/// The lines of a log that name the failure: from the first such line on, else the last lines.
pub fn telling_lines(log: &Path, lines: usize) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let tells = |line: &str| TELLING.iter().any(|beginning| line.starts_with(beginning));
    let from_there: Vec<&str> = text.lines().skip_while(|line| !tells(line)).take(lines).collect();
    if from_there.is_empty() { tail(log, lines) } else { from_there.join("\n") }
}

/// The last lines of a file.
pub fn tail(log: &Path, lines: usize) -> String {
    const LAST: u64 = 64 * 1024;
    let mut text = Vec::new();
    if let Ok(mut file) = File::open(log) {
        let length = file.metadata().map(|metadata| metadata.len()).unwrap_or(0);
        let read = file.seek(SeekFrom::Start(length.saturating_sub(LAST))).and_then(|_| file.read_to_end(&mut text));
        if read.is_err() {
            return String::new();
        }
    }
    let text = String::from_utf8_lossy(&text);
    let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_a_program_ends_what_it_started_too() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & echo $!; wait"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut running = Running::start(&mut shell).expect("sh starts");
        let grandchild = first_line(&mut running);
        drop(running);
        assert!(ends(&grandchild), "process {grandchild} still runs");
    }

    #[test]
    fn what_a_program_left_behind_ends_when_it_does() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & echo $!"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut running = Running::start(&mut shell).expect("sh starts");
        let grandchild = first_line(&mut running);
        assert!(running.wait(Duration::from_secs(60), |_| Ok(())).is_ok_and(|status| status.success()));
        assert!(ends(&grandchild), "process {grandchild} still runs");
    }

    fn first_line(running: &mut Running) -> String {
        let mut line = [0_u8; 16];
        let read = running.stdout().expect("its output").read(&mut line).expect("a line");
        String::from_utf8_lossy(&line[..read]).trim().to_owned()
    }

    fn ends(process: &str) -> bool {
        (0..100).any(|_| {
            sleep(Duration::from_millis(20));
            is_gone(process)
        })
    }

    /// Gone, or dead and not yet collected by its new parent. A small Linux has no `ps`, macOS no `/proc`.
    fn is_gone(process: &str) -> bool {
        let state = if Path::new("/proc/self/stat").exists() {
            let line = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            line.rsplit_once(") ").map_or(String::new(), |(_, rest)| rest.to_owned())
        } else {
            let shown = Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps runs");
            String::from_utf8_lossy(&shown.stdout).trim().to_owned()
        };
        state.is_empty() || state.starts_with('Z')
    }

    #[test]
    fn a_program_past_its_limit_is_ended_and_reported() {
        let mut sleeper = Command::new("sleep");
        sleeper.arg("600").stdin(Stdio::null());
        let outcome = Running::start(&mut sleeper).expect("sleep starts").wait(Duration::from_millis(50), |_| Ok(()));
        assert!(matches!(outcome, Err(Failure::Because(sentence)) if sentence.contains("longer than")));
    }

    #[test]
    fn a_missing_program_is_named() {
        let Err(Failure::Because(sentence)) = Running::start(&mut Command::new("no-such-program-here")) else {
            panic!("it cannot have started");
        };
        assert!(sentence.contains("no-such-program-here"));
    }

    #[test]
    fn the_telling_lines_begin_at_the_first_error_and_the_tail_has_no_blank_ones() {
        let log = std::env::temp_dir().join(format!("xtask-tail-{}.log", std::process::id()));
        fs::write(&log, "one\n\ntwo\nthree\n\n").expect("a file in the temporary folder");
        assert_eq!(tail(&log, 2), "two\nthree");
        assert_eq!(tail(&log, 9), "one\ntwo\nthree");
        assert_eq!(telling_lines(&log, 1), "three");
        fs::write(&log, "Compiling\nerror: no such crate\nwhy\nusage\n").expect("a file in the temporary folder");
        assert_eq!(telling_lines(&log, 2), "error: no such crate\nwhy");
        fs::write(&log, "✔ one\n✖ two\n✖ failing tests:\n✖ two\nwhy\n").expect("a file in the temporary folder");
        assert_eq!(telling_lines(&log, 9), "✖ failing tests:\n✖ two\nwhy");
        fs::remove_file(&log).expect("the file made above");
        assert_eq!(tail(&log, 9), "");
    }
}
