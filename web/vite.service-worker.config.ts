// Builds the service worker beside the client, as one script whose name never changes.
import { defineConfig } from "vite";

export default defineConfig({
    publicDir: false,
    build: {
        outDir: "../src/sevenhues/web",
        emptyOutDir: false,
        target: "es2022",
        reportCompressedSize: false,
        rolldownOptions: {
            input: "src/service-worker/service-worker.ts",
            output: { format: "iife", entryFileNames: "service-worker.js" },
        },
    },
});
