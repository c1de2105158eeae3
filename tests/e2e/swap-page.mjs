import { openPage } from "./browser.mjs";

/* The example page, in the words of someone who uses it. */

export class SwapPage {
  constructor(opened, sandbox, account, known) {
    this.known = known;
    this.opened = opened;
    this.page = opened.page;
    this.sandbox = sandbox;
    this.account = account;
    this.signatures = opened.countRpc("eth_signTypedData_v4");
    this.transactions = opened.countRpc("eth_sendTransaction");
  }

  /** Opens the page with the sandbox wallet on `account`, and waits for the first price unless told not to. */
  static async open(browser, sandbox, { account, priced = true, prepare, ...options } = {}) {
    account ??= await sandbox.nextAccount();
    const known = (await sandbox.orders(account)).map(({ id }) => id);
    const opened = await openPage(browser, {
      ...options,
      async prepare(page) {
        await page.addInitScript(
          ([name, value]) => {
            if (!localStorage.getItem(name)) localStorage.setItem(name, value);
          },
          ["sandbox-wallet", JSON.stringify({ account, chainId: sandbox.chain.chainId })],
        );
        await prepare?.(page);
      },
    });
    const swap = new SwapPage(opened, sandbox, account, known);
    await opened.page.goto(sandbox.url);
    if (priced) await swap.priced();
    return swap;
  }

  /** The account's orders that came into being since this page was opened. */
  async newOrders() {
    return (await this.sandbox.orders(this.account)).filter(({ id }) => !this.known.includes(id));
  }

  get payField() {
    return this.page.getByLabel("You pay", { exact: true });
  }

  get receiveField() {
    return this.page.getByLabel("You receive", { exact: true });
  }

  get main() {
    return this.page.locator(".stage:visible button.primary");
  }

  get message() {
    return this.page.locator(".stage:visible .message");
  }

  get prompt() {
    return this.page.locator("dialog.prompt");
  }

  heading(name) {
    return this.page.getByRole("heading", { level: 1, name });
  }

  /** The one button says this, and can be pressed. */
  async ready(label) {
    await this.page.locator('.stage:visible button.primary[aria-disabled="false"]', { hasText: label }).waitFor();
  }

  priced() {
    return this.ready("Review swap");
  }

  async pay(amount, symbol) {
    if (symbol) await this.choose("pay", symbol);
    await this.payField.fill(amount);
    await this.priced();
  }

  async receive(amount) {
    await this.receiveField.fill(amount);
    await this.priced();
  }

  async choose(side, symbol) {
    await this.page.getByRole("button", { name: new RegExp(`^You ${side}: .*Choose`) }).click();
    await this.page.getByRole("dialog").getByRole("button", { name: new RegExp(`^${symbol}`) }).click();
  }

  async review() {
    await this.main.click();
    await this.heading("What you are signing").waitFor();
  }

  /** Presses a button of the wallet's prompt, once one with this title is open. */
  async answer(title, button) {
    const prompt = this.prompt.filter({ hasText: title });
    await prompt.waitFor();
    await prompt.getByRole("button", { name: button, exact: true }).click();
    await prompt.waitFor({ state: "detached" });
  }

  approveInWallet() {
    return this.answer(/Approve \w+\?/, "Approve");
  }

  signInWallet() {
    return this.answer("Sign this order?", "Sign");
  }

  async settled() {
    await this.heading("Settled").waitFor();
    await this.page.locator(".balances tbody tr").first().locator("td").nth(1).filter({ hasNotText: "–" }).waitFor();
  }

  /** Review, approve if asked, sign, settle. */
  async swap({ approve = true } = {}) {
    await this.review();
    await this.main.click();
    if (approve) await this.approveInWallet();
    await this.signInWallet();
    await this.settled();
  }

  async lie(kind) {
    await this.page.getByRole("radio", { name: kind }).check({ force: true });
  }

  /** How often the wallet's window has opened on this page. */
  prompts() {
    return this.page.evaluate(() => window.prompts);
  }

  async says(text) {
    await this.message.filter({ hasText: text }).waitFor();
  }

  close() {
    return this.opened.close();
  }
}
