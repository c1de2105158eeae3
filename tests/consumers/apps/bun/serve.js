import byDefault from "./index.html";
import inlined from "./inlined.html";

Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), development: process.env.NODE_ENV !== "production", routes: { "/": byDefault, "/inlined": inlined } });
