// Builds tests/support/installation-page.ts for the browser tests.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
    plugins: [svelte()],
    publicDir: false,
    build: {
        rolldownOptions: {
            input: "tests/support/installation-page.ts",
            output: { format: "iife", entryFileNames: "installation-page.js" },
        },
    },
});
