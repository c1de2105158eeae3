//! Market swaps: priced, made, and really sent.

mod building;
mod distorting;
mod pricing;
mod quoting;
mod router;
mod swap;
mod trading;
