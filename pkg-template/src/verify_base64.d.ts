/** The module in base64, which assemble.mjs writes. */
declare const base64: string;
export default base64;
