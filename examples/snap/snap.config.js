/** For `mm-snap` of @metamask/snaps-cli. */
export default { input: "src/index.js", output: { path: "dist" } };
