//! Formats durations, and prints lines on the terminal.

use std::io::Write;
use std::time::Duration;

/// Prints one whole line, so that steps that run beside each other never mix letters.
pub fn say(line: &str) {
    let mut stdout = std::io::stdout().lock();
    // A closed terminal is no reason to stop: the work itself does not need it.
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush();
}

/// `850 ms`, `2.4 s`, `41 s`, `2 min 41 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{} ms", time.as_millis()),
        1..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_reads_in_the_unit_of_its_size() {
        assert_eq!(duration(Duration::from_millis(850)), "850 ms");
        assert_eq!(duration(Duration::from_millis(2430)), "2.4 s");
        assert_eq!(duration(Duration::from_secs(41)), "41 s");
        assert_eq!(duration(Duration::from_secs(161)), "2 min 41 s");
    }
}
