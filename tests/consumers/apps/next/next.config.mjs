// The folder that this one lies in has a lock file, too, for which Next would take it to be the app.
export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname };
