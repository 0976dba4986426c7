// Builds the client into the Python package; a first page above its budget fails the build.
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const BUDGET = 60_000; // bytes of gzipped script that the first page may load
const FONT_BUDGET = 120_000; // bytes of fonts that the first page may load
const FIRST_SCRIPT = /^assets\/client-[^/]*\.js$/;
const FIRST_FONTS = /-latin-(wght|700)-normal-[^/]*\.woff2$/; // all that English, Dutch and German need

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
            console.log(`first page: ${kilobytes} kB of gzipped script`);
        },
    };
}

/** Preload the fonts of the first page. */
function preloadFonts(): Plugin {
    return {
        name: "preload-fonts",
        apply: "build",
        transformIndexHtml: {
            order: "post",
            handler(_html, { bundle }) {
                const fonts = Object.values(bundle ?? {}).filter((file) => FIRST_FONTS.test(file.fileName));
                const size = fonts.reduce(
                    (sum, file) => sum + (file.type === "asset" ? file.source.length : 0),
                    0,
                );
                const kilobytes = (size / 1000).toFixed(1);
                if (fonts.length !== 2)
                    throw new Error(`The first page needs two fonts, not ${fonts.length}.`);
                if (size > FONT_BUDGET)
                    throw new Error(
                        `The first page loads ${kilobytes} kB of fonts; at most 120 are allowed.`,
                    );
                console.log(`first page: ${kilobytes} kB of fonts`);
                return fonts.map((file) => ({
                    tag: "link",
                    attrs: {
                        rel: "preload",
                        as: "font",
                        type: "font/woff2",
                        crossorigin: true,
                        href: `/${file.fileName}`,
                    },
                    injectTo: "head" as const,
                }));
            },
        },
    };
}

export default defineConfig({
    plugins: [svelte(), budget(), preloadFonts()],
    build: {
        outDir: "../src/sevenhues/web",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: {
            polyfill: false,
            // The first script is there already; Firefox reports an error if it is preloaded again.
            resolveDependencies: (_file, paths) => paths.filter((path) => !FIRST_SCRIPT.test(path)),
        },
        reportCompressedSize: false,
        // Few files, because each costs a request: the first page, and what tables and other pages share.
        rolldownOptions: {
            output: {
                codeSplitting: {
                    groups: [
                        { name: "offline", test: /src\/offline\//, priority: 0.5 },
                        { name: "client", test: /src\/main\.ts$|node_modules\/svelte\//, priority: 1 },
                        { name: "shared", minShareCount: 2 },
                    ],
                },
            },
        },
    },
    // The server allows the worker that plays offline to compile WebAssembly, by this name.
    worker: {
        format: "es",
        rolldownOptions: { output: { entryFileNames: "assets/offline-worker-[hash].js" } },
    },
    server: {
        proxy: { "/api": { target: process.env["SEVENHUES_SERVER"] ?? "http://127.0.0.1:8000", ws: true } },
    },
    // Tests mount components as a browser does.
    resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
    test: {
        include: ["tests/**/*.test.ts"],
        environment: "node",
        pool: "vmThreads", // half the time of processes
        testTimeout: 60_000,
        hookTimeout: 60_000,
    },
});
