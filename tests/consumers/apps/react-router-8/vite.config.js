import { reactRouter } from "@react-router/dev/vite";

// Else the first visit finds the routes' dependencies, and reloads the page.
export default { plugins: [reactRouter()], optimizeDeps: { entries: ["app/**/*.{js,jsx}"] } };
