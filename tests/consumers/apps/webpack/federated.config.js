import webpack from "webpack";

const { ModuleFederationPlugin } = webpack.container;
const shared = { "verified-swap": { singleton: true } };
const built = (name, entry, federated) => ({
  name,
  entry,
  mode: "production",
  target: ["web", "es2022"],
  output: { uniqueName: name, publicPath: name === "host" ? "/" : `/${name}/`, path: `${import.meta.dirname}/dist${name === "host" ? "" : `/${name}`}` },
  plugins: [new ModuleFederationPlugin({ name, shared, ...federated })],
});

export default [
  built("remote", {}, { filename: "remote.js", exposes: { "./swap": "./federated.js" } }),
  built("host", { app: "./host.js" }, { remotes: { remote: "remote@/remote/remote.js" } }),
];
