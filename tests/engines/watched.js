// Runs before the page's own script, and notes for the test what the browser objects to and when the wallet opens.
const noted = (kind, text) => {
  const notes = JSON.parse(sessionStorage.getItem(kind) ?? "[]");
  sessionStorage.setItem(kind, JSON.stringify([...notes, text]));
};

addEventListener("error", ({ message, filename }) => noted("complaints", `${message} (${filename})`));
addEventListener("unhandledrejection", ({ reason }) => noted("complaints", `unhandled: ${reason}`));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  noted("complaints", `Content-Security-Policy: ${violatedDirective} ${blockedURI}`),
);
for (const level of ["error", "warn"]) console[level] = (...words) => noted("complaints", `console.${level}: ${words.join(" ")}`);

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node.className === "prompt") noted("prompts", node.querySelector("h2").textContent);
  }
}).observe(document, { childList: true, subtree: true });
