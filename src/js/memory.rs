//! The allocator: blocks of powers of two, kept in one list for each size.
//!
//! What this package holds is small and short-lived, so that blocks are used again all the time and need neither be split
//! nor joined: a tenth of the code of an allocator that does both, for at most twice the memory.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

/// Smallest block, 16 bytes, as a power of two.
const LEAST: u32 = 4;
/// WebAssembly's pages, as a power of two.
const PAGE: u32 = 16;

/// The lists of free blocks, by the power of two, and the bytes that were never in use.
pub struct Blocks(UnsafeCell<State>);

struct State {
    free: [*mut u8; 32],
    next: usize,
    end: usize,
}

// SAFETY: without threads it is only ever entered by one.
unsafe impl Sync for Blocks {}

impl Blocks {
    /// Without any memory yet.
    pub const fn new() -> Blocks {
        Blocks(UnsafeCell::new(State { free: [null_mut(); 32], next: 0, end: 0 }))
    }
}

/// The power of two that holds the layout and is aligned as it asks.
fn power(layout: Layout) -> u32 {
    let size = layout.size().max(layout.align()).max(1 << LEAST);
    usize::BITS.saturating_sub(size.saturating_sub(1).leading_zeros())
}

impl State {
    /// Fresh bytes, aligned to their size within a page.
    fn fresh(&mut self, power: u32) -> Option<*mut u8> {
        let size = 1_usize.checked_shl(power)?;
        let align = size.min(1 << PAGE);
        let mut start = self.next.checked_next_multiple_of(align)?;
        if start.checked_add(size)? > self.end {
            let pages = size.div_ceil(1 << PAGE);
            let before = core::arch::wasm32::memory_grow(0, pages);
            if before == usize::MAX {
                return None;
            }
            let grown = before.checked_shl(PAGE)?;
            // Where nobody else has asked for memory in between, what was left goes on into the new pages.
            if grown != self.end || start > self.end {
                start = grown;
            }
            self.end = grown.checked_add(pages.checked_shl(PAGE)?)?;
        }
        self.next = start.checked_add(size)?;
        Some(start as *mut u8)
    }
}

// SAFETY: a block is handed out by one list entry or by `fresh`, which moves on past it; it is at least as large and as
// aligned as the layout, up to a page, above which no type is aligned; its first bytes hold the list only while it is free.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let power = power(layout);
        // SAFETY: nothing else holds a reference: no code is entered from here.
        let state = unsafe { &mut *self.0.get() };
        let Some(first) = state.free.get_mut(power as usize) else { return null_mut() };
        if first.is_null() {
            return state.fresh(power).unwrap_or(null_mut());
        }
        let block = *first;
        // SAFETY: a free block's first bytes are the next free block's address.
        *first = unsafe { *block.cast::<*mut u8>() };
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        let state = unsafe { &mut *self.0.get() };
        if let Some(first) = state.free.get_mut(power(layout) as usize) {
            // SAFETY: the caller gives the block up, and it holds 16 bytes or more.
            unsafe { *block.cast::<*mut u8>() = *first };
            *first = block;
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps to the rules of `Layout`.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if power(wanted) == power(layout) {
            return block;
        }
        // SAFETY: both blocks hold what is copied, and are not the same.
        unsafe {
            let new = self.alloc(wanted);
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}
