/** The real window. The app's own is a copy, which the test does not see. */
const page = document.defaultView;

export const settings = page.settings;

/** Reports to the test how the work went. */
export const report = (work) =>
  work.then(
    (value) => (page.result = { value }),
    (error) => (page.result = { error: `${error.code ?? ""} ${error.field ?? ""} ${error.stack} ${error.message}` }),
  );
