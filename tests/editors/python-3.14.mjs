// A Python 3.14 that Debian 12 has no package of: CPython as WebAssembly, out of the npm package pyodide.
//   node python-3.14.mjs PYODIDE.MJS FOLDER… -- ARGUMENT-OF-PYTHON…
// It sees the folders, under their own paths, and no other file. Standard input and output are its own.
import { pathToFileURL } from "node:url";

const [pyodide, ...rest] = process.argv.slice(2);
const end = rest.indexOf("--");
const { loadPyodide } = await import(pathToFileURL(pyodide));
const python = await loadPyodide({
  args: rest.slice(end + 1),
  env: { ...process.env, PYTHONINSPECT: "" }, // Pyodide sets it where nobody does, and sys.exit() would not end then
  fsInit(files) {
    for (const folder of rest.slice(0, end)) {
      files.mkdirTree(folder);
      files.mount(files.filesystems.NODEFS, { root: folder }, folder);
    }
  },
});

// WebAssembly has neither sockets, which the event loops of asyncio want, nor threads, by one of which pygls reads
// standard input. So the loop only waits, and reads by itself, once there is nothing else that it will do.
// And pygls must not see where it runs: it has another main loop for Pyodide, which no editor gets and which fails.
python.runPython(`
import asyncio, concurrent.futures, functools, sys, time, types

assert sys.version_info[:2] == (3, 14), sys.version

class Loop(asyncio.BaseEventLoop):
    _selector = types.SimpleNamespace(select=lambda seconds: time.sleep(seconds or 0) or ())
    _process_events = _write_to_self = lambda *_: None

class Pool(concurrent.futures.Executor):
    def __init__(self, max_workers=None): ...

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        loop = asyncio.get_running_loop()

        def when_idle():
            if loop._ready or any(not timer.cancelled() for timer in loop._scheduled):
                loop.call_later(0.001, when_idle)
            else:
                future.set_result(function(*arguments))

        loop.call_later(0.001, when_idle)
        return future

asyncio.run = functools.partial(asyncio.run, loop_factory=Loop)
asyncio._set_running_loop(None)
concurrent.futures.ThreadPoolExecutor = Pool
del sys.modules["pyodide"]
`);

try {
  process.exitCode = python._module._run_main();
} catch (error) {
  if (error.name !== "ExitStatus") throw error;
  process.exitCode = error.status;
}
