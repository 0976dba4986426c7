// Runs functions of Python modules in Pyodide, one for each line of standard input.
//
// Arguments: the folder of the npm package, the folder of the parts (unpacked), the folder of the tests' packages, and
// the network as a JavaScript module. A line is a JSON list of a module, a function and its arguments; the answer is a
// line with what the function returns, a text.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [npm, parts, root, networkModule] = process.argv.slice(2);
const PACKAGES = "/lib/sevenhues";

const { loadPyodide } = await import(pathToFileURL(`${npm}/pyodide.mjs`).href);
const { Network } = await import(pathToFileURL(networkModule).href);
const pyodide = await loadPyodide({ indexURL: `${npm}/`, stdLibURL: `${parts}/python_stdlib.zip` });
for (const name of ["packages.zip", "sevenhues.zip"]) {
    pyodide.unpackArchive(new Uint8Array(readFileSync(`${parts}/${name}`)), "zip", { extractDir: PACKAGES });
}
pyodide.mountNodeFS("/root", root);
pyodide.runPython(`import sys; sys.path[:0] = ["${PACKAGES}"]; sys.path.append("/root")`);
const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};
pyodide.registerJsModule("device", {
    load_network: (arrays, numbers) => new Network(arrays, numbers),
    cpu_ms: cpuMs,
});
for await (const line of createInterface({ input: process.stdin })) {
    const [module, name, ...values] = JSON.parse(line);
    try {
        process.stdout.write(JSON.stringify({ answer: pyodide.pyimport(module)[name](...values) }) + "\n");
    } catch (error) {
        process.stdout.write(JSON.stringify({ error: String(error) }) + "\n");
    }
}
