//! The bucket for requests, at any times and in any number of tabs: never more leaves than the service grants.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

use proptest::prelude::*;
use verified_swap_trade::client::rate_limit::RateLimit;
use verified_swap_trade::service::token_bucket::TokenBucket;

const START: u64 = 1_800_000_000_000;
const DAY_MS: u64 = 86_400_000;

/// The next step: so many milliseconds later, a request wants to leave; and the service may refuse it.
fn steps() -> impl Strategy<Value = Vec<(u64, bool)>> {
    let pause = prop_oneof![0..50_u64, 0..1_500_u64, 0..20_000_u64];
    prop::collection::vec((pause, prop::bool::weighted(0.02)), 1..300)
}

fn limits() -> impl Strategy<Value = RateLimit> {
    (1..50_u64, 1..9_u64, 1..400_u64).prop_map(|(per_second, burst, per_day)| RateLimit { per_second, burst, per_day })
}

proptest! {
    #[test]
    fn no_window_has_more_than_a_burst_and_what_time_grants(steps in steps(), limit in limits()) {
        // The tabs know of each other by the text alone.
        let (mut now, mut text, mut left) = (START, TokenBucket::default().text(), Vec::new());
        let mut refused_at = None;
        for (pause, is_refused) in steps {
            now += pause;
            let mut bucket = TokenBucket::read(&text, now).unwrap();
            if bucket.wait_ms(&limit, now) == 0 {
                bucket.spend(&limit, now);
                left.push(now);
                if is_refused {
                    bucket.refuse(now, 1_000);
                    refused_at = refused_at.or(Some(now));
                }
            }
            text = bucket.text();
        }
        for (from, first) in left.iter().enumerate() {
            for (to, last) in left.iter().enumerate().skip(from) {
                let strict = refused_at.is_some_and(|at| *first > at);
                let burst = if strict { 1 } else { limit.burst };
                // Where no burst makes up for what arrives early, there is some room.
                let agreed = 1_000_u64.div_ceil(limit.per_second);
                let interval = if burst == 1 { agreed + agreed.div_ceil(20) } else { agreed };
                let most = burst + (last - first) / interval;
                prop_assert!(((to - from) as u64) < most, "{} in {} ms", to - from + 1, last - first);
            }
        }
        prop_assert!(left.iter().filter(|at| *at / DAY_MS == START / DAY_MS).count() as u64 <= limit.per_day);
    }

    #[test]
    fn what_it_says_to_wait_is_enough_and_no_more(steps in steps(), limit in limits()) {
        let (mut now, mut bucket) = (START, TokenBucket::default());
        for (pause, is_refused) in steps {
            now += pause;
            let wait = bucket.wait_ms(&limit, now);
            prop_assert_eq!(bucket.wait_ms(&limit, now + wait), 0);
            prop_assert!(wait == 0 || bucket.wait_ms(&limit, now + wait - 1) > 0);
            // Some do not wait, and are counted all the same.
            let before = bucket.left_today(&limit, now);
            bucket.spend(&limit, now);
            prop_assert_eq!(bucket.left_today(&limit, now), before.saturating_sub(1));
            if is_refused {
                bucket.refuse(now, 2_500);
            }
        }
    }

    #[test]
    fn after_a_clock_was_set_back_nobody_waits_longer_than_the_service_said(
        pause_ms in prop_oneof![0..100_000_u64, 0..2 * DAY_MS],
        set_back_ms in prop_oneof![0..100_000_u64, 0..2 * DAY_MS],
        limit in limits(),
    ) {
        let mut bucket = TokenBucket::default();
        bucket.refuse(START, pause_ms);
        let now = START - set_back_ms;
        let bucket = TokenBucket::read(&bucket.text(), now).unwrap();
        prop_assert!(bucket.wait_ms(&limit, now) <= pause_ms);
        let is_known = set_back_ms == 0 && pause_ms > 0;
        prop_assert_eq!(bucket.limited_until(START), is_known.then_some(START + pause_ms.min(300_000)));
    }

    #[test]
    fn any_text_is_a_bucket_that_ends_within_a_day_or_none(
        numbers in prop::collection::vec(prop_oneof![any::<u64>(), START - DAY_MS..START + 3 * DAY_MS], 0..11),
        noise in ".{0,20}",
        limit in limits(),
    ) {
        let text: Vec<String> = numbers.iter().map(u64::to_string).collect();
        for text in [text.join(" "), format!("{}{noise}", text.join(" ")), noise] {
            if let Some(bucket) = TokenBucket::read(&text, START) {
                prop_assert!(bucket.wait_ms(&limit, START) <= DAY_MS);
                prop_assert!(bucket.pause_ms(START, false) <= 300_000);
                prop_assert!(bucket.pause_ms(START, true) <= 60_000);
            }
        }
    }

    #[test]
    fn a_clock_that_is_set_back_makes_nobody_wait_longer(
        steps in prop::collection::vec((0..1_500_u64, any::<bool>()), 1..100),
        set_back_ms in prop_oneof![0..100_000_u64, 0..2 * DAY_MS],
        limit in limits(),
    ) {
        let limit = RateLimit { per_day: u64::MAX, ..limit };
        let (mut now, mut bucket) = (START, TokenBucket::default());
        for (pause, is_forced) in steps {
            now += pause;
            let wait = bucket.wait_ms(&limit, now);
            if is_forced || wait == 0 {
                bucket.spend(&limit, now);
            } else {
                bucket.mark(1, wait, now);
            }
        }
        bucket.spend(&limit, now);
        let before = bucket.wait_ms(&limit, now);
        let was_behind = bucket.is_behind(2, now);
        let now = now - set_back_ms;
        let after = TokenBucket::read(&bucket.text(), now).unwrap();
        prop_assert!(after.wait_ms(&limit, now) <= before);
        prop_assert!(was_behind || !after.is_behind(2, now));
        prop_assert!(!after.is_behind(2, now + before + 2_000));
    }

    #[test]
    fn only_a_refused_post_holds_posts_and_for_a_minute_at_most(
        refusals in prop::collection::vec((0..100_000_u64, any::<bool>(), 0..2 * DAY_MS), 1..20),
    ) {
        let (mut now, mut text, mut posts_until) = (START, TokenBucket::default().text(), 0);
        for (later, is_post, pause_ms) in refusals {
            now += later;
            let mut bucket = TokenBucket::read(&text, now).unwrap();
            let refuse = if is_post { TokenBucket::refuse_posts } else { TokenBucket::refuse };
            refuse(&mut bucket, now, pause_ms);
            if is_post {
                posts_until = posts_until.max(now + pause_ms.min(60_000));
            }
            prop_assert_eq!(bucket.pause_ms(now, true), posts_until.saturating_sub(now));
            prop_assert!(bucket.pause_ms(now, false) >= bucket.pause_ms(now, true));
            prop_assert!(bucket.pause_ms(now, false) <= 300_000);
            text = bucket.text();
        }
    }

    #[test]
    fn a_slot_is_left_to_the_most_urgent_who_waits_until_one_of_them_leaves(
        marks in prop::collection::vec((1..3_u64, 0..5_000_u64), 1..10),
    ) {
        let mut bucket = TokenBucket::default();
        for (class, wait) in &marks {
            bucket.mark(*class, *wait, START);
            bucket = TokenBucket::read(&bucket.text(), START).unwrap();
        }
        let most = *marks.iter().map(|(class, _)| class).min().unwrap();
        prop_assert!((0..4).all(|class| bucket.is_behind(class, START) == (class > most)));
        for class in (most..4).rev() {
            prop_assert!(bucket.is_behind(3, START));
            bucket.unmark(class);
        }
        prop_assert!(!bucket.is_behind(3, START));
    }
}

/// The count of other tabs is not known: no burst leaves, and the requests of this page count on.
#[test]
fn beside_a_text_that_cannot_be_read_requests_leave_one_by_one() {
    let limit = RateLimit { per_second: 1, burst: 3, per_day: 2 };
    let mut bucket = TokenBucket::default();
    bucket.spend(&limit, START);
    let mut bucket = bucket.unread(START);
    assert!((1..=2_000).contains(&bucket.wait_ms(&limit, START)));
    bucket.spend(&limit, START + 2_000);
    assert!(bucket.wait_ms(&limit, START + 2_000) > 2_000, "both of today's requests have left");
    let limit = RateLimit { per_day: 9, ..limit };
    assert!((1..=2_000).contains(&bucket.wait_ms(&limit, START + 2_000)), "no burst");
}
