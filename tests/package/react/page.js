/** Mounts the app in the page: by itself, or on what a server made of it. */
import { createElement as h } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, seen } from "./app.js";

const { settings } = window;
/** The wallet of the test, whose answers it may hold back, and whose listeners are counted. */
const listeners = new Map();
const wallet = {
  async request(args) {
    const asked = ["eth_signTypedData_v4", "eth_sendTransaction"].includes(args.method);
    if (asked && window.holds === args.method) await new Promise((resolve) => (window.answer = resolve));
    return window.ethereum.request(args);
  },
  on: (event, listener) => listeners.set(listener, event),
  removeListener: (event, listener) => listeners.delete(listener),
};
const container = document.getElementById("root");
const root = container.firstChild ? hydrateRoot(container, h(App, { settings })) : createRoot(container);
const render = (props) => root.render(h(App, { settings, wallet, ...props }));
Object.assign(window, { seen, render, unmount: () => root.unmount(), listening: () => listeners.size });
// As an app does it: the package never asks a wallet to connect.
await window.ethereum.request({ method: "eth_requestAccounts" });
if (!container.firstChild) render();
