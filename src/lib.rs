//! verified-swap
