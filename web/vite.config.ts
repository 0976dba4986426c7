// Builds the client into the Python package; a first page above its budget fails the build.
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const BUDGET = 60_000; // bytes of gzipped script that the first page may load

function budget(): Plugin {
    return {
        name: "first-page-budget",
        apply: "build",
        generateBundle(_options, bundle) {
            const first = new Set<string>();
            const load = (file: string): void => {
                const chunk = bundle[file];
                if (first.has(file) || chunk?.type !== "chunk") return;
                first.add(file);
                chunk.imports.forEach(load);
            };
            for (const [file, chunk] of Object.entries(bundle)) {
                if (chunk.type === "chunk" && chunk.isEntry) load(file);
            }
            let size = 0;
            for (const file of first) {
                const chunk = bundle[file];
                if (chunk?.type === "chunk") size += gzipSync(chunk.code).length;
            }
            const kilobytes = (size / 1000).toFixed(1);
            if (size > BUDGET)
                this.error(`The first page loads ${kilobytes} kB of gzipped script; at most 60 are allowed.`);
            console.log(`first page: ${kilobytes} kB of gzipped script in ${first.size} files`);
        },
    };
}

export default defineConfig({
    plugins: [svelte(), budget()],
    build: {
        outDir: "../src/sevenhues/web",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
    },
    server: {
        proxy: { "/api": { target: process.env["SEVENHUES_SERVER"] ?? "http://127.0.0.1:8000", ws: true } },
    },
    // Tests mount components as a browser does.
    resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
    test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
