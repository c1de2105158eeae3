addEventListener("message", ({ data: { result } }) => (window.result ??= result));
postMessage({ settings: window.settings });
