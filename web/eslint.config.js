// Lint rules of the client: the recommended sets, with those that need types for the TypeScript files.
import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
    { ignores: ["node_modules/", "src/wire/schema.d.ts"] },
    js.configs.recommended,
    ts.configs.recommended,
    svelte.configs.recommended,
    svelte.configs.prettier,
    { files: ["src/**"], ...compat.configs["flat/recommended"] }, // the browsers of package.json have what is used
    {
        rules: {
            "no-undef": "off", // TypeScript finds undefined names
            "@typescript-eslint/no-unused-vars": [
                "error",
                { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
            ],
            "svelte/prefer-svelte-reactivity": "off", // it reports every local Map and Set
        },
    },
    {
        files: ["src/**/*.ts"],
        ignores: ["**/*.svelte.ts"],
        extends: [ts.configs.recommendedTypeCheckedOnly],
        languageOptions: { parserOptions: { projectService: true } },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: {
            parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig },
        },
    },
);
