import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Built into the Python package, which serves it: `make page`.
export default defineConfig({
  base: "/page/",
  plugins: [react()],
  build: {
    outDir: "../src/palaver/server/page",
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0, // the policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "login.html", "docs.html", "problem.html"] },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["tests/setup.ts"],
    include: ["tests/**/*.test.{ts,tsx}"],
    restoreMocks: true,
  },
});
