import { index, route } from "@react-router/dev/routes";

export default [route("client", "routes/client.jsx"), route("server", "routes/server.jsx"), route("api/swap", "routes/swap.js")];
