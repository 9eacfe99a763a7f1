// Bundle the extension into dist/extension.js, with the licences of what went in.
import { build } from "esbuild";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const { metafile } = await build({
  absWorkingDir: home,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  metafile: true,
  logLevel: "warning",
});

// A package may lie inside of another one's node_modules: the last such folder of a path is its own.
const folders = new Set(Object.keys(metafile.inputs).map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]));
const licences = [...folders].filter(Boolean).map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
  return licence(`${name} ${version} (${license})`, join(home, folder));
});

// What pip put beside the server, where `package.mjs` had it do so.
const libs = join(home, "bundled", "libs");
for (const folder of existsSync(libs) ? readdirSync(libs).filter((entry) => entry.endsWith(".dist-info")) : []) {
  const metadata = readFileSync(join(libs, folder, "METADATA"), "utf8").split(/\r?\n\r?\n/)[0];
  const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(metadata)?.[1].trim();
  const terms = field("License-Expression") ?? field("License") ?? /^Classifier: License :: (?:.* :: )?(.*)$/m.exec(metadata)?.[1];
  licences.push(licence(`${field("Name")} ${field("Version")} (${terms})`, join(libs, folder, "licenses")));
}
writeFileSync(join(home, "dist", "THIRD-PARTY-NOTICES.txt"), [...new Set(licences)].sort().join(`\n${"-".repeat(80)}\n\n`));

/** A heading, and the text of the licence in a folder. */
function licence(heading, folder) {
  const texts = existsSync(folder) ? readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry)).sort() : [];
  if (texts.length === 0) throw new Error(`${heading} has no licence text in ${folder}`);
  return `${heading}\n\n${texts.map((entry) => readFileSync(join(folder, entry), "utf8").trim()).join("\n\n")}\n`;
}
