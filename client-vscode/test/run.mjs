// Install the VSIX into a real VS Code and run all suites.
//   node test/run.mjs [VSIX] [--pictures FOLDER] [--only NAME]
// $DRAFTLIFT_TEST_PYTHON is a Python that has draftlift installed; VS Code is in $DRAFTLIFT_TEST_CACHE (see install.sh).
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { noPythonSuite, uiSuite } from "./ui.mjs";
import { makeFolder, runInHost, startBrowser, startServer } from "./vscode.mjs";

const here = import.meta.dirname;
const home = dirname(here);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: "string" }, only: { type: "string" } },
});
const vsix = resolve(positionals[0] ?? join(home, readdirSync(home).find((name) => name.endsWith(".vsix")) ?? "none.vsix"));
if (!existsSync(vsix)) throw new Error("no VSIX: run `npm run package`");
const cache = process.env.DRAFTLIFT_TEST_CACHE || join(homedir(), ".cache", "draftlift-tests");
const vscode = join(cache, "code-server-4.139.1");
const python = process.env.DRAFTLIFT_TEST_PYTHON;
if (!python) throw new Error("DRAFTLIFT_TEST_PYTHON must name a Python that has draftlift");
const examples = readdirSync(join(home, "..", "examples")).map((name) => join(home, "..", "examples", name));
const samples = [...examples, ...["fixes.json", "form.yaml", "plain.json"].map((name) => join(here, "samples", name))];
const pictures = values.pictures ? resolve(values.pictures) : mkdtempSync(join(tmpdir(), "draftlift-pictures-"));

/** What the command line says of the samples, for the editor to say the same. */
function mainFolder() {
  const folder = makeFolder(...samples);
  const draftlift = (...args) => {
    const { status, stdout, stderr } = spawnSync(python, ["-m", "draftlift", ...args], { cwd: folder, encoding: "utf8" });
    if (status !== 0 && status !== 1) throw new Error(`draftlift ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const { files } = JSON.parse(draftlift("check", "--format", "json", "."));
  const fixed = join(folder, ".fixed");
  mkdirSync(fixed);
  for (const sample of samples) cpSync(sample, join(fixed, basename(sample)));
  draftlift("fix", ...readdirSync(fixed).map((name) => join(fixed, name)));
  writeFileSync(join(folder, ".expected.json"), JSON.stringify(files));
  return folder;
}

function idleFolder() {
  const folder = makeFolder();
  for (let part = 0; part < 20; part += 1) {
    mkdirSync(join(folder, String(part)));
    for (let file = 0; file < 100; file += 1) {
      const data = { id: part * 100 + file, type: "object", properties: { a: { items: [1, 2] } }, notes: "x".repeat(2000) };
      writeFileSync(join(folder, String(part), `${file}.json`), JSON.stringify(data, null, 2));
    }
  }
  return folder;
}

/** Two folders, the second with settings of its own, and files that nobody opens. */
function workspaceFolder() {
  const folder = makeFolder(join(here, "samples", "plain.json"));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write("all.code-workspace", JSON.stringify({ folders: [{ path: "." }, { path: "two" }] }));
  write("old.json", '{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}\n');
  write("null.json", '{"name": "a", "inputSchema": null}\n');
  write("out/null.json", '{"name": "a", "inputSchema": null}\n');
  write(".gitignore", "out/\n");
  write("two/.vscode/settings.json", JSON.stringify({ "draftlift.rules.severity": { "null-input-schema": "hint" } }));
  write("two/sub/null tool.yaml", "name: b\ninputSchema: null\n");
  return folder;
}

function untrustedFolder() {
  const folder = makeFolder(join(home, "..", "examples", "typescript-sdk-answer.json"));
  const script = (name, text) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const trap = script("trap", `/usr/bin/touch ${join(folder, "trap-was-run")}`);
  script("old-python", "printf '3.9.2\\n/usr/bin/old\\n'");
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify({ "draftlift.interpreter": [trap], "draftlift.path": [trap] }));
  return folder;
}

const suite = join(here, "suite");
const trusting = { env: { DRAFTLIFT_TEST_PYTHON: python } };
const distrusting = {
  settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
  env: { DRAFTLIFT_TEST_PYTHON: python, PATH: "/nonexistent" },
};
const inHost = (name, server, folder) => ({ name, server, folder, run: (...where) => runInHost(...where, suite, `${name}.js`) });
const inPage = (name, server, folder, drive, theme) => ({ name, server, folder, run: (...where) => drive(...where, pictures, theme) });
const themed = (theme) => ({ settings: { "workbench.colorTheme": theme } });
const examplesFolder = () => makeFolder(...examples);
const runs = [
  inHost("main", trusting, mainFolder),
  inHost("workspace", { ...trusting, settings: { "draftlift.diagnosticMode": "workspace" } }, workspaceFolder),
  inHost("idle", trusting, idleFolder),
  inHost("untrusted", distrusting, untrustedFolder),
  inPage("no-python", distrusting, examplesFolder, noPythonSuite, "light"),
  inPage("ui-light", themed("Default Light Modern"), examplesFolder, uiSuite, "light"),
  inPage("ui-dark", themed("Default Dark Modern"), examplesFolder, uiSuite, "dark"),
].filter(({ name }) => !values.only || name.startsWith(values.only));

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const browser = await startBrowser();
const failed = [];
for (const { name, server: options, folder: make, run } of runs) {
  const start = Date.now();
  const folder = make();
  const server = await startServer(vscode, vsix, options);
  try {
    const result = await run(browser, server.base, folder);
    console.log(`== ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)\n${[...result.notes, result.text].join("\n").trim()}`);
    if (!result.passed) {
      failed.push(name);
      server.keepLogs(join(pictures, `logs-${name}`));
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
await browser.close();
if (values.pictures || failed.length > 0) console.log(`pictures and logs in ${pictures}`);
else rmSync(pictures, { recursive: true });
console.log(failed.length > 0 ? `failed: ${failed.join(", ")}` : `all ${runs.length} suites passed`);
process.exitCode = failed.length > 0 ? 1 : 0;
