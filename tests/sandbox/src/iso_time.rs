//! Unix seconds as ISO-8601 text.

/// `2026-11-20T18:34:58.000Z`, in UTC. Days are counted by the Gregorian calendar, in eras of 400 years that begin
/// on a 1st of March, so that the leap day is a year's last.
pub fn iso_time(unix_secs: u64) -> String {
    // Past the year 9999 the text would not be ISO-8601 any more.
    let secs = unix_secs.min(253_402_300_799);
    let (days, of_day) = (secs / 86_400 + 719_468, secs % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.000Z", of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::iso_time;

    #[test]
    fn known_moments_are_written_right() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso_time(951_782_399), "2000-02-28T23:59:59.000Z");
        assert_eq!(iso_time(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(iso_time(1_795_199_698), "2026-11-20T18:34:58.000Z");
        assert_eq!(iso_time(u64::MAX), "9999-12-31T23:59:59.000Z");
    }
}
