/** How the UI is built and its units are tested. One bundle serves the window and `deputy serve`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Files that are worth it; fonts and pictures are packed as they are. */
const PACKED = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** Writes each file of the page alongside itself as Brotli and gzip, once, so that the host need not pack it for each visit. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir = "dist" }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!PACKED.test(name)) continue;
        const path = join(dir, name);
        const content = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Where continuous integration collects reports. */
const { JUNIT_DIR } = process.env;
const JUNIT = { outputFile: resolve(JUNIT_DIR ?? "", "vitest.xml") };

export default defineConfig({
  root: "src",
  // Relative, so that the same files work at any address.
  base: "./",
  plugins: [react(), packed()],
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
    reporters: JUNIT_DIR ? ["default", ["junit", JUNIT]] : ["default"],
  },
});
