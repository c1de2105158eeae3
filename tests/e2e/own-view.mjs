/** The value beside this name in the details. */
export function detail(swap, name) {
  const row = swap.page
    .locator(".stage:visible .details .row:visible")
    .filter({ has: swap.page.locator("dt", { hasText: new RegExp(`^${name}$`) }) });
  return row.locator("data");
}

export async function cancelHere(swap) {
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
}

/** Opens the latest order of the list, one that rests. */
export async function openLatest(swap) {
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
}
