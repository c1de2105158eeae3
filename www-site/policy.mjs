/** The Content-Security-Policy of every page of the site: nothing but its own files. The module of the checks is the one that is fetched. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'";
