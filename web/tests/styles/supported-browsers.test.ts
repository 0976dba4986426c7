// The browsers that package.json names support what the styles use. ESLint checks the same for scripts.
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { CompatData, Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data";
import { parse } from "postcss";
import { expect, test } from "vitest";
import { browserslist } from "../../package.json";

const { css } = createRequire(import.meta.url)("@mdn/browser-compat-data") as CompatData;
const NAMES = {
    chrome: "chrome",
    edge: "edge",
    firefox: "firefox",
    safari: "safari",
    ios_saf: "safari_ios",
} as const;

// A browser that lacks one of these looks a little different, and everything works in it.
const ENHANCEMENTS = [
    "accent-color", // Safari keeps to a range of lightness
    "cursor", // a phone has none
    "forced-color-adjust", // browsers without it have no forced colours
    "line-clamp", // -webkit-line-clamp stands beside it
    "text-size-adjust", // only phones enlarge texts by themselves
    "text-wrap", // headings and buttons break less evenly
    "word-break: auto-phrase", // Japanese breaks between any two letters
];

const oldest = browserslist.map((line) => {
    const [name, version] = line.split(" >= ") as [keyof typeof NAMES, string];
    return { browser: NAMES[name], version: Number(version) };
});

function isSupported(statement: SimpleSupportStatement, version: number): boolean {
    const { version_added, version_removed, flags, partial_implementation } = statement; // the build adds prefixes
    if (flags || partial_implementation || version_removed) return false;
    return typeof version_added === "string" && parseFloat(version_added.replace("≤", "")) <= version;
}

/** List the browsers that lack a feature in their oldest version; none if the data does not know the feature. */
function lacking(feature: Identifier | undefined): string[] {
    const support = feature?.__compat?.support;
    if (!support) return [];
    return oldest
        .filter(({ browser, version }) => {
            const statements = [support[browser] ?? []].flat();
            return !statements.some((one) => isSupported(one, version));
        })
        .map(({ browser, version }) => `${browser} ${version}`);
}

function* styles(): Generator<[file: string, text: string]> {
    for (const file of globSync("src/**/*.{css,svelte}")) {
        const text = readFileSync(file, "utf8");
        if (file.endsWith(".css")) yield [file, text];
        else
            for (const [, style] of text.matchAll(/<style[^>]*>([^]*?)<\/style>/g)) yield [file, style ?? ""];
    }
}

test("styles use what the supported browsers have", () => {
    const faults = new Map<string, Set<string>>();
    const check = (name: string, feature: Identifier | undefined, file: string): void => {
        const browsers = lacking(feature);
        const isExempt =
            /^:?-/.test(name) || ENHANCEMENTS.some((one) => name === one || name.startsWith(`${one}: `));
        if (!browsers.length || isExempt) return;
        const fault = `${name} (${browsers.join(", ")})`;
        faults.set(fault, (faults.get(fault) ?? new Set()).add(file));
    };
    for (const [file, text] of styles()) {
        parse(text).walk((node) => {
            if (node.type === "atrule") check(`@${node.name}`, css["at-rules"]?.[node.name], file);
            if (node.type === "rule")
                for (const [, name = ""] of node.selector.matchAll(/::?([a-z-]+)/g))
                    check(`:${name}`, css.selectors?.[name], file);
            if (node.type !== "decl" || node.prop.startsWith("--")) return;
            const property = css.properties?.[node.prop];
            check(node.prop, property, file);
            for (const [word] of node.value.matchAll(/[a-z][a-z-]*/g)) {
                check(`${node.prop}: ${word}`, property?.[word], file);
                check(`${word}()`, node.value.includes(`${word}(`) ? css.types?.[word] : undefined, file);
            }
        });
    }
    expect([...faults].map(([fault, files]) => `${fault}: ${[...files].join(", ")}`)).toEqual([]);
});
