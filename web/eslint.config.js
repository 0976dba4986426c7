// Lint rules of the client: the recommended sets, with those that need types.
import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
    { ignores: ["node_modules/", "src/wire/schema.d.ts"] },
    js.configs.recommended,
    ts.configs.recommended,
    {
        files: ["src/**/*.{ts,svelte}"],
        extends: [ts.configs.recommendedTypeCheckedOnly],
        languageOptions: { parserOptions: { projectService: true, extraFileExtensions: [".svelte"] } },
    },
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
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
        rules: { "@typescript-eslint/unbound-method": "off" }, // props and their functions are destructured
    },
    {
        files: ["**/*.svelte"],
        rules: {
            "prefer-const": "off", // props are declared by `let`
            // ESLint takes the props of components for `any`; svelte-check knows their types.
            "@typescript-eslint/no-unsafe-argument": "off",
            "@typescript-eslint/no-unsafe-assignment": "off",
            "@typescript-eslint/no-unsafe-call": "off",
            "@typescript-eslint/no-unsafe-return": "off",
        },
    },
);
