// node_runner.mjs - batch.py under a CPython that was compiled to WebAssembly (Pyodide), for `oracle --with`.
//
//   usage: node node_runner.mjs FOLDER      FOLDER: an installed pyodide package (with pyodide.mjs), such as
//          node_modules/pyodide-314 after
//          npm install pyodide-314@npm:pyodide@314.0.7 pyodide-315@npm:pyodide@315.0.0-alpha.2
//          (CPython 3.14.2 and 3.15.0rc1). These are 32-bit builds.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node node_runner.mjs FOLDER");
  process.exit(2);
}

function read(size) {
  const data = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    let got = 0;
    try {
      got = fs.readSync(0, data, at, size - at, null);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      throw error;
    }
    if (got === 0) return null;
    at += got;
  }
  return data;
}

function write(data) {
  for (let at = 0; at < data.length; ) {
    try {
      at += fs.writeSync(1, data, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const { loadPyodide } = await import(pathToFileURL(path.resolve(folder, "pyodide.mjs")).href);
const py = await loadPyodide({ stderr: () => {} });
const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "batch.py");
py.FS.writeFile("/home/pyodide/batch.py", fs.readFileSync(script));
py.runPython("import sys; sys.path.insert(0, '/home/pyodide'); import batch, gc; batch.prepare()");
write(Buffer.from(py.runPython("batch.hello()")));
const answer = py.runPython("lambda data: batch.answer(data.to_bytes())");
for (let batches = 1; ; batches++) {
  const head = read(8);
  if (!head) break;
  const data = read(Number(head.readBigUInt64LE()));
  if (!data) break;
  let out;
  try {
    const proxy = answer(new Uint8Array(data));
    out = proxy.toJs();
    proxy.destroy();
  } catch (error) {
    process.exit(3); // the interpreter is gone; whoever asks starts another
  }
  write(out);
  if (batches % 64 === 0) py.runPython("gc.collect()");
}
