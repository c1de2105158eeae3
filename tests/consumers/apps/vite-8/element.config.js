export default { build: { rollupOptions: { input: "element.html" }, outDir: "dist-element" } };
