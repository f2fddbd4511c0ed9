/** How the UI is built and its units are tested. One bundle serves the window and `deputy serve`. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: "src",
  // Relative, so that the same files work at any address.
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    // The page's content policy takes fonts from the host only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: "jsdom",
    include: ["**/*.test.ts", "**/*.test.tsx"],
    // Nothing here waits for the clock; a busy machine may take its time.
    testTimeout: 60_000,
  },
});
