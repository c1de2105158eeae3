/* A page in a browser that a WebDriver steers: what a person sees of it, and presses. */

/** Within this a page answers, milliseconds. */
const PATIENCE_MS = 30_000;

/** The page changes while it is looked at: found again, pressed again. */
const PASSING = ["stale element reference", "element not interactable", "element click intercepted", "no such element"];

const FIND = `
  const [selector, text] = arguments;
  return [...document.querySelectorAll(selector)].find((node) => node.checkVisibility() && node.textContent.includes(text)) ?? null;`;

export class Tab {
  constructor(driver) {
    this.driver = driver;
  }

  open(url) {
    return this.driver.open(url);
  }

  /** The value of a function's body inside the page. */
  run(script, ...args) {
    return this.driver.execute(script, args);
  }

  /** What `selector` finds, can be seen and has this text in it, once there is one. */
  find(selector, text = "") {
    return this.#until(`${selector} ${JSON.stringify(text)}`, () => this.run(FIND, selector, text));
  }

  async press(selector, text = "") {
    await this.#until(`a press on ${selector} ${JSON.stringify(text)}`, async () => {
      const found = await this.run(FIND, selector, text);
      if (!found) return false;
      await this.driver.click(found);
      return true;
    });
  }

  async text(selector) {
    return this.run("return arguments[0].textContent", await this.find(selector));
  }

  async #until(what, attempt) {
    const start = Date.now();
    for (;;) {
      const found = await attempt().catch((error) => {
        if (!PASSING.includes(error.code)) throw error;
      });
      if (found) return found;
      if (Date.now() - start > PATIENCE_MS) throw new Error(`waited in vain for ${what}; the page says:\n${await this.run("return document.body.innerText")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
