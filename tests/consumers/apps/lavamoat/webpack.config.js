import LavaMoat from "@lavamoat/webpack";

export default ({ entry }) => ({
  mode: "production",
  entry,
  output: { filename: "app.js", publicPath: "/", clean: true },
  performance: { hints: false },
  plugins: [new LavaMoat({ generatePolicy: true })],
});
