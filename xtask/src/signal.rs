//! Ctrl-C and SIGTERM, and ending what was started: always by its own id.

use std::sync::atomic::{AtomicUsize, Ordering};

static ASKED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note(_signal: libc::c_int) {
    ASKED.fetch_add(1, Ordering::SeqCst);
}

/// From now on Ctrl-C, SIGTERM and a closed terminal are noted, and no longer end this program by themselves.
pub fn watch() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only adds to an atomic, which is async-signal-safe.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
}

/// Whether this program was asked to end.
pub fn interrupted() -> bool {
    ASKED.load(Ordering::SeqCst) > 0
}

/// Asks a process, and all it started in its group, to end.
pub fn ask_group_to_end(leader: u32) {
    send(leader, libc::SIGTERM);
}

/// Ends a process, and all it started in its group, at once.
pub fn end_group(leader: u32) {
    send(leader, libc::SIGKILL);
}

/// Whether a child has ended. Its id stays taken: it is not waited for here.
pub fn has_ended(child: u32) -> bool {
    // SAFETY: `siginfo_t` is plain data, for which zeroes are valid, and it outlives the call.
    unsafe {
        let mut told: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let answer = libc::waitid(libc::P_PID, child, &mut told, options);
        answer == -1 || told.si_pid() != 0
    }
}

fn send(leader: u32, signal: libc::c_int) {
    if let Ok(leader) = libc::pid_t::try_from(leader)
        && leader > 1
    {
        // SAFETY: a plain system call; a group that is gone already answers ESRCH, which is as good.
        unsafe { libc::kill(-leader, signal) };
    }
}
