export default { ssr: { noExternal: true }, build: { ssr: "main.js", outDir: "server" } };
