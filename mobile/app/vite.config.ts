/** How the phone's pages are built: an entry of their own beside the desktop's page, served at `/m/`. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { packed } from "./packed";

/** React, and of our own source what the first screen needs in any case. */
const GROUND =
  /node_modules\/(react|react-dom|scheduler)\/|src\/(store|transport)\/|src\/text\/(en\.json|index\.ts|host\.ts|visible\.ts)|src\/app\/(drafts|route|preferences)\.ts|src\/ui\/(ErrorNote|HostText|useAction)\./;

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the same files work at the host's address and inside the app.
  base: "./",
  publicDir: "../../src/public",
  plugins: [react(), packed()],
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
