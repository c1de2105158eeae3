/* A page in a browser that a WebDriver steers, in those words of Playwright that the steps of tests/e2e have for a swap. */

/** Within this a page answers, milliseconds. */
const PATIENCE_MS = 30_000;

/** The page changes while it is looked at: found again, pressed again. */
const PASSING = ["stale element reference", "element not interactable", "element click intercepted", "no such element"];

/** Runs in the page: the elements that a locator's steps lead to, each step from what the one before it found. */
function find(steps) {
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true });
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const says = (text, wanted, isExact) => {
    if (wanted.source !== undefined) return new RegExp(wanted.source, wanted.flags).test(plain(text));
    return isExact ? plain(text) === plain(wanted) : plain(text).toLowerCase().includes(plain(wanted).toLowerCase());
  };
  const nameOf = (node) => node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;
  const inside = (node) => [...node.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
  let found = [document];
  for (const { css, index, hasText, hasNotText, name, exact, checked } of steps) {
    // Each part of a selector within what the part before it found, shadow roots too.
    for (const part of css?.split(" ") ?? []) {
      const within = found.flatMap((node) => [...inside(node), ...(node.shadowRoot ? inside(node.shadowRoot) : [])]);
      found = [...new Set(within)].filter((node) => node.matches(part));
    }
    if (hasText !== undefined) found = found.filter((node) => says(node.textContent, hasText));
    if (hasNotText !== undefined) found = found.filter((node) => !says(node.textContent, hasNotText));
    if (name !== undefined) found = found.filter((node) => isSeen(node) && says(nameOf(node), name, exact));
    if (checked !== undefined) found = found.filter((node) => node.checked === checked);
    if (index !== undefined) found = found.slice(index, index + 1);
  }
  return { count: found.length, seen: found.find(isSeen) ?? null };
}

export class Tab {
  constructor(driver) {
    this.driver = driver;
  }

  async goto(url) {
    this.url = url;
    await this.driver.open(url);
  }

  reload() {
    return this.driver.open(this.url);
  }

  /** A function's result inside the page. */
  evaluate(run, given = null) {
    return this.driver.execute(`return (${run})(arguments[0])`, [given]);
  }

  locator(css, options) {
    return new Locator(this, []).locator(css, options);
  }

  getByRole(role, options) {
    return new Locator(this, []).getByRole(role, options);
  }
}

class Locator {
  constructor(tab, steps) {
    this.tab = tab;
    this.steps = steps;
  }

  locator(css, options) {
    return this.#then({ css, ...worded(options) });
  }

  filter(options) {
    return this.#then(worded(options));
  }

  nth(index) {
    return this.#then({ index });
  }

  first() {
    return this.nth(0);
  }

  getByRole(role, { level, name, exact, checked }) {
    const css = { heading: level && `h${level}`, button: "button", checkbox: "input[type=checkbox]" }[role];
    if (!css) throw new Error(`the tab cannot find a ${role}: teach it, in tests/engines/tab.mjs`);
    return this.#then({ css, ...worded({ name }), exact, checked });
  }

  /** Until it can be seen, or is gone. */
  async waitFor({ state = "visible" } = {}) {
    await this.#until(async () => {
      const { count, seen } = await this.#found();
      return state === "detached" ? count === 0 : seen !== null;
    });
  }

  async count() {
    return (await this.#found()).count;
  }

  async click() {
    await this.#until(async () => {
      const { seen } = await this.#found();
      if (seen) await this.tab.driver.click(seen);
      return seen !== null;
    });
  }

  async textContent() {
    await this.waitFor();
    return this.tab.driver.execute("return arguments[0].textContent", [(await this.#found()).seen]);
  }

  async innerText() {
    await this.waitFor();
    return this.tab.driver.execute("return arguments[0].innerText", [(await this.#found()).seen]);
  }

  #then(step) {
    return new Locator(this.tab, [...this.steps, step]);
  }

  #found() {
    return this.tab.evaluate(find, this.steps);
  }

  async #until(attempt) {
    for (const start = Date.now(); ; ) {
      const isDone = await attempt().catch((error) => {
        if (!PASSING.includes(error.code)) throw error;
      });
      if (isDone) return;
      if (Date.now() - start > PATIENCE_MS) {
        const page = await this.tab.evaluate(() => document.body.innerText);
        throw new Error(`waited in vain for ${JSON.stringify(this.steps)}; the page says:\n${page}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Patterns as what a WebDriver can carry. An option unknown to the tab is an error, not passed over. */
function worded(options = {}) {
  for (const name of Object.keys(options)) {
    if (!["hasText", "hasNotText", "name"].includes(name)) throw new Error(`the tab knows no ${name}: teach it, in tests/engines/tab.mjs`);
  }
  const carried = (value) => (value instanceof RegExp ? { source: value.source, flags: value.flags } : value);
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, carried(value)]));
}
