// A workspace that is not trusted and wants its own interpreter, on a machine without a Python on the PATH.
const { vscode, assert, fs, file, until, show, hasCodes, servers, set, debug, run } = require("./runner");

exports.run = () =>
  run({
    async "not trusted, and active"() {
      assert.equal(vscode.workspace.isTrusted, false);
      await vscode.extensions.getExtension("draftlift.draftlift").activate();
    },
    async "no Python: a reason, and no server"() {
      await show("typescript-sdk-answer.json");
      await until(async () => /needs Python 3\.10 or newer: there is none on the PATH/.test(await debug()), "the reason");
      assert.deepEqual(servers(), []);
    },
    async "too old a Python: a reason"() {
      await set("interpreter", [file("old-python").fsPath]);
      await until(async () => /needs Python 3\.10 or newer: \/usr\/bin\/old is Python 3\.9\.2/.test(await debug()), "the reason");
    },
    async "the user's own interpreter runs the server, the workspace's does not"() {
      await set("interpreter", [process.env.DRAFTLIFT_TEST_PYTHON]);
      const document = await show("typescript-sdk-answer.json");
      await hasCodes(document, "legacy-dialect legacy-dialect null-input-schema");
      assert.equal(servers().length, 1);
      assert.match(await debug(), /not trusted/);
      assert.ok(!fs.existsSync(file("trap-was-run").fsPath), "the workspace's interpreter was run");
    },
  });
