/** An app's script as a library, with the package inside or left to its user. */
export default ({ mode }) => ({
  build: {
    lib: { entry: "app.js", formats: ["es"], fileName: () => "app.js" },
    rollupOptions: { external: mode === "external" ? ["verified-swap"] : [] },
  },
});
