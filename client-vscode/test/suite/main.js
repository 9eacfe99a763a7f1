// The installed extension in a trusted workspace: everything that the plain API of VS Code can see.
const { vscode, assert, fs, path, file, folder, until, show, codeOf, found, codes, hasCodes, servers, set, debug, run } = require("./runner");

const TOOL = '{"name": "a", "inputSchema": {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}}\n';
const NEW = "https://json-schema.org/draft/2020-12/schema";
const expected = JSON.parse(fs.readFileSync(path.join(folder().fsPath, ".expected.json"), "utf8"));
const toRange = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
const actionsAt = (document, range, kind = "quickfix", resolve = 100) =>
  vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, range, kind, resolve);

/** A text after edits, worked out without the editor. */
function edited(document, edits) {
  let text = document.getText();
  const spans = edits.map(({ range, newText }) => [document.offsetAt(toRange(range).start), document.offsetAt(toRange(range).end), newText]);
  for (const [start, end, newText] of spans.map((span, index) => [...span, index]).sort((a, b) => b[0] - a[0] || b[3] - a[3])) {
    text = text.slice(0, start) + newText + text.slice(end);
  }
  return text;
}

const tests = {
  async "a file without tools starts no server"() {
    await show("plain.json");
    const extension = vscode.extensions.getExtension("draftlift.draftlift");
    await until(() => extension.isActive, "activation");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(servers(), []);
  },
  async "a text that becomes tools while it is typed starts the server"() {
    const document = await show("{}\n", "json");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 1, 0), TOOL);
    await vscode.workspace.applyEdit(edit);
    await hasCodes(document, "legacy-dialect");
    assert.equal(servers().length, 1);
    assert.match(servers()[0].line, /-I .*extensions?\/.*bundled\/serve\.py/);
  },
  async "every finding of the command line is there, and every fix does what the command line says"() {
    const kinds = new Set();
    for (const { path: name, findings } of expected) {
      const document = await show(name);
      const say = ({ rule, range }) => `${rule} ${range.start.line}:${range.start.character}-${range.end.line}:${range.end.character}`;
      const want = findings.map(say).sort();
      const have = () => found(document).map((one) => say({ rule: codeOf(one), range: one.range })).sort();
      await until(() => have().join() === want.join(), () => `${name}: ${want} instead of ${have()}`);
      for (const { rule, range, fixes } of findings) {
        const actions = fixes.length > 0 ? await actionsAt(document, toRange(range)) : [];
        for (const fix of fixes) {
          const action = actions.find(({ title }) => title === fix.title);
          assert.ok(action, `${name}, ${rule}: ${fix.title} is not in ${actions.map(({ title }) => title)}`);
          assert.equal(action.isPreferred ?? false, fix.preferred, fix.title);
          const before = document.getText();
          const after = edited(document, fix.edits);
          const plain = new vscode.WorkspaceEdit();
          plain.set(document.uri, action.edit.get(document.uri));
          assert.ok(await vscode.workspace.applyEdit(plain));
          assert.equal(document.getText(), after, `${name}: ${fix.title}`);
          const back = new vscode.WorkspaceEdit();
          back.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), before);
          await vscode.workspace.applyEdit(back);
          kinds.add(rule);
        }
      }
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    console.log(`note: quick fixes of ${[...kinds].join(", ")}`);
    assert.ok(kinds.size >= 10, [...kinds].join());
  },
  async "hover tells what a place means"() {
    const document = await show("draft-04.json");
    const offset = document.getText().indexOf("exclusiveMinimum");
    const hovers = await until(async () => {
      const found = await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, document.positionAt(offset + 2));
      const text = found.flatMap(({ contents }) => contents.map(({ value }) => value)).join("\n");
      return text.includes("draft-04") && text;
    }, "hover");
    assert.match(hovers, /2020-12/);
    assert.match(hovers, /```/);
  },
  async "fix all on save"() {
    const config = vscode.workspace.getConfiguration("editor");
    await config.update("codeActionsOnSave", { "source.fixAll.draftlift": "explicit" }, vscode.ConfigurationTarget.Global);
    for (const name of ["typescript-sdk-answer.json", "tuples-and-dependencies.yaml"]) {
      const document = await show(name);
      await until(() => codes(document).includes("legacy-dialect"), "diagnostics");
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(document.lineCount, 0), "\n");
      await vscode.workspace.applyEdit(edit);
      await vscode.commands.executeCommand("workbench.action.files.save");
      const disk = () => fs.readFileSync(document.uri.fsPath, "utf8").trimEnd();
      const fixed = fs.readFileSync(path.join(folder().fsPath, ".fixed", name), "utf8").trimEnd();
      await until(() => disk() === fixed, () => `${name} as the command line fixes it, not ${disk()}`);
    }
    await config.update("codeActionsOnSave", undefined, vscode.ConfigurationTarget.Global);
  },
  async "command: translate all schemas in the file"() {
    const document = await show(`[${TOOL},${TOOL}]`, "jsonc");
    await hasCodes(document, "legacy-dialect legacy-dialect");
    await vscode.commands.executeCommand("draftlift.fixAll");
    await hasCodes(document, "");
    assert.equal(document.getText().split(NEW).length, 3);
  },
  async "command: translate the schema here, from inside the second schema"() {
    const document = await show(`[${TOOL},\n${TOOL}]`, "json");
    await hasCodes(document, "legacy-dialect legacy-dialect");
    const second = document.getText().indexOf('"type"', document.getText().indexOf(",\n"));
    const at = document.positionAt(second);
    vscode.window.activeTextEditor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand("draftlift.translateHere");
    await hasCodes(document, "legacy-dialect");
    assert.ok(document.getText().indexOf(NEW) > second);
  },
  async "command: translate the schema here, in YAML with one schema"() {
    const document = await show("name: a\ninputSchema:\n  $schema: http://json-schema.org/draft-07/schema#\n  type: object\n", "yaml");
    await hasCodes(document, "legacy-dialect");
    await vscode.commands.executeCommand("draftlift.translateHere");
    await hasCodes(document, "");
    assert.ok(document.getText().includes(NEW));
  },
  async "command: translate the schema here, from inside the second schema of YAML, and why one is left alone"() {
    const tool = "- name: a\n  inputSchema:\n    $schema: http://json-schema.org/draft-07/schema#\n    type: object\n";
    const document = await show(`${tool}${tool}${tool}    properties: {a: {$ref: '#', minLength: 1}}\n`, "yaml");
    await until(() => codes(document).split("legacy-dialect").length === 4, "diagnostics");
    const go = async (line) => {
      vscode.window.activeTextEditor.selection = new vscode.Selection(line, 4, line, 4);
      await vscode.commands.executeCommand("draftlift.translateHere");
    };
    await go(7);
    await until(() => codes(document).split("legacy-dialect").length === 3, "two old schemas");
    assert.ok(document.lineAt(6).text.includes(NEW));
    const before = document.getText();
    await go(11);
    assert.equal(document.getText(), before);
  },
  async "command: the sample of the walkthrough"() {
    await vscode.commands.executeCommand("draftlift.openSample");
    await hasCodes(vscode.window.activeTextEditor.document, "legacy-dialect legacy-dialect null-input-schema");
  },
  async "settings change what is reported"() {
    const document = await show(TOOL, "json");
    await hasCodes(document, "legacy-dialect");
    await set("rules.severity", { "legacy-dialect": "error" });
    await until(() => found(document)[0]?.severity === vscode.DiagnosticSeverity.Error, "error");
    await set("rules.severity", undefined);
    await until(() => found(document)[0]?.severity === vscode.DiagnosticSeverity.Warning, "warning");
    await set("rules.ignore", ["legacy-dialect"]);
    await hasCodes(document, "");
    await set("rules.ignore", undefined);
    await hasCodes(document, "legacy-dialect");
  },
  async "a file that is closed, renamed or deleted leaves no diagnostics"() {
    fs.writeFileSync(file("moving.json").fsPath, TOOL);
    const document = await show("moving.json");
    await hasCodes(document, "legacy-dialect");
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(file("moving.json"), file("moved.json"));
    await vscode.workspace.applyEdit(edit);
    await hasCodes(file("moved.json"), "legacy-dialect");
    await hasCodes(file("moving.json"), "");
    const gone = new vscode.WorkspaceEdit();
    gone.deleteFile(file("moved.json"));
    await vscode.workspace.applyEdit(gone);
    await hasCodes(file("moved.json"), "");
  },
  async "the server comes back after a crash"() {
    const document = await show(TOOL, "json");
    await hasCodes(document, "legacy-dialect");
    const [{ pid }] = servers();
    process.kill(pid, "SIGKILL");
    await until(() => servers().length === 1 && servers()[0].pid !== pid, "another server");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 1, 0), TOOL.replace(/\{"type.*\}\}/, "null}"));
    await vscode.workspace.applyEdit(edit);
    await hasCodes(document, "null-input-schema");
  },
  async "command: restart"() {
    const [{ pid }] = servers();
    await vscode.commands.executeCommand("draftlift.restart");
    assert.equal(servers().length, 1);
    assert.notEqual(servers()[0].pid, pid);
    await hasCodes(vscode.window.activeTextEditor.document, "null-input-schema");
  },
  async "draftlift of the environment, or a program of one's own"() {
    const python = process.env.DRAFTLIFT_TEST_PYTHON;
    await set("interpreter", [python]);
    await set("importStrategy", "fromEnvironment");
    await until(() => servers()[0]?.line.startsWith(`${python} -m draftlift serve`), () => `its server, not ${JSON.stringify(servers())}`);
    await set("path", [path.join(path.dirname(python), "draftlift")]);
    await until(() => servers()[0]?.line.includes("/draftlift serve"), "the program's server");
    await until(async () => /server: running, draftlift \d.*\nprogram: draftlift .* by draftlift\.path/.test(await debug()), "debug information");
    await set("path", ["/bin/false"]);
    await until(async () => /is no draftlift/.test(await debug()), "the reason");
    assert.deepEqual(servers(), []);
    await set("path", undefined);
    await set("importStrategy", undefined);
    await set("interpreter", undefined);
    await until(async () => /server: running, [^]*program: bundled draftlift with Python 3/.test(await debug()), "the bundled server");
    assert.equal(servers().length, 1);
  },
};

exports.run = () => run(tests);
