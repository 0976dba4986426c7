// Writes a file of the client as JavaScript. Arguments: the client's folder, the TypeScript file, and the target.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [web, source, target] = process.argv.slice(2);
const ts = createRequire(`${web}/package.json`)("typescript");
const compilerOptions = { target: "ES2022", module: "ESNext" };
writeFileSync(target, ts.transpileModule(readFileSync(source, "utf8"), { compilerOptions }).outputText);
