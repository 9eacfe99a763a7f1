// Two folders whose files are looked at though nobody opens them, each with its own settings.
const { vscode, assert, fs, file, until, show, found, codes, hasCodes, servers, set, run } = require("./runner");

const CLEAN = '{"name": "a", "inputSchema": {"type": "object"}}\n';
const NULL = '{"name": "a", "inputSchema": null}\n';
const inTwo = file("two/sub/null tool.yaml");
const write = (name, text) => fs.writeFileSync(file(name).fsPath, text);

const tests = {
  async "closed files are told, of both folders, by the settings of each, but not what git ignores"() {
    assert.equal(vscode.workspace.workspaceFolders.length, 2);
    await show("plain.json");
    await hasCodes(file("old.json"), "legacy-dialect");
    await hasCodes(file("null.json"), "null-input-schema");
    await hasCodes(inTwo, "null-input-schema");
    assert.equal(found(file("null.json"))[0].severity, vscode.DiagnosticSeverity.Error);
    assert.equal(found(inTwo)[0].severity, vscode.DiagnosticSeverity.Hint);
    assert.equal(codes(file("out/null.json")), "");
    assert.equal(servers().length, 1);
  },
  async "files that change, come and go on the disk are followed"() {
    write("null.json", CLEAN);
    await hasCodes(file("null.json"), "");
    write("null.json", NULL);
    write("new.json", NULL);
    await hasCodes(file("null.json"), "null-input-schema");
    await hasCodes(file("new.json"), "null-input-schema");
    fs.renameSync(file("new.json").fsPath, file("other.json").fsPath);
    await hasCodes(file("new.json"), "");
    await hasCodes(file("other.json"), "null-input-schema");
    fs.unlinkSync(file("other.json").fsPath);
    await hasCodes(file("other.json"), "");
    fs.mkdirSync(file("deep/er").fsPath, { recursive: true });
    write("deep/er/null.json", NULL);
    await hasCodes(file("deep/er/null.json"), "null-input-schema");
    fs.renameSync(file("deep").fsPath, file("other").fsPath);
    await hasCodes(file("other/er/null.json"), "null-input-schema");
    await hasCodes(file("deep/er/null.json"), "");
    fs.rmSync(file("other").fsPath, { recursive: true });
    await hasCodes(file("other/er/null.json"), "");
    write(".gitignore", "");
    await hasCodes(file("out/null.json"), "null-input-schema");
    write(".gitignore", "out/\n");
    await hasCodes(file("out/null.json"), "");
  },
  async "an open file speaks for itself, and for what is on the disk once it is closed"() {
    // As a user opens it: a document that an extension opened stays open for minutes after its tab is closed.
    await vscode.commands.executeCommand("vscode.open", file("null.json"));
    const { document } = vscode.window.activeTextEditor;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 1, 0), CLEAN);
    await vscode.workspace.applyEdit(edit);
    await hasCodes(document, "");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await hasCodes(file("null.json"), "null-input-schema");
  },
  async "settings of one folder change that folder only"() {
    await set("files.exclude", ["sub/"], vscode.ConfigurationTarget.WorkspaceFolder, inTwo);
    await hasCodes(inTwo, "");
    assert.equal(codes(file("null.json")), "null-input-schema");
    await vscode.commands.executeCommand("vscode.open", inTwo, { preview: false });
    const { document } = vscode.window.activeTextEditor;
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(codes(document), "");
    await set("files.exclude", undefined, vscode.ConfigurationTarget.WorkspaceFolder, inTwo);
    await hasCodes(document, "null-input-schema");
    await set("targetRevision", "2025-11-25", vscode.ConfigurationTarget.WorkspaceFolder, file("null.json"));
    write("null.json", CLEAN.replace('"object"', '"object", "properties": {"a": true}'));
    await hasCodes(file("null.json"), "boolean-property");
    await set("targetRevision", undefined, vscode.ConfigurationTarget.WorkspaceFolder, file("null.json"));
    await hasCodes(file("null.json"), "");
  },
  async "only open files, once that is what is set"() {
    write("null.json", NULL);
    await hasCodes(file("null.json"), "null-input-schema");
    await set("diagnosticMode", undefined);
    await hasCodes(file("null.json"), "");
    await hasCodes(file("old.json"), "");
    await hasCodes(inTwo, "null-input-schema"); // it is open
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await hasCodes(inTwo, "");
    await set("diagnosticMode", "workspace");
    await hasCodes(file("null.json"), "null-input-schema");
    await hasCodes(inTwo, "null-input-schema");
  },
  async "a folder that leaves the workspace takes its diagnostics along"() {
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 1));
    await until(() => vscode.workspace.workspaceFolders.length === 1, "one folder");
    // What was the second folder is a part of the first, whose settings count now.
    await until(() => found(inTwo)[0]?.severity === vscode.DiagnosticSeverity.Error, () => `an error, not ${found(inTwo)[0]?.severity}`);
  },
};

exports.run = () => run(tests);
