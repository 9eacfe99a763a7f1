// Two thousand JSON files without tools: what the extension costs there.
const { vscode, assert, until, show, servers, run } = require("./runner");

exports.run = () =>
  run({
    async "no server, and no delay"() {
      const extension = vscode.extensions.getExtension("draftlift.draftlift");
      await extension.activate();
      const bundle = require.resolve(extension.extensionPath);
      delete require.cache[bundle];
      const start = performance.now();
      require(bundle);
      const load = performance.now() - start;
      const files = await vscode.workspace.findFiles("**/*.json");
      assert.equal(files.length, 2000);
      const opening = performance.now();
      for (const uri of files.slice(0, 200)) await vscode.workspace.openTextDocument(uri);
      const opened = performance.now() - opening;
      await show("0/0.json");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.deepEqual(servers(), []);
      console.log(`note: the bundle loads in ${load.toFixed(1)} ms, 200 files opened in ${opened.toFixed(0)} ms, no server`);
      assert.ok(load < 200, `the bundle took ${load} ms`);
    },
  });
