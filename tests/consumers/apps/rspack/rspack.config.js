export default { mode: "production", entry: { app: "./app.js" }, output: { filename: "[name].js", publicPath: "/" } };
