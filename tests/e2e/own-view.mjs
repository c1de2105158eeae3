/** The value beside this name in the details. */
export function detail(swap, name) {
  const row = swap.page
    .locator(".stage:visible .details .row:visible")
    .filter({ has: swap.page.locator("dt", { hasText: new RegExp(`^${name}$`) }) });
  return row.locator("data");
}

export async function cancelHere(swap) {
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.heading("Cancelled").waitFor();
}

/** What the page remembers of the order, with another hash. */
export function misremember(swap, more) {
  return swap.page.evaluate((changes) => {
    const [order] = JSON.parse(localStorage.getItem("orders-in-flight"));
    localStorage.setItem(
      "orders-in-flight",
      JSON.stringify([{ ...order, orderHash: `0x${"12".repeat(32)}`, ...changes }]),
    );
  }, more);
}
