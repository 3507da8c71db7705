// Run a Python script under a CPython that is compiled to wasm32, with Node.js:
//   node node_python.mjs PACKAGE SCRIPT.py [ARG...]      from the folder where PACKAGE (a Pyodide) is installed
// The machine's files are seen at /host. NODE_PYTHONPATH is a colon-separated list of extra folders (as /host/...).
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , name, script, ...args] = process.argv;
if (!name || !script) {
  console.error("usage: node node_python.mjs PACKAGE SCRIPT.py [ARG...]");
  process.exit(2);
}
const require = createRequire(path.join(process.cwd(), "package.json"));
const home = path.dirname(require.resolve(name + "/package.json"));
const { loadPyodide } = await import(pathToFileURL(path.join(home, "pyodide.mjs")).href);
const py = await loadPyodide({ env: { PYTHONHASHSEED: "0", HOME: "/home" } });
py.FS.mkdirTree("/host");
py.FS.mount(py.FS.filesystems.NODEFS, { root: "/" }, "/host");
py.globals.set("_argv", py.toPy(["/host" + path.resolve(script), ...args]));
py.globals.set("_paths", py.toPy((process.env.NODE_PYTHONPATH || "").split(":").filter(Boolean)));
try {
  py.runPython(`
import sys, runpy, os
sys.argv = list(_argv)
sys.path[:0] = [os.path.dirname(sys.argv[0])] + list(_paths)
sys.dont_write_bytecode = True
del _argv, _paths
runpy.run_path(sys.argv[0], run_name="__main__")
`);
} catch (error) {
  const exit = /SystemExit: (\d*)/.exec(String(error.message));
  if (exit) process.exit(Number(exit[1] || 0));
  console.error(error.message);
  process.exit(1);
}
