// Run a Python script under CPython 3.14 or 3.15 (wasm builds) with Node.js:
//
//   node python_in_node.mjs 3.14|3.15 SCRIPT.py [ARG...]
//
// The packages pyodide-314 and pyodide-315 are looked for in $PYODIDE, else in the current folder
// (check_tables.sh says how to install them). Python sees the file system of the host under /host, and SCRIPT.py as its main
// program. Exit status 1 after an exception.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , version, script, ...args] = process.argv;
const name = { "3.14": "pyodide-314", "3.15": "pyodide-315" }[version];
if (!name || !script) {
  console.error("usage: node python_in_node.mjs 3.14|3.15 SCRIPT.py [ARG...]");
  process.exit(2);
}
const require = createRequire(path.resolve(process.env.PYODIDE || ".", "package.json"));
const folder = path.dirname(require.resolve(`${name}/package.json`));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const python = await loadPyodide();
python.FS.mkdir("/host");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/host");
python.globals.set("command_line", python.toPy([script, ...args]));
python.runPython("import sys; sys.argv = list(command_line); del command_line");
try {
  python.runPython(fs.readFileSync(script, "utf8"), { filename: script });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
