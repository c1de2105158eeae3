export default { mode: "production", entry: "./app.js", output: { filename: "app.js", publicPath: "/" }, performance: { hints: false } };
