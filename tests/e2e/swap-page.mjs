import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";

/* The example page, in the words of someone who uses it. */

/** The sandbox's lies, in words. */
const LIES = {
  Honest: "none",
  Receiver: "receiver",
  Minimum: "minimum",
  Spender: "spender",
  Deadline: "deadline",
  Price: "price",
  "Market receiver": "marketReceiver",
  "Market minimum": "marketMinimum",
  "Market contract": "marketTo",
};

export class SwapPage {
  constructor(opened, sandbox, account, known) {
    this.known = known;
    this.opened = opened;
    this.page = opened.page;
    this.sandbox = sandbox;
    this.account = account;
    this.signatures = opened.countRpc?.("eth_signTypedData_v4");
    this.transactions = opened.countRpc?.("eth_sendTransaction");
  }

  /**
   * Opens the page with the sandbox wallet on `account`, and waits for the first price unless asked not to. `habits`
   * are those of the wallet with batches.
   */
  static async open(browser, sandbox, { account, habits = {}, priced, path, prepare, ...options } = {}) {
    account ??= await sandbox.nextAccount();
    const opened = await openPage(browser, {
      ...options,
      async prepare(page) {
        await page.addInitScript(
          (kept) => {
            for (const [name, value] of Object.entries(kept))
              if (!localStorage.getItem(name)) localStorage.setItem(name, JSON.stringify(value));
          },
          { "sandbox-wallet": { account, chainId: sandbox.chain.chainId }, "sandbox-wallet-habits": habits },
        );
        await prepare?.(page);
      },
    });
    return SwapPage.on(opened, sandbox, { account, priced, path });
  }

  /** The same in a page that has this account, of whatever browser. */
  static async on(opened, sandbox, { account, priced = true, path = "/" }) {
    const known = (await sandbox.orders(account)).map(({ id }) => id);
    const swap = new SwapPage(opened, sandbox, account, known);
    await opened.page.goto(new URL(path, sandbox.url).href);
    if (priced) await swap.priced();
    await swap.settledIn();
    return swap;
  }

  /** The account is funded, and what it holds has been read: after the first price. */
  settledIn() {
    return this.page.locator('main[data-settled="true"]').waitFor();
  }

  /** A page on which a limit order that cannot be filled has just been placed. */
  static async placed(browser, sandbox, options) {
    const swap = await SwapPage.open(browser, sandbox, options);
    await swap.tab("Limit");
    await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
    await swap.page.getByLabel("At least, in WETH").fill("0.05");
    await swap.place();
    await swap.heading("Order placed").waitFor();
    return swap;
  }

  /** The account's orders that came into being since this page was opened. */
  async newOrders() {
    return (await this.sandbox.orders(this.account)).filter(({ id }) => !this.known.includes(id));
  }

  /** The interface's one card. */
  get card() {
    return this.page.locator("verified-swap .card").first();
  }

  /** The step that comes next, in one sentence, and the list of those after it. */
  get step() {
    return this.card.locator(".review-step");
  }

  /** The exact sentence of what is agreed to. */
  get sentence() {
    return this.card.locator(".sentence");
  }

  /** The value beside this name. */
  figure(name) {
    const named = this.page.locator("dt", { hasText: typeof name === "string" ? new RegExp(`^${name}`) : name });
    return this.card.locator(".row").filter({ has: named }).locator("dd");
  }

  /** The amount beside this name, in raw units. */
  async amount(name) {
    return BigInt(await this.figure(name).locator("data").first().getAttribute("value"));
  }

  /** The account's latest trade in the list. */
  get latest() {
    return this.page.locator("verified-swap .activity li").first();
  }

  get payField() {
    return this.page.getByLabel("You pay", { exact: true });
  }

  get receiveField() {
    return this.page.getByLabel("You receive", { exact: true });
  }

  get main() {
    return this.card.locator("button.primary");
  }

  get message() {
    return this.card.locator("[role=alert]");
  }

  get prompt() {
    return this.page.locator("dialog.prompt");
  }

  heading(name) {
    return this.card.getByRole("heading", { level: 2, name });
  }

  /** The one button has this label, and can be pressed. */
  async ready(label) {
    const button = this.card.locator('button.primary:not([aria-disabled="true"])', { hasText: label });
    await this.#shows(button, `button "${label}"`);
  }

  /** A failure has the page's words. */
  async #shows(wanted, what, options) {
    await wanted.waitFor(options).catch(async (cause) => {
      throw new Error(`No ${what}. The page: ${await this.card.innerText()}`, { cause });
    });
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

  async choose(side, symbol, network) {
    await this.page.getByRole("button", { name: new RegExp(`^You ${side}: .*Choose`) }).click();
    const dialog = this.page.getByRole("dialog", { name: side === "pay" ? "Pay with" : "Receive" });
    if (network) await dialog.getByRole("radio", { name: network }).check({ force: true });
    await dialog.getByRole("option", { name: new RegExp(`^${symbol}`) }).click();
  }

  /** Chooses another account in the sandbox wallet, by its address or its kind, and waits for a price for it. */
  async useAccount(choice) {
    const button = this.page.locator("verified-swap .wallets-button");
    const before = await button.textContent();
    await this.page.getByLabel("Account", { exact: true }).selectOption(choice);
    if (choice !== this.account) await button.filter({ hasNotText: before }).waitFor();
    // The price stays with another account: the page is settled by the next one.
    await this.refresh();
    await this.settledIn();
    await this.priced();
    this.account = await this.page.evaluate(() => JSON.parse(localStorage.getItem("sandbox-wallet")).account);
  }

  /** Shows the form of another kind of trade. */
  async tab(name) {
    await this.page.getByRole("navigation").getByRole("button", { name, exact: true }).click();
  }

  /** Chooses something of the settings: a path, a permit. */
  async set(choice) {
    const settings = await this.openSettings();
    await settings.getByRole("radio", { name: choice, exact: true }).check({ force: true });
    await this.page.keyboard.press("Escape");
    // As long as it is open, nothing behind it takes a key.
    await settings.waitFor({ state: "detached" });
  }

  /** Opens the settings, and answers with their dialog. */
  async openSettings() {
    await this.page.getByRole("button", { name: /^Settings/ }).click();
    return this.page.getByRole("dialog", { name: "Settings" });
  }

  /** The consent to an order over a bridge whose data is not read: for each build anew. */
  get bridgeTick() {
    return this.page.getByRole("checkbox", { name: /I trust the bridge with that\.$/, checked: false });
  }

  async review(what = "What you are signing") {
    await this.main.click();
    await this.#shows(this.heading(what), `heading "${what}"`);
    if (await this.bridgeTick.count()) await this.bridgeTick.click();
    // A click before that is lost, as a person's is.
    await this.card.locator('button.primary:not([aria-disabled="true"])').waitFor();
  }

  /** Lets the package's clock skip that time. */
  pass(ms) {
    return this.page.evaluate((ms) => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + ms;
    }, ms);
  }

  /** Review of an order, the approval, the signature. */
  async approveAndSign() {
    await this.review();
    await this.main.click();
    await this.approveInWallet();
    await this.signInWallet();
  }

  /** Review of a transaction, approval if asked, the transaction itself, its confirmation. */
  async send({ approve = true } = {}) {
    await this.review("What you are sending");
    await this.sendReviewed({ approve });
  }

  async sendReviewed({ approve = true } = {}) {
    await this.main.click();
    if (approve) await this.approveInWallet();
    await this.sendInWallet();
    await this.ended("Confirmed");
  }

  /** The transaction or order is at this end. */
  ended(heading) {
    return this.heading(heading).waitFor();
  }

  /** Review, approval if asked, signature: an order that rests is with the service. */
  async place({ approve = true } = {}) {
    await this.ready("Review order");
    await this.review();
    await this.main.click();
    if (approve) await this.approveInWallet();
    await this.signInWallet();
  }

  sendInWallet() {
    return this.answer("Send this transaction?", "Send");
  }

  /** Presses a button of the wallet's prompt, once one with this title is open. */
  async answer(title, button) {
    const prompt = this.prompt.filter({ hasText: title });
    await this.#shows(prompt, `prompt "${title}"`);
    await prompt.getByRole("button", { name: button, exact: true }).click();
    await prompt.waitFor({ state: "detached" });
  }

  /** As many calls in one prompt. */
  sendCallsInWallet(count = 2) {
    return this.answer(`Send these ${count} calls?`, "Send");
  }

  /** Approves, and confirms what is reviewed after it. */
  async approveInWallet() {
    await this.answer(/Approve \w+\?/, "Approve");
    await this.nextStep();
  }

  /** The step of a trade after this one: reviewed, and confirmed. */
  async nextStep(label = /^(Sign|Send|Sign the permit|Send your consent)$/) {
    await this.ready(label);
    await this.main.click();
  }

  /** Reviews the deposit of a native sale, and sends it. */
  async depositInWallet() {
    await this.nextStep(/^Deposit /);
    await this.sendInWallet();
  }

  /** The step that permits, before the wallet opens. */
  get permitStep() {
    return this.step.getByRole("heading", { name: /by a signature/ });
  }

  /** Reviews a permit, and signs it. */
  async permitInWallet() {
    await this.permitStep.waitFor();
    await this.nextStep("Sign the permit");
    await this.answer("Sign this permit?", "Sign");
  }

  /** Reviews a cancellation without gas, and answers the wallet. */
  async cancelInWallet(button = "Sign") {
    await this.heading("What you cancel").waitFor();
    await this.nextStep("Sign the cancellation");
    await this.answer("Sign this cancellation?", button);
  }

  /** The same by a transaction. */
  async cancelOnChain() {
    await this.heading("What you cancel").waitFor();
    await this.nextStep("Send the cancellation");
    await this.sendInWallet();
  }

  signInWallet() {
    return this.answer("Sign this order?", "Sign");
  }

  async settled() {
    await this.ended("Settled");
  }

  /** Review, approve if asked, sign, settle. */
  async swap(steps) {
    await this.review();
    await this.swapReviewed(steps);
  }

  /** The same of what is under review, or half-way. */
  async swapReviewed({ approve = true } = {}) {
    await this.main.click();
    if (approve) await this.approveInWallet();
    await this.signInWallet();
    await this.settled();
  }

  /** Presses Tab until the element with this name has the focus, and checks that its focus can be seen. */
  async tabTo(name) {
    for (let presses = 0; presses < 80; presses++) {
      await this.page.keyboard.press("Tab");
      const focused = await this.page.evaluate(() => {
        let node = document.activeElement;
        while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
        const label = node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;
        const ring = [node, node.closest(".form-field"), node.nextElementSibling].some(
          (one) => one && getComputedStyle(one).outlineStyle !== "none",
        );
        const { top, bottom } = node.getBoundingClientRect();
        return { label, ring, visible: bottom > 0 && top < innerHeight };
      });
      if (typeof name === "string" ? focused.label !== name : !name.test(focused.label)) continue;
      assert.ok(focused.ring, `${focused.label} shows its focus`);
      assert.ok(focused.visible, `${focused.label} is on the screen while it has the focus`);
      return;
    }
    assert.fail(`Tab never reaches ${name}`);
  }

  /** Tab to it, and press it. */
  async press(name, key = "Enter") {
    await this.tabTo(name);
    await this.page.keyboard.press(key);
  }

  /** From now on the service lies, without the demo; a form asks for its price again. */
  async lie(kind) {
    await this.sandbox.control("lie", { kind: LIES[kind] });
    await this.refresh();
  }

  /** A form asks for its price again. */
  async refresh() {
    const button = this.page.getByRole("button", { name: "Refresh", exact: true });
    if (!(await button.isVisible())) return;
    const isPrice = (response) => new URL(response.url()).pathname.endsWith("/quote");
    // Whatever is changed next is of no answer that is still on its way.
    await Promise.all([this.page.waitForResponse(isPrice), button.click()]);
  }

  /**
   * The price is held against the chain, and the next ones for a minute will be. One that came before the chain's answer
   * is judged when it is built.
   */
  async judged() {
    await this.priced();
    const unjudged = this.figure("Reference prices").filter({ hasText: "checked on review" });
    while (await unjudged.count()) {
      await this.refresh();
      await this.priced();
    }
  }

  /** How often the wallet's window has opened on this page. */
  prompts() {
    return this.page.evaluate(() => window.prompts);
  }

  async says(text) {
    // A client that is refused asks again for 30 s.
    await this.#shows(this.message.filter({ hasText: text }).first(), `message "${text}"`, { timeout: 45_000 });
  }

  close() {
    return this.opened.close();
  }
}
