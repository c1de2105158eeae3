//! Laws of reference prices: its arithmetic against exact integers, and what it refuses against the bound as written.

use alloy_primitives::{Address, U256, U512, Uint};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::intent::Token;
use verified_swap_verify::internal::domain::reference::chain_prices::ChainPrices;
use verified_swap_verify::internal::domain::reference::lens::{LENS, LensCall};
use verified_swap_verify::internal::domain::reference::past::{Past, PastState, SAME_MS};
use verified_swap_verify::internal::domain::reference::pinned::{MOST_BACK, blocks_of};
use verified_swap_verify::internal::domain::reference::pools::{Block, Price, is_apart, mean_tick};
use verified_swap_verify::internal::domain::reference::price_float::{PriceFloat, decimal_price};
use verified_swap_verify::internal::domain::reference::sources::{Feed, Sources, Why};
use verified_swap_verify::internal::domain::reference::trade_references::{
    PriceReferences, ReferenceKind, ReferencePrice, whole_units,
};
use verified_swap_verify::internal::domain::token::NATIVE;
use verified_swap_verify::internal::domain::verify::price::{Deal, PRICE, judge};
use verified_swap_verify::internal::domain::verify::question::Reason;
use verified_swap_verify::internal::json::{Json, JsonAt, parse};

use verified_swap_verify::internal::value::amount::format_units;

/// Large enough for every product here.
type Wide = Uint<2048, 32>;

/// The highest tick of a pool.
const MAX_TICK: i32 = 887_272;

/// Any 256 bits, small numbers as likely as large ones.
fn amount() -> impl Strategy<Value = U256> {
    (any::<[u64; 4]>(), 0usize..=256).prop_map(|(limbs, bits)| {
        let value = U256::from_limbs(limbs);
        if bits == 0 { U256::ZERO } else { value >> (256 - bits) }
    })
}

/// Any number of a size that prices have on their way.
fn real() -> impl Strategy<Value = PriceFloat> {
    (any::<u64>(), -320_i32..=256).prop_map(|(mantissa, exponent)| made(mantissa | 1 << 63, exponent))
}

fn made(mantissa: u64, exponent: i32) -> PriceFloat {
    let above_least = U256::from((i64::from(exponent) - i64::from(i32::MIN)) as u64);
    PriceFloat::read(&((above_least << 64_usize) | U256::from(mantissa)).to_string()).unwrap()
}

fn parts(real: PriceFloat) -> (u64, i32) {
    let written: U256 = real.write().parse().unwrap();
    let [mantissa, above_least, ..] = *written.as_limbs();
    (mantissa, (above_least as i64 + i64::from(i32::MIN)) as i32)
}

fn wide<const BITS: usize, const LIMBS: usize>(value: Uint<BITS, LIMBS>) -> Wide {
    Wide::from(value)
}

fn two_to(power: u32) -> Wide {
    Wide::from(1) << power as usize
}

fn ten_to(power: u32) -> Wide {
    Wide::from(10).pow(Wide::from(power))
}

/// A number without loss, above zero or zero.
#[derive(Clone, Copy, Debug)]
struct Ratio(Wide, Wide);

impl Ratio {
    fn of(real: PriceFloat) -> Ratio {
        let (mantissa, exponent) = parts(real);
        let (mantissa, size) = (Wide::from(mantissa), exponent.unsigned_abs());
        match exponent {
            _ if real.is_zero() => Ratio(Wide::ZERO, Wide::from(1)),
            0.. => Ratio(mantissa * two_to(size), Wide::from(1)),
            _ => Ratio(mantissa, two_to(size)),
        }
    }

    fn whole(value: U256) -> Ratio {
        Ratio(wide(value), Wide::from(1))
    }

    fn times(self, by: Ratio) -> Ratio {
        Ratio(self.0 * by.0, self.1 * by.1)
    }

    fn over(self, by: Ratio) -> Ratio {
        Ratio(self.0 * by.1, self.1 * by.0)
    }

    fn plus(self, other: Ratio) -> Ratio {
        Ratio(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    /// Zero if the other is larger.
    fn minus(self, other: Ratio) -> Ratio {
        Ratio((self.0 * other.1).saturating_sub(other.0 * self.1), self.1 * other.1)
    }

    fn is_below(self, other: Ratio) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    /// Whether both are the same but for one part in `2^bits` of this one.
    fn is_near(self, other: Ratio, bits: usize) -> bool {
        let (this, that) = (self.0 * other.1, other.0 * self.1);
        this.abs_diff(that) <= this >> bits
    }
}

/// `base^power`, of which the highest 256 bits are kept: mantissa and exponent.
fn power(base: u64, power: u32) -> (U512, usize) {
    let cut = |(value, exponent): (U512, usize)| {
        let rest = value.bit_len().saturating_sub(256);
        (value >> rest, exponent + rest)
    };
    let by = |one: (U512, usize), other: (U512, usize)| cut((one.0 * other.0, one.1 + other.1));
    let (mut all, mut square) = ((U512::from(1), 0), (U512::from(base), 0));
    for bit in 0..20 {
        if power >> bit & 1 == 1 {
            all = by(all, square);
        }
        square = by(square, square);
    }
    all
}

fn signed(value: i64) -> U256 {
    let size = U256::from(value.unsigned_abs());
    if value < 0 { size.wrapping_neg() } else { size }
}

proptest! {
    #[test]
    fn a_number_of_256_bits_is_kept_to_63_of_them(value in amount()) {
        let real = PriceFloat::of(value);
        prop_assert_eq!(real.is_zero(), value.is_zero());
        let (exact, found) = (Ratio::whole(value), Ratio::of(real));
        prop_assert!(!exact.is_below(found) && exact.is_near(found, 62));
        prop_assert!(value.bit_len() > 64 || real.floor() == value);
    }

    #[test]
    fn each_step_is_the_exact_one_but_for_its_last_bits(a in real(), b in real()) {
        let (left, right) = (Ratio::of(a), Ratio::of(b));
        let exact = [left.times(right), left.over(right), left.plus(right)];
        for (found, exact) in [a.times(b), a.over(b), a.plus(b)].into_iter().zip(exact) {
            prop_assert!(!exact.is_below(Ratio::of(found)), "above");
            prop_assert!(exact.is_near(Ratio::of(found), 62), "{:?} {:?}", a, b);
        }
        prop_assert!(left.minus(right).is_near(Ratio::of(a.minus(b)), 62), "{:?} {:?}", a, b);
    }

    #[test]
    fn what_lies_close_together_has_an_exact_difference(
        mantissa in any::<u64>(),
        near in any::<u16>(),
        up in 0_i32..=1,
        exponent in -300_i32..=200,
    ) {
        let a = made(mantissa | 1 << 63, exponent);
        let b = made((mantissa | 1 << 63).saturating_sub(near.into()) | 1 << 63, exponent - up);
        let exact = Ratio::of(a).minus(Ratio::of(b));
        prop_assert!(exact.is_near(Ratio::of(a.minus(b)), 62) && exact.0.is_zero() == a.minus(b).is_zero());
    }

    #[test]
    fn nothing_adds_nothing_and_takes_all(a in real()) {
        prop_assert_eq!((a.plus(PriceFloat::ZERO), PriceFloat::ZERO.plus(a), a.minus(PriceFloat::ZERO)), (a, a, a));
        prop_assert_eq!((a.minus(a), PriceFloat::ZERO.minus(a), a.times(PriceFloat::ZERO)), (PriceFloat::ZERO, PriceFloat::ZERO, PriceFloat::ZERO));
        prop_assert_eq!((a.over(PriceFloat::ZERO), PriceFloat::ZERO.over(a), a.times(PriceFloat::ONE)), (PriceFloat::ZERO, PriceFloat::ZERO, a));
    }

    #[test]
    fn the_order_is_that_of_the_numbers(a in real(), b in real()) {
        prop_assert_eq!(a < b, Ratio::of(a).is_below(Ratio::of(b)));
        prop_assert!(PriceFloat::ZERO < a);
    }

    #[test]
    fn the_whole_part_is_the_largest_number_that_is_not_more(a in real(), largest in 190_i32..=194) {
        for a in [a, made(parts(a).0, largest)] {
            let Ratio(above, below) = Ratio::of(a);
            prop_assert_eq!(wide(a.floor()), (above / below).min(wide(U256::MAX)));
        }
    }

    #[test]
    fn a_written_number_is_read_back(a in real(), noise in "[0-9]{0,32}|[0-9p+.-]{0,12}") {
        prop_assert_eq!(PriceFloat::read(&a.write()), Some(a));
        prop_assert_eq!(PriceFloat::read(&PriceFloat::ZERO.write()), Some(PriceFloat::ZERO));
        if let Some(read) = PriceFloat::read(&noise) {
            prop_assert_eq!(PriceFloat::read(&read.write()), Some(read));
        }
    }

    #[test]
    fn digits_are_cut_off_and_none_is_wrong(value in 1_u64.., places in 0_u8..=12, count in 1_usize..=12) {
        // Shorter numbers lose nothing but what the arithmetic loses.
        let exact = Ratio(Wide::from(value), ten_to(places.into()));
        let real = PriceFloat::of(U256::from(value)).times(PriceFloat::ten_to(-i32::from(places)));
        let shown = real.digits(count);
        let (whole, fraction) = shown.split_once('.').unwrap_or((&shown, ""));
        let found = Ratio([whole, fraction].concat().parse().unwrap(), ten_to(fraction.len() as u32));
        prop_assert!(!exact.is_below(found), "{}", shown);
        let unit = Ratio(Wide::from(1), ten_to(count as u32 - 1));
        let rest = exact.minus(found);
        prop_assert!(!exact.times(unit).is_below(rest), "{} of {} places {}", shown, value, places);
    }

    #[test]
    fn a_power_of_ten_is_that(power in 0..=77_u32) {
        let found = (PriceFloat::ten_to(power as i32), PriceFloat::ten_to(-(power as i32)));
        prop_assert!(Ratio(ten_to(power), Wide::from(1)).is_near(Ratio::of(found.0), 57));
        prop_assert!(Ratio(Wide::from(1), ten_to(power)).is_near(Ratio::of(found.1), 57));
        prop_assert!(power > 27 || !Ratio::of(found.0).is_below(Ratio(ten_to(power), Wide::from(1))));
    }

    #[test]
    fn the_root_of_a_ticks_price_times_itself_is_the_power(tick in prop_oneof![-MAX_TICK..=MAX_TICK, -500..=500_i32]) {
        let (mantissa, exponent) = parts(PriceFloat::root_of_tick(tick));
        let [above, below] = [10_001, 10_000].map(|base| power(base, tick.unsigned_abs()));
        let (above, below) = if tick < 0 { (below, above) } else { (above, below) };
        // Both sides times 2^-(exponents): integers of 384 bits.
        let square = Wide::from(u128::from(mantissa) * u128::from(mantissa)) * wide(below.0);
        let shift = above.1 as i64 - below.1 as i64 - 2 * i64::from(exponent);
        let exact = wide(above.0) << usize::try_from(shift).unwrap();
        prop_assert!(square.abs_diff(exact) <= exact >> 42, "{}", tick);
    }

    #[test]
    fn a_mean_tick_is_rounded_down_on_either_side_of_zero(
        // Often next to zero, and to the ends.
        tick in (prop_oneof![Just(0), Just(-MAX_TICK), Just(MAX_TICK), -MAX_TICK..=MAX_TICK], -3..=3_i32)
            .prop_map(|(tick, beside)| tick + beside),
        secs in 1_u64..=2_000,
        rest in any::<u64>(),
    ) {
        let sum = i64::from(tick) * secs as i64 + (rest % secs) as i64;
        let known = (tick.abs() <= MAX_TICK).then_some(tick);
        prop_assert_eq!(mean_tick(signed(sum), secs), known);
    }

    #[test]
    fn no_sum_of_ticks_makes_it_panic(
        sum in prop_oneof![amount(), any::<u64>().prop_map(U256::from)],
        is_negative in any::<bool>(),
        secs in prop_oneof![0..=2_000_u64, any::<u64>()],
    ) {
        let sum = if is_negative { sum.wrapping_neg() } else { sum };
        prop_assert!(mean_tick(sum, secs).is_none_or(|tick| tick.abs() <= MAX_TICK));
    }
}

const WRAPPED: Address = Address::repeat_byte(0x44);
const TOKEN: Address = Address::repeat_byte(0x55);

/// A chain with a wrapped native token and two dollars, on either side of it by address. Each token has a feed.
fn sources() -> Sources {
    let dollars = [(0x33, 6), (0x66, 18)].map(|(byte, decimals)| (Address::repeat_byte(byte), decimals));
    let tokens = [WRAPPED, TOKEN, dollars[0].0, dollars[1].0];
    let feed = |token: Address| Feed { token, feed: Address::repeat_byte(!token[0]), decimals: 8, heartbeat_secs: 60 };
    Sources {
        wrapped: WRAPPED,
        dollars: dollars.to_vec(),
        feeds: tokens.map(feed).to_vec(),
        ..Sources::pinned(1).unwrap()
    }
}

fn question() -> LensCall {
    LensCall::of(sources(), &[TOKEN, sources().dollars[0].0, sources().dollars[1].0])
}

/// The answer of one reference: nothing, or what `words` makes of that.
fn said(words: impl Strategy<Value = Vec<U256>>) -> impl Strategy<Value = Vec<U256>> {
    prop_oneof![1 => Just(vec![U256::ZERO]), 3 => words]
}

/// A pool that had one tick and then another, of any depth.
fn pool() -> impl Strategy<Value = Vec<U256>> {
    let tick = || -400_000_i64..=400_000;
    (prop::sample::select(vec![300_u64, 600, 1_200, 1_800]), tick(), tick(), any::<u128>(), 0..=90_u32).prop_map(
        |(window, long, recent, liquidity, cut)| {
            let seconds = |secs: u64| (U256::from(secs) << 128) / U256::from((liquidity | 1 << 127) >> cut);
            let before = long * (window as i64 - 300);
            let ticks = [0, before, before + recent * 300].map(signed);
            let now = vec![signed(recent), U256::from((liquidity | 1 << 127) >> cut)];
            [vec![U256::from(window)], now, ticks.to_vec(), [0, window - 300, window].map(seconds).to_vec()].concat()
        },
    )
}

/// A pool that cannot tell its past.
fn silent_pool() -> impl Strategy<Value = Vec<U256>> {
    pool().prop_map(|words| [&[U256::from(1)], &words[1..3]].concat())
}

fn feed() -> impl Strategy<Value = Vec<U256>> {
    (1..=u64::MAX).prop_map(|answer| [9, answer, 1_000].map(U256::from).to_vec())
}

/// The answers of pools in one call, and of feeds in another.
type Answer = [Vec<Vec<U256>>; 2];

/// The answers of the references of [`question`].
fn answer() -> impl Strategy<Value = Answer> {
    let (pools, feeds) = (question().pools.len(), question().feeds.len());
    let pool = || prop_oneof![4 => pool().boxed(), 1 => silent_pool().boxed()];
    (prop::collection::vec(said(pool()), pools), prop::collection::vec(said(feed()), feeds))
        .prop_map(|(pools, feeds)| [pools, feeds].map(|words| [vec![block(1_000, 500)], words].concat()))
}

/// The first words of an answer.
fn block(time: u64, number: u64) -> Vec<U256> {
    [time, number].map(U256::from).to_vec()
}

fn bytes(words: &[Vec<U256>]) -> Vec<u8> {
    words.iter().flatten().flat_map(|word| word.to_be_bytes::<32>()).collect()
}

/// The reading of two answers to that question by the code; `None` if one of them is none.
fn read_by(question: &LensCall, [pools, feeds]: [&[u8]; 2]) -> Option<ChainPrices> {
    let mut reading = ChainPrices::new(&question.sources);
    reading.add_pools(LensCall::read_pools(&question.pools, pools)?);
    question.read_feeds(feeds, &mut reading).then_some(reading)
}

fn read([pools, feeds]: &Answer) -> Option<ChainPrices> {
    read_by(&question(), [&bytes(pools), &bytes(feeds)])
}

fn token(address: Address, decimals: u8) -> Token {
    Token { address, decimals, ..Token::default() }
}

fn reference(by: ReferenceKind, price: PriceFloat) -> ReferencePrice {
    ReferencePrice::of(by, Price::steady(price))
}

fn answered(prices: &[PriceFloat]) -> PriceReferences {
    PriceReferences {
        answered: prices.iter().map(|price| reference(ReferenceKind::App, *price)).collect(),
        ..PriceReferences::default()
    }
}

proptest! {
    #[test]
    fn what_is_swapped_has_the_reciprocal_price(words in answer(), decimals in 0_u8..=24) {
        let reading = read(&words).unwrap();
        let tokens = [(TOKEN, decimals), (WRAPPED, 18), (sources().dollars[0].0, 6), (sources().dollars[1].0, 18)];
        let tokens = tokens.map(|(address, decimals)| token(address, decimals));
        for (src, dest) in tokens.iter().flat_map(|src| tokens.iter().map(move |dest| (src, dest))) {
            if src.address == dest.address {
                continue;
            }
            let prices = |src, dest| PriceReferences::of((1, src, Some(&reading)), (1, dest, Some(&reading))).answered;
            let (there, back) = (prices(src, dest), prices(dest, src));
            prop_assert_eq!(there.len(), back.len());
            for (there, back) in there.iter().zip(&back) {
                prop_assert_eq!((there.by, there.pools, there.window_secs), (back.by, back.pools, back.window_secs));
                for (one, other) in [(there.price.long, back.price.long), (there.price.recent, back.price.recent)] {
                    prop_assert!(Ratio::whole(U256::from(1)).is_near(Ratio::of(one.times(other)), 58));
                }
            }
        }
    }

    #[test]
    fn the_native_token_and_its_erc20_form_are_one_asset_whatever_pools_say(words in answer()) {
        let Some(reading) = read(&words) else { return Ok(()) };
        let [native, wrapped, other] = [NATIVE, WRAPPED, TOKEN].map(|address| token(address, 18));
        let by = |src, dest| PriceReferences::of((1, src, Some(&reading)), (1, dest, Some(&reading))).answered;
        for (src, dest) in [(&native, &wrapped), (&wrapped, &native)] {
            prop_assert_eq!(by(src, dest), vec![ReferencePrice::whole(ReferenceKind::Asset, PriceFloat::ONE, src, dest)]);
        }
        prop_assert!(by(&native, &other).iter().all(|reference| reference.by != ReferenceKind::Asset));
    }

    #[test]
    fn one_way_over_pools_disagrees_with_nobody(words in pool(), at in any::<prop::sample::Index>()) {
        let question = question();
        let [(dollar, decimals), _] = sources().dollars[..] else { panic!() };
        let is_theirs = |place: &usize| {
            let place = question.pools[*place];
            [place.token0, place.token1].iter().all(|token| [TOKEN, dollar].contains(token))
        };
        let theirs: Vec<usize> = (0..question.pools.len()).filter(is_theirs).collect();
        let at = theirs[at.index(theirs.len())];
        let said = (0..question.pools.len()).map(|place| if place == at { words.clone() } else { vec![U256::ZERO] });
        let pools: Vec<Vec<U256>> = [block(1_000, 500)].into_iter().chain(said).collect();
        let silent = [vec![block(1_000, 500)], vec![vec![U256::ZERO]; question.feeds.len()]].concat();
        let reading_words = pools.clone();
        let reading = read(&[pools, silent]).unwrap();
        let tokens = [token(TOKEN, 9), token(dollar, decimals)];
        let now = LensCall::read_pools(&question.pools, &bytes(&reading_words)).unwrap().pools[0];
        // On one chain, and on two, where the second is asked the other way round.
        for chain in [1, 10] {
            for [src, dest] in [[0, 1], [1, 0]].map(|pair| pair.map(|at| &tokens[at])) {
                for reference in PriceReferences::of((1, src, Some(&reading)), (chain, dest, Some(&reading))).answered {
                    let asks = reference.price.asks();
                    let seen = now.price_now(now.place.token0 == src.address).asks();
                    let (least, most) = reference.range;
                    let is_near = |one: PriceFloat, other: PriceFloat| !is_apart(one.min(other), one.max(other), 1);
                    prop_assert!(is_near(least, asks) && is_near(most, asks.max(seen)), "{} {:?}", chain, reference);
                }
            }
        }
    }

    #[test]
    fn a_question_has_each_reference_once_and_no_more_pools_than_fit(
        chain in prop::sample::select(vec![1_u64, 10, 56, 100, 130, 137, 8453, 42161, 43114]),
        tokens in prop::collection::vec(any::<[u8; 20]>().prop_map(Address::from), 0..30),
    ) {
        let question = LensCall::of(Sources::pinned(chain).unwrap(), &tokens);
        let [pools, feeds] = [LensCall::pool_data(&question.pools), question.feed_data()];
        for (data, count, asked) in [
            (pools, question.pools.len(), question.pools.iter().map(|pool| pool.address).collect::<Vec<_>>()),
            (feeds, 0, question.feeds.iter().map(|feed| feed.feed).collect()),
        ] {
            let input = data.strip_prefix(&LENS[..]).unwrap();
            prop_assert_eq!(usize::from(input[0]), count);
            prop_assert_eq!(input[1..].chunks(20).map(Address::from_slice).collect::<Vec<_>>(), asked);
        }
        let pools = &question.pools;
        prop_assert!(pools.iter().all(|pool| pool.token0 < pool.token1));
        prop_assert!((1..pools.len()).all(|at| !pools[..at].contains(&pools[at])));
    }

    #[test]
    fn an_answer_of_another_length_is_none(words in answer(), length in any::<prop::sample::Index>()) {
        prop_assert_eq!(read(&words).map(|reading| (reading.time, reading.pools_read)), Some((1_000, Some((1_000, 500)))));
        let [pools, feeds] = words.each_ref().map(|words| bytes(words));
        let cut = |whole: &[u8]| whole[..length.index(whole.len())].to_vec();
        let long = |whole: &[u8]| [whole, &whole[..1 + length.index(64)]].concat();
        for other in [cut(&pools), long(&pools)] {
            prop_assert!(read_by(&question(), [&other, &feeds]).is_none());
        }
        for other in [cut(&feeds), long(&feeds)] {
            prop_assert!(read_by(&question(), [&pools, &other]).is_none());
        }
        for at in 0..2 {
            let mut words = words.clone();
            // The last one answers in place of silence, or is silent in place of an answer.
            let last = words[at].last_mut().unwrap();
            last[0] = U256::from(u8::from(last.len() == 1));
            prop_assert!(read(&words).is_none());
        }
    }

    #[test]
    fn no_words_make_it_panic(
        words in prop::collection::vec(
            prop_oneof![Just(U256::ZERO), (0..2_000_u64).prop_map(U256::from), amount(), amount().prop_map(|it| !it)],
            0..400,
        ),
        decimals in any::<u8>(),
    ) {
        let question = question();
        let mut rest = words.into_iter();
        // Cut to what an answer would have, so that most are read.
        let mut answer = |count: usize, says: fn(U256) -> usize| {
            let mut words = vec![rest.next().unwrap_or_default(), rest.next().unwrap_or_default()];
            for _ in 0..count {
                let head = rest.next().unwrap_or_default();
                words.push(head);
                words.extend((0..says(head)).map(|_| rest.next().unwrap_or_default()));
            }
            words
        };
        let pools = answer(question.pools.len(), |head| match head {
            U256::ZERO => 0,
            head if head == U256::from(1) => 2,
            _ => 8,
        });
        let feeds = answer(question.feeds.len(), |head| if head.is_zero() { 0 } else { 2 });
        let is_read = |words: &[U256], most: usize| words[..most].iter().all(|word| *word <= U256::from(u64::MAX));
        let expected = is_read(&pools, 2) && is_read(&feeds, 1);
        let reading = read(&[vec![pools], vec![feeds]]);
        prop_assert_eq!(reading.is_some(), expected);
        if let Some(reading) = reading {
            let sources = sources();
            let tokens = [TOKEN, WRAPPED, sources.dollars[0].0, sources.dollars[1].0];
            let tokens = tokens.map(|address| token(address, decimals));
            for (src, dest) in tokens.iter().flat_map(|src| tokens.iter().map(move |dest| (src, dest))) {
                judged(&PriceReferences::of((1, src, Some(&reading)), (1, dest, Some(&reading))), src, dest);
            }
        }
    }

    #[test]
    fn reference_prices_are_read_back_as_they_were_written(
        answered in prop::collection::vec((0_usize..5, [real(), real(), real(), real()], any::<[u64; 2]>(), any::<u8>()), 0..8),
        [gas, wei, now] in [prop::option::of(real()), prop::option::of(real()), prop::option::of(real())],
        unanswered in prop::collection::vec((0_usize..5, 0_usize..5), 0..4),
    ) {
        let by = [ReferenceKind::Prices, ReferenceKind::Asset, ReferenceKind::Pools, ReferenceKind::Feeds, ReferenceKind::App];
        let answered = answered.into_iter().map(|(at, [long, recent, least, most], [window_secs, held_secs], pools)| {
            ReferencePrice { by: by[at], price: Price { long, recent }, range: (least, most), window_secs, held_secs, pools }
        });
        let whys = [Why::None, Why::NoHistory, Why::Unasked, Why::Silent, Why::Unread];
        let unanswered = unanswered.into_iter().map(|(at, why)| (by[at], whys[why])).collect();
        let references = PriceReferences { answered: answered.collect(), unanswered, now, gas, wei };
        let written = parse(&references.write()).unwrap();
        prop_assert_eq!(PriceReferences::read(&JsonAt::input(&written, "reference")).unwrap(), references);
    }
}

proptest! {
    #[test]
    fn the_older_blocks_lie_as_far_back_as_nodes_know(
        chain in prop::sample::select(vec![1_u64, 10, 56, 100, 130, 137, 8453, 42161, 43114, 31337]),
        number in prop_oneof![0..=200_u64, any::<u32>().prop_map(u64::from)],
        random in any::<u16>(),
        now in any::<u32>().prop_map(u64::from),
        passed in 0..=600_000_u64,
        block_secs in 0..=12_u64,
    ) {
        let (back, block_ms) = blocks_of(chain).map_or((MOST_BACK, None), |(back, ms)| (back, Some(ms)));
        prop_assert!((20..=120).contains(&back), "nodes have the state of 128 blocks");
        let places = question().pools;
        let Some(mut past) = Past::settle((back, block_ms), places.clone(), number, random, now) else {
            prop_assert!(number <= back);
            return Ok(());
        };
        let [oldest, between] = past.blocks;
        prop_assert!(oldest == number - back && oldest < between && between < number && oldest > 0);
        prop_assert!(past.fits(&places[1..], number) && past.fits(&places, number + 8));
        prop_assert!(!past.fits(&places, number + 9), "nodes may not know it any more");
        prop_assert!(!past.fits(&places, oldest + back / 2 - 1) && !past.fits(&places, between));
        let one = Past::settle((back, block_ms), places[..1].to_vec(), number, random, now).unwrap();
        prop_assert!(!one.fits(&places, number), "not about all of them");
        // References that did not answer are not expected to for longer than a minute.
        prop_assert_eq!(past.clone().at_time(now + passed).is_none(), passed > SAME_MS);
        let time = 1_000_000;
        let older = |number, time| Block { time, number, pools: vec![] };
        let blocks = [older(oldest, time - back * block_secs), older(between, time)];
        past.learn(blocks, (time, number), now);
        prop_assert!(past.fits(&places, number + 500), "what was heard is known");
        let expected = past.clone().at_time(now + passed);
        if passed <= SAME_MS {
            prop_assert_eq!(expected.unwrap().blocks, [oldest, between]);
            return Ok(());
        }
        // By the number that the latest block must have by then, and no other is drawn.
        let Some(count) = (passed / 1_000).checked_div(block_secs) else {
            prop_assert!(expected.is_none());
            return Ok(());
        };
        let expected = expected.unwrap();
        prop_assert_eq!(&expected.known, &PastState::Expected);
        prop_assert_eq!(expected.blocks, [oldest + count, between + count]);
        prop_assert!(expected.fits(&places, number + count) && !expected.fits(&places, number + count + 9));
    }

    #[test]
    fn a_pool_is_as_deep_as_it_was_in_its_shallowest_block(
        words in pool(),
        cuts in [0..=1_000_u64, 0..=1_000_u64],
        [is_there, of_token1] in [any::<bool>(), any::<bool>()],
        ago in 0..=600_u64,
    ) {
        let question = question();
        let place = question.pools[0];
        let usd = PriceFloat::ONE;
        let read = |words: &[U256], time: u64| {
            let answer = bytes(&[block(time, 500), words.to_vec()]);
            LensCall::read_pools(&[place], &answer).unwrap()
        };
        let now = read(&words, 1_000);
        let then = cuts.map(|thousandths| {
            let mut words = words.clone();
            words[2] = words[2] * U256::from(thousandths) / U256::from(1_000);
            read(&words[..], 1_000 - ago)
        });
        let [mut oldest, between] = then.clone();
        if !is_there {
            oldest.pools.clear();
        }
        let mut pool = now.pools[0];
        let before = pool.depth(usd, of_token1, true).unwrap();
        let depth_of = |block: &Block| block.pools.first().map_or(PriceFloat::ZERO, |pool| pool.depth_now(usd, of_token1));
        let expected = before.min(depth_of(&oldest)).min(depth_of(&between));
        pool.hold(ago, [oldest.pools.first(), between.pools.first()]);
        // At another price than the one it testifies to, it had nothing.
        let asks = |of_token0: bool| pool.price(of_token0).asks();
        let is_far = |of_token0: bool| {
            let then = pool.price_now(of_token0).asks();
            is_apart(then.min(asks(of_token0)), then.max(asks(of_token0)), 500)
        };
        for of_token0 in [true, false] {
            let expected = if is_far(of_token0) { PriceFloat::ZERO } else { expected };
            prop_assert_eq!(pool.depth(usd, of_token1, of_token0), Some(expected));
        }
        prop_assert_eq!(pool.held_secs(), ago);
        prop_assert_eq!(pool.depth_now(usd, of_token1), now.pools[0].depth_now(usd, of_token1), "today's is another question");
    }
}

/// The verdict of a sale of one whole unit for one, whatever the tokens are: nothing may panic.
fn judged(references: &PriceReferences, src: &Token, dest: &Token) -> &'static str {
    judge(PRICE, references, &deal(src, dest, (U256::from(1), U256::from(1)))).verdict.name()
}

fn deal<'a>(src: &'a Token, dest: &'a Token, (spent, received): (U256, U256)) -> Deal<'a> {
    Deal {
        fills: 1,
        src,
        dest,
        spent,
        received,
        quoted: (spent, received),
        taken_bps: 0,
        limit_bps: 0,
        slippage_bps: 0,
        is_purchase: false,
        loss_bps: 0,
        has_gas: false,
        stated_gas: Some(PriceFloat::ZERO),
        is_named: false,
        is_bound: false,
        asks: true,
        needs_reference: false,
        costs: (&[], None, None),
    }
}

/// A trade of one token for another, with what its references say in whole units: so many of each price's last places.
#[derive(Clone, Debug)]
struct Trade {
    tokens: [Token; 2],
    spent: U256,
    /// Long and recent price of each reference, times `10^places`.
    prices: Vec<[u64; 2]>,
    places: u8,
    /// The gas of today, and the gas that the route states; `None` if the price of one of its factors is not known.
    gas: Option<U256>,
    stated_gas: Option<U256>,
    /// The amount that is got as quoted, in millionths of what it is worth.
    quoted_millionths: u32,
    taken_bps: u16,
    limit_bps: u16,
    loss_bps: u16,
    has_gas: bool,
    is_named: bool,
    /// The upper one in the middle of an even number of prices counts.
    is_upper: bool,
}

fn trade() -> impl Strategy<Value = Trade> {
    let prices = prop::collection::vec([1..=1_000_000_000_000_u64, 1..=1_000_000_000_000], 1..=5);
    let decimals = [0..=24_u8, 0..=24];
    let bps = (0..=300_u16, prop_oneof![0..=1_000_u16, 0..=10_500_u16], 0..=2_000_u16);
    let stated = prop::option::weighted(0.8, prop_oneof![Just(0), 0..=10_000_u64]);
    let gas = (any::<bool>(), prop::option::weighted(0.7, 0..=10_000_u64), stated, 700_000..=1_000_000_u32);
    (decimals, 1..=u128::MAX >> 28, prices, 0..=12_u8, bps, gas, prop::bool::weighted(0.1)).prop_map(
        |(
            decimals,
            spent,
            prices,
            places,
            (taken_bps, limit_bps, loss_bps),
            (has_gas, gas_bps, stated_bps, quoted_millionths),
            is_named,
        )| {
            let tokens = decimals.map(|decimals| token(TOKEN, decimals));
            let mut trade = Trade {
                tokens,
                spent: U256::from(spent),
                prices,
                places,
                gas: None,
                stated_gas: None,
                quoted_millionths,
                taken_bps,
                limit_bps,
                loss_bps,
                has_gas,
                is_named,
                is_upper: false,
            };
            // A share of what it is worth, so that gas decides neither always nor never.
            let part = |bps: u64| {
                let Ratio(above, below) = trade.worth();
                (above * Wide::from(bps) / below / Wide::from(10_000)).to::<U256>()
            };
            let (gas, stated_gas) = (gas_bps.map(part), stated_bps.map(part));
            (trade.gas, trade.stated_gas) = (gas, stated_gas);
            trade
        },
    )
}

impl Trade {
    /// The references as the code has them.
    fn references(&self) -> PriceReferences {
        let [src, dest] = &self.tokens;
        let reference = |price: u64| {
            let price = decimal_price(&format_units(U256::from(price), self.places).unwrap()).unwrap();
            ReferencePrice::whole(ReferenceKind::App, price, src, dest)
        };
        let reference = |[long, recent]: &[u64; 2]| {
            ReferencePrice::of(
                ReferenceKind::App,
                Price { long: reference(*long).price.long, recent: reference(*recent).price.recent },
            )
        };
        let answered = self.prices.iter().map(reference).collect();
        PriceReferences { answered, gas: self.gas.map(PriceFloat::of), ..PriceReferences::default() }
    }

    /// The amount that is got as quoted.
    fn quoted(&self) -> U256 {
        let Ratio(above, below) = Trade { is_upper: false, ..self.clone() }.worth();
        (above * Wide::from(self.quoted_millionths) / below / Wide::from(1_000_000)).saturating_to::<U256>()
    }

    fn deal(&self, received: U256) -> Deal<'_> {
        let [src, dest] = &self.tokens;
        let Trade { taken_bps, limit_bps, loss_bps, has_gas, is_named, .. } = *self;
        let (quoted, stated_gas) = ((self.spent, self.quoted()), self.stated_gas.map(PriceFloat::of));
        let deal = deal(src, dest, (self.spent, received));
        Deal { quoted, stated_gas, taken_bps, limit_bps, loss_bps, has_gas, is_named, ..deal }
    }

    /// The worth of the amount that is given, in raw units of the other token: by the lower of the medians of long and
    /// recent prices; of two in the middle the lower one, or the upper.
    fn worth(&self) -> Ratio {
        let median = |at: usize| {
            let mut all: Vec<u64> = self.prices.iter().map(|price| price[at]).collect();
            all.sort();
            all[if self.is_upper { all.len() / 2 } else { (all.len() - 1) / 2 }]
        };
        let price = Ratio(Wide::from(median(0).min(median(1))), ten_to(self.places.into()));
        let [src, dest] = self.tokens.each_ref().map(|token| ten_to(token.decimals.into()));
        Ratio::whole(self.spent).times(price).times(Ratio(dest, src))
    }

    /// The amount that has to be got at least, with so much gas.
    fn due(&self, limit_bps: u16, gas: U256) -> Ratio {
        self.worth().times(kept(self.taken_bps)).minus(Ratio::whole(gas)).times(kept(limit_bps))
    }

    /// The gas that excuses a price: the lower of today's and the stated; none if one of them is not known.
    fn proven(&self) -> U256 {
        let both = self.stated_gas.zip(self.gas).filter(|_| self.has_gas);
        both.map_or(U256::ZERO, |(stated, gas)| stated.min(gas))
    }

    /// Whether more is missing of the quoted price than that many bps; `None` where the last bits decide.
    fn loses(&self, bps: u16) -> Option<bool> {
        self.is_below(self.quoted(), self.worth().times(kept(bps)))
    }

    /// Whether the stated gas, whose cost is not known, would explain it; `None` where the last bits decide.
    fn may_be_gas(&self, received: U256) -> Option<bool> {
        if !self.has_gas || self.gas.is_some() {
            return Some(false);
        }
        let is_explained =
            self.stated_gas.map_or(Some(true), |gas| Some(!self.is_missed(received, self.limit_bps, gas)?))?;
        // Raising the loss that is accepted widens nothing here.
        Some(is_explained && !self.loses(self.loss_bps.min(1_500))?)
    }

    /// Whether so little is less than it has to be with so much gas; `None` where the last bits decide.
    fn is_missed(&self, received: U256, limit_bps: u16, gas: U256) -> Option<bool> {
        self.is_below(received, self.due(limit_bps, gas))
    }

    /// How so little stands against what it is worth; `None` where the last bits decide.
    fn standing(&self, received: U256) -> Option<Standing> {
        let is_excused = !self.is_missed(received, self.limit_bps, self.proven())? && !self.loses(self.loss_bps)?;
        Some(match () {
            () if !self.is_missed(received, self.limit_bps, U256::ZERO)? => Standing::Met,
            () if is_excused => Standing::Excused,
            () if self.may_be_gas(received)? => Standing::Open,
            () => Standing::Missed,
        })
    }

    /// Whether the two prices in the middle are further apart than the limit; `None` where the last bits decide.
    fn is_apart(&self) -> Option<bool> {
        let upper = Trade { is_upper: true, ..self.clone() }.worth().times(kept(self.limit_bps));
        let (worth, unsure) = (self.worth(), self.worth().over(Ratio(two_to(48), Wide::from(1))));
        match (worth.plus(unsure).is_below(upper), worth.is_below(upper.plus(unsure))) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    /// Whether an amount, which may have been rounded down by a unit, is below what is due.
    fn is_below(&self, received: U256, due: Ratio) -> Option<bool> {
        let unsure = self.worth().over(Ratio(two_to(48), Wide::from(1)));
        let received = Ratio::whole(received + U256::from(1));
        match (received.plus(unsure).is_below(due), received.is_below(due.plus(unsure))) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    /// So many millionths of what has to be got, with or without gas.
    fn received(&self, millionths: u32) -> U256 {
        let gas = [U256::ZERO, self.proven(), self.stated_gas.unwrap_or_default()][millionths as usize % 3];
        let due = self.due(self.limit_bps, gas);
        let Ratio(above, below) = due.times(Ratio(Wide::from(millionths), Wide::from(1_000_000)));
        (above / below).saturating_to::<U256>()
    }
}

/// How an amount stands against a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Met,
    Excused,
    Open,
    Missed,
}

fn kept(bps: u16) -> Ratio {
    Ratio(Wide::from(10_000_u16.saturating_sub(bps)), Wide::from(10_000))
}

/// Mostly next to the bound.
fn millionths() -> impl Strategy<Value = u32> {
    prop_oneof![999_990..=1_000_010_u32, 900_000..=1_100_000_u32, 0..=10_000_000_u32]
}

fn is_refused(references: &PriceReferences, deal: &Deal<'_>) -> bool {
    judge(PRICE, references, deal).verdict.name() == "mismatch"
}

fn below_bps(references: &PriceReferences, deal: &Deal<'_>) -> i64 {
    let judged = parse(&judge(PRICE, references, deal).json).unwrap();
    match judged.get("belowBps") {
        Some(Json::Number(text)) => text.parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn beyond_the_bound_is_refused_and_within_it_accepted(trade in trade(), millionths in millionths()) {
        let received = trade.received(millionths);
        let judgement = judge(PRICE, &trade.references(), &trade.deal(received));
        let verdict = judgement.verdict.name();
        let Some(lower) = trade.standing(received) else { return Ok(()) };
        let upper = Trade { is_upper: true, ..trade.clone() };
        let (Some(is_apart), Some(above)) = (trade.is_apart(), upper.standing(received)) else { return Ok(()) };
        let expected = match (lower, trade.is_named) {
            (Standing::Missed, false) => "mismatch",
            // A trade that meets only the lower one is asked about, if both are further apart than the limit.
            (_, false) if is_apart && above > lower.max(Standing::Excused) => "unknown",
            (Standing::Open, false) => "unknown",
            (Standing::Met, _) => "ok",
            _ => "unusual",
        };
        prop_assert_eq!(verdict, expected, "{} of {:?}", received, trade.worth());
        // Gas that nobody can value is a question for itself.
        let is_by_gas = expected == "unknown" && !(is_apart && above > lower.max(Standing::Excused));
        let reason = if is_by_gas { Reason::GasUnjudged } else { Reason::ReferencesDisagree };
        prop_assert_eq!(judgement.question.map(|question| question.reason), (expected == "unknown").then_some(reason));
    }

    #[test]
    fn the_distance_that_is_told_is_that_of_the_amounts(trade in trade(), millionths in millionths()) {
        let received = trade.received(millionths);
        let judged = judge(PRICE, &trade.references(), &trade.deal(received));
        let told = below_bps(&trade.references(), &trade.deal(received));
        // The reference that is missed is the one that is named, where they disagree.
        let is_disputed = judged.question.is_some_and(|question| question.reason == Reason::ReferencesDisagree);
        let shown = Trade { is_upper: is_disputed, ..trade };
        let (worth, got) = (shown.worth(), Ratio::whole(received));
        let unsure = worth.over(Ratio(two_to(48), Wide::from(1)));
        let bps = |Ratio(above, below): Ratio| above * Wide::from(10_000) / below;
        // Rounded up below the references, and down above them.
        let exact = |worth: Ratio| match got.is_below(worth) {
            true => 10_000 - bps(got.over(worth)).to::<i64>(),
            false => -bps(got.minus(worth).over(worth)).to::<i64>(),
        };
        prop_assert!((exact(worth.minus(unsure))..=exact(worth.plus(unsure))).contains(&told), "{}", told);
    }

    #[test]
    fn a_higher_price_accepts_nothing_more_and_a_lower_one_refuses_nothing_more(
        trade in trade(),
        millionths in millionths(),
        at in any::<prop::sample::Index>(),
        billionths in prop_oneof![1..=1_000_u64, 1_000..=1_000_000_000_u64],
        is_recent in any::<bool>(),
    ) {
        let received = trade.received(millionths);
        let (low, mut high) = (trade.references(), trade.references());
        let reference = &mut high.answered[at.index(low.answered.len())];
        let moved = if is_recent { &mut reference.price.recent } else { &mut reference.price.long };
        let [whole, larger] = [1_000_000_000, 1_000_000_000 + billionths].map(|part| PriceFloat::of(U256::from(part)));
        *moved = moved.times(larger.over(whole));
        *reference = ReferencePrice::of(reference.by, reference.price);
        let deal = trade.deal(received);
        prop_assert!(!is_refused(&low, &deal) || is_refused(&high, &deal));
        let is_disputed = |references: &PriceReferences| judge(PRICE, references, &deal).verdict.name() == "unknown";
        prop_assert!(is_disputed(&low) || is_disputed(&high) || below_bps(&low, &deal) <= below_bps(&high, &deal));
    }

    #[test]
    fn who_gets_more_or_gives_less_is_refused_nothing_more(
        trade in trade(),
        millionths in millionths(),
        more in 1..=1_000_000_u64,
        less in any::<u128>(),
    ) {
        let (received, references) = (trade.received(millionths), trade.references());
        let deal = trade.deal(received);
        let (more, spent) = (received + U256::from(more), trade.spent - U256::from(less) % trade.spent);
        // As quoted it is the same.
        for better in [trade.deal(more), Deal { spent, ..trade.deal(received) }] {
            prop_assert!(is_refused(&references, &deal) || !is_refused(&references, &better));
        }
    }

    #[test]
    fn both_amounts_times_the_same_are_judged_the_same(
        trade in trade(),
        millionths in millionths(),
        by in (1..=1_000_000_000_u64).prop_map(U256::from),
    ) {
        let received = trade.received(millionths);
        let bounds = [trade.limit_bps];
        let gas = [U256::ZERO, trade.proven(), trade.stated_gas.unwrap_or_default()];
        let is_near = |one: U256| {
            [false, true].iter().any(|is_upper| {
                let trade = Trade { is_upper: *is_upper, ..trade.clone() };
                let is_unsure = |bound: &u16, gas: &U256| trade.is_missed(one, *bound, *gas).is_none();
                trade.is_apart().is_none() || bounds.iter().any(|bound| gas.iter().any(|gas| is_unsure(bound, gas)))
            })
        };
        // Few units: one that is rounded decides.
        if trade.spent < U256::from(u64::MAX) || received < U256::from(1_000_000_000_000_000_u64) || is_near(received) {
            return Ok(());
        }
        let times = |gas: Option<U256>| gas.map(|gas| gas * by);
        let (gas, stated_gas) = (times(trade.gas), times(trade.stated_gas));
        let larger = Trade { spent: trade.spent * by, gas, stated_gas, ..trade.clone() };
        for is_upper in [false, true] {
            for bps in [trade.loss_bps, trade.loss_bps.min(1_500)] {
                let [one, other] = [&trade, &larger].map(|trade| Trade { is_upper, ..trade.clone() }.loses(bps));
                if one != other {
                    return Ok(());
                }
            }
        }
        let verdict = judge(PRICE, &trade.references(), &trade.deal(received)).verdict.name();
        prop_assert_eq!(judge(PRICE, &larger.references(), &larger.deal(received * by)).verdict.name(), verdict);
    }

    #[test]
    fn of_three_one_alone_moves_nothing_beyond_the_two_others(two in [real(), real()], liar in real()) {
        let median = answered(&[two[0], liar, two[1]]).price().unwrap();
        prop_assert!(two[0].min(two[1]) <= median && median <= two[0].max(two[1]));
    }

    #[test]
    fn an_even_number_of_references_asks_for_less(two in [real(), real()], more in prop::option::of([real(), real()])) {
        prop_assert_eq!(answered(&two).price(), Some(two[0].min(two[1])));
        // The second of four from below.
        let Some(more) = more else { return Ok(()) };
        let mut four = [two, more].concat();
        let median = answered(&four).price();
        four.sort();
        prop_assert_eq!(median, Some(four[1]));
        four.reverse();
        prop_assert_eq!(answered(&four).price(), median);
    }

    #[test]
    fn both_means_have_to_be_missed(
        long in prop::collection::vec(real(), 1..6),
        recent in prop::collection::vec(real(), 6),
    ) {
        let both = long.iter().zip(&recent).map(|(long, recent)| Price { long: *long, recent: *recent });
        let answered_of_both = both.map(|price| ReferencePrice::of(ReferenceKind::Pools, price));
        let references = PriceReferences { answered: answered_of_both.collect(), ..PriceReferences::default() };
        let alone = [&long, &recent[..long.len()]].map(|prices| answered(prices).price().unwrap());
        prop_assert_eq!(references.price(), Some(alone[0].min(alone[1])));
    }

    #[test]
    fn ways_that_are_further_apart_than_the_limit_have_a_vote_each(
        three in [real(), real(), real()],
        limit in 0..=10_000_u16,
    ) {
        let mut three = three;
        three.sort();
        let [least, middle, most] = three;
        let pools = |price: PriceFloat| ReferencePrice { range: (least, most), ..reference(ReferenceKind::Pools, price) };
        let of = |price: PriceFloat| PriceReferences { answered: vec![pools(price)], ..PriceReferences::default() }.prices(limit).unwrap();
        // The deepest way counts, and both others if they are far from it.
        let apart = |less, more| is_apart(less, more, limit);
        let lower = if apart(least, middle) { least } else { middle };
        prop_assert_eq!(of(middle), (lower, if apart(middle, most) { most } else { middle }));
        prop_assert_eq!(of(least), if apart(least, most) { (least, most) } else { (least, least) });
        prop_assert_eq!(of(most), if apart(least, most) { (least, most) } else { (most, most) });
    }

    #[test]
    fn what_pools_give_now_is_shown_and_refuses_nothing(
        now in real(),
        amounts in [1..=u128::MAX, 1..=u128::MAX],
        limit_bps in 0..=2_000_u16,
        [needs_reference, is_bound] in [any::<bool>(), any::<bool>()],
    ) {
        let token = token(TOKEN, 18);
        let [spent, received] = amounts.map(U256::from);
        let deal = Deal { limit_bps, needs_reference, is_bound, ..deal(&token, &token, (spent, received)) };
        let unanswered = vec![(ReferenceKind::Pools, Why::NoHistory)];
        let references = PriceReferences { unanswered, now: Some(now), ..PriceReferences::default() };
        let judgement = judge(PRICE, &references, &deal);
        let [without, with] = [None, Some(now)].map(|now| judge(PRICE, &PriceReferences { now, ..references.clone() }, &deal).verdict);
        prop_assert_eq!(with, without);
        let Some(question) = judgement.question else {
            prop_assert!(is_bound || needs_reference);
            return Ok(());
        };
        let due = Ratio::of(now).times(Ratio::whole(spent)).times(kept(limit_bps));
        let is_far = Ratio::whole(received + U256::from(1)).is_below(due);
        if !due.is_near(Ratio::whole(received + U256::from(1)), 48) {
            prop_assert_eq!(question.reason, if is_far { Reason::ReferenceSilent } else { Reason::NoReference });
        }
        prop_assert!(question.text.contains("The pool's price now would give "), "{}", question.text);
    }

    #[test]
    fn depth_that_was_seen_now_only_is_none_to_rely_on(
        held_secs in 0..=2_u64,
        price in 1..=u64::from(u32::MAX),
        other in any::<bool>(),
    ) {
        let token = token(TOKEN, 18);
        let (price, received) = (PriceFloat::of(U256::from(price)), U256::from(price) * U256::from(1_000_000));
        let deal = Deal { needs_reference: true, limit_bps: 1, ..deal(&token, &token, (U256::from(1_000_000), received)) };
        let pools = ReferencePrice { held_secs, pools: 1, ..reference(ReferenceKind::Pools, price) };
        let feeds = other.then(|| reference(ReferenceKind::Feeds, price));
        let references = PriceReferences { answered: [pools].into_iter().chain(feeds).collect(), ..PriceReferences::default() };
        prop_assert_eq!(is_refused(&references, &deal), held_secs == 0 && !other);
        let lax = Deal { needs_reference: false, ..deal };
        prop_assert!(!is_refused(&references, &lax));
    }

    #[test]
    fn without_a_reference_it_is_unknown_or_refused_if_one_is_required(
        amounts in [amount(), amount()],
        [needs_reference, is_named, is_bound, asks] in [any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()],
        why in prop::sample::select(vec![Why::None, Why::NoHistory, Why::Unasked, Why::Silent, Why::Unread]),
    ) {
        let token = token(TOKEN, 18);
        let unjudged = deal(&token, &token, (amounts[0], amounts[1]));
        let deal = Deal { needs_reference, is_named, is_bound, asks, ..unjudged };
        let references = PriceReferences { unanswered: vec![(ReferenceKind::Feeds, why)], ..PriceReferences::default() };
        let judgement = judge(PRICE, &references, &deal);
        let is_answered = is_named || is_bound;
        let expected = if needs_reference && !is_answered { "mismatch" } else { "unknown" };
        prop_assert_eq!(judgement.verdict.name(), expected);
        // Trades that no reference judges are asked about, unless the caller answered by a bound.
        let reason = if why >= Why::Silent { Reason::ReferenceSilent } else { Reason::NoReference };
        let expected = (asks && !is_answered && !needs_reference).then_some(reason);
        prop_assert_eq!(judgement.question.map(|question| question.reason), expected);
    }

    #[test]
    fn the_callers_own_price_refuses_more_and_never_less(trade in trade(), millionths in millionths(), own in real()) {
        let (received, others) = (trade.received(millionths), trade.references());
        let mut all = others.clone();
        all.answered.push(reference(ReferenceKind::Prices, own));
        let deal = trade.deal(received);
        prop_assert_eq!(all.price(), others.price().max(Some(own)));
        prop_assert!(!is_refused(&others, &deal) || is_refused(&all, &deal));
    }
}

/// The tokens' addresses with their decimals, as `tests/vectors/reference-pools.json` has them.
fn listed(row: &JsonAt<'_>, name: &'static str) -> Token {
    let [address, decimals]: [JsonAt<'_>; 2] =
        row.get(name).items().unwrap().collect::<Vec<_>>().try_into().ok().unwrap();
    token(address.address().unwrap(), decimals.integer(24).unwrap() as u8)
}

#[test]
fn pools_are_found_and_priced_as_by_uniswaps_own_library() {
    let rows = parse(include_str!("../../../../tests/vectors/reference-pools.json")).unwrap();
    let mut seen = [0, 0];
    for row in JsonAt::input(&rows, "rows").items().unwrap() {
        let texts = |name: &'static str| {
            row.get(name).items().unwrap().map(|at| at.text().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let (dollar, other) = (listed(&row, "dollar"), listed(&row, "other"));
        let sources = Sources {
            wrapped: Address::ZERO,
            dollars: vec![(dollar.address, dollar.decimals)],
            feeds: vec![],
            ..sources()
        };
        let question = LensCall::of(sources, &[dollar.address, other.address]);
        let pool = row.get("pool").address().unwrap();
        assert_eq!(question.pools.iter().filter(|place| place.address == pool).count(), 1, "{pool}");
        let number = |text: &String| match text.strip_prefix('-') {
            Some(size) => size.parse::<U256>().unwrap().wrapping_neg(),
            None => text.parse().unwrap(),
        };
        let mut words: Vec<U256> = texts("words").iter().map(number).collect();
        // How deep it is follows from its past alone.
        words.splice(1..1, [U256::ZERO, U256::MAX]);
        let said =
            question.pools.iter().map(|place| if place.address == pool { words.clone() } else { vec![U256::ZERO] });
        let answer: Vec<Vec<U256>> = [block(1_000, 500)].into_iter().chain(said).collect();
        let reading = read_by(&question, [&bytes(&answer), &bytes(&[block(1_000, 500)])]).unwrap();
        for (name, src, dest) in [("there", &other, &dollar), ("back", &dollar, &other)] {
            let answered = PriceReferences::of((1, src, Some(&reading)), (1, dest, Some(&reading))).answered;
            let is_deep = row.get("isDeep").bool().unwrap();
            assert_eq!(answered.len(), usize::from(is_deep), "{pool}");
            seen[usize::from(is_deep)] += 1;
            for reference in answered {
                let shown = |price: PriceFloat| price.times(whole_units(src, dest)).digits(6);
                assert_eq!([shown(reference.price.long), shown(reference.price.recent)][..], texts(name), "{pool}");
                assert_eq!(U256::from(reference.window_secs), words[0]);
            }
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}
