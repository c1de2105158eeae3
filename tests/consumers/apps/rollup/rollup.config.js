import resolve from "@rollup/plugin-node-resolve";

export default { input: "app.js", output: { dir: "dist" }, plugins: [resolve({ browser: true })] };
