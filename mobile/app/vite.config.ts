/** How the phone's pages are built: an entry of their own alongside the desktop's page, served at `/m/`. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { packed } from "./packed";
import { onlySaid } from "./said";

/** React, and of our own source what the first screen needs in any case. */
const GROUND =
  /node_modules\/(react|react-dom|scheduler)\/|src\/store\/|src\/transport\/(?!app\.ts)|src\/text\/(en\.json|index\.ts|visible\.ts)|src\/app\/(drafts|route|preferences)\.ts|src\/ui\/(ErrorNote|HostText|useAction)\./;

/** `make apk` puts the app next to the pages and describes it here; until then the pages find that there is none. */
const withoutApk: Plugin = {
  name: "without-apk",
  apply: "build",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "deputy.json", source: "null\n" });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the same files work at the host's address and inside the app.
  base: "./",
  publicDir: "../../src/public",
  plugins: [onlySaid(join(import.meta.dirname, "main.tsx")), react(), packed(), withoutApk],
  build: {
    outDir: "../../dist/m",
    emptyOutDir: true,
    target: "es2022",
    // The page's content policy takes fonts from the host only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // What every screen needs is one file: it packs better than six, and each answer has its headers.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "ground", test: GROUND }] } } },
  },
});
