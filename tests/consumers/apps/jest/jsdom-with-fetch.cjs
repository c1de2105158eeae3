const { TestEnvironment } = require("jest-environment-jsdom");

/** jsdom has no `fetch`: an app whose tests need it gives them Node's. */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.fetch = fetch;
  }
};
