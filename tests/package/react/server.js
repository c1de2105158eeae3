/** A server's render of the app: printed with what it asked for meanwhile. */
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
import { App } from "./app.js";

const asked = [];
for (const name of ["fetch", "setTimeout", "setInterval"]) globalThis[name] = (...given) => asked.push([name, String(given[0])]);
for (const name of ["compile", "instantiate"]) WebAssembly[name] = () => asked.push([name]);
const html = renderToString(h(App, { settings: JSON.parse(process.env.SETTINGS) }));
console.log(JSON.stringify({ html, asked }));
