// A runner of one page for suites inside the extension host, and what the suites have in common.
const vscode = require("vscode");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const file = (name) => vscode.Uri.joinPath(folder(), name);

/** The first value of ``get`` that is truthy; an error after ten seconds. */
async function until(get, what) {
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 25))) {
    const value = await get();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timeout: ${typeof what === "function" ? what() : what}`);
  }
}

/** Open a file of the workspace, or a new text, in the editor. */
async function show(name, language) {
  const document = await vscode.workspace.openTextDocument(language ? { content: name, language } : file(name));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

const codeOf = ({ code }) => (typeof code === "object" ? code.value : code);
const found = (document) => vscode.languages.getDiagnostics(document.uri ?? document).filter(({ source }) => source === "draftlift");
const codes = (document) => found(document).map(codeOf).join(" ");

/** Wait until the diagnostics of a document have these codes. */
function hasCodes(document, expected) {
  return until(() => codes(document) === expected || undefined, () => `codes "${expected}", have "${codes(document)}"`);
}

/** The servers that run now: process id and command line. */
function servers() {
  return fs.readdirSync("/proc").filter(Number).flatMap((pid) => {
    try {
      const line = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ");
      const parent = Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
      const isServer = parent === process.pid && /bundled\/serve\.py|draftlift serve/.test(line);
      return isServer ? [{ pid: Number(pid), line }] : [];
    } catch {
      return [];
    }
  });
}

async function set(name, value, target = vscode.ConfigurationTarget.Global, scope = undefined) {
  await vscode.workspace.getConfiguration("draftlift", scope).update(name, value, target);
}

const debug = () => vscode.commands.executeCommand("draftlift.printDebugInformation");

/** Run tests in order and write what came of them where the harness looks. */
async function run(tests) {
  const said = [];
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const start = Date.now();
    try {
      await test();
      said.push(`ok ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      failed += 1;
      said.push(`FAILED ${name}: ${error.stack}`);
    }
  }
  said.push(`${said.length - failed} passed, ${failed} failed`);
  fs.writeFileSync(path.join(folder().fsPath, ".report"), `${said.join("\n")}\n`);
  if (failed > 0) throw new Error("failed");
}

module.exports = { vscode, assert, fs, path, file, folder, until, show, codeOf, found, codes, hasCodes, servers, set, debug, run };
