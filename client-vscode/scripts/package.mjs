// Build draftlift-VERSION.vsix: type check, bundle of the client, bundle of the server with its packages, VSIX.
// The interpreter that runs pip is $PYTHON, else python3.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const libs = join(home, "bundled", "libs");
const run = (command, ...args) => execFileSync(command, args, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
const tool = (name, ...args) => run(process.execPath, join(home, "node_modules", name), ...args);

tool("typescript/bin/tsc");

rmSync(libs, { recursive: true, force: true });
run(
  process.env.PYTHON ?? "python3", "-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check", "--no-deps",
  "--require-hashes", "--no-compile", "--only-binary=:all:", "--implementation", "py", "--abi", "none", "--platform", "any", "--python-version", "3.10",
  "--requirement", join(home, "bundled", "requirements.txt"), "--target", libs,
);
// Programs, tests, benchmarks, and how to build what is compiled: nobody imports these.
const unused = ["bin", "jsonschema/tests", "jsonschema/benchmarks", "jsonschema_specifications/tests", "referencing/tests", "ruamel/yaml/clibz"];
for (const folder of unused) rmSync(join(libs, folder), { recursive: true, force: true });
cpSync(join(home, "bundled", "rpds.py"), join(libs, "rpds.py"));
cpSync(join(home, "..", "server", "draftlift"), join(libs, "draftlift"), {
  recursive: true,
  filter: (source) => !source.includes("__pycache__"),
});
const compiled = readdirSync(libs, { recursive: true }).filter((file) => /\.(so|pyd|dylib)$/.test(file));
if (compiled.length > 0 || !existsSync(join(libs, "pygls"))) {
  throw new Error(`the bundled packages are not pure Python: ${compiled.join(", ") || "pygls is missing"}`);
}

run(process.execPath, join(home, "scripts", "build.mjs"));
const { name, version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const vsix = join(home, `${name}-${version}.vsix`);
tool("@vscode/vsce/vsce", "package", "--no-dependencies", "--out", vsix);
console.log(`${vsix}: ${Math.round(statSync(vsix).size / 1024)} KB`);
