// Which program is the server: a draftlift of the user's, or a Python that runs the one that came with the extension.

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import * as path from "node:path";
import { workspace, type LogOutputChannel } from "vscode";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly description: string;
}

/** Why there is no program; ``setting`` is the one that can help. */
export class NoProgramError extends Error {
  constructor(
    message: string,
    readonly setting: "draftlift.interpreter" | "draftlift.path",
  ) {
    super(message);
  }
}

interface Python {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
  readonly executable: string;
}

/** The settings that decide which program runs; when one of them changes, the server has to start anew. */
export const PROGRAM_SETTINGS = ["importStrategy", "interpreter", "path", "args"].map((name) => `draftlift.${name}`);

const OLDEST = 10; // of Python 3
const VERSIONED = ["14", "13", "12", "11", "10"].map((minor) => [`python3.${minor}`]);

/** The program to run, by the settings. Programs are never looked for in the workspace, so ``home`` is where they run. */
export async function findProgram(home: string, log: LogOutputChannel): Promise<Program> {
  const settings = workspace.getConfiguration("draftlift");
  const list = (name: string) => settings.get<string[]>(name, []).map(replaceVariables);
  const args = list("args");

  const [own, ...ownArgs] = list("path");
  if (own !== undefined) {
    const answer = await run(own, [...ownArgs, "--version"], home);
    if (!answer.stdout.startsWith("draftlift ")) {
      throw new NoProgramError(`draftlift.path: \`${[own, ...ownArgs].join(" ")}\` is no draftlift (${answer.said})`, "draftlift.path");
    }
    return { command: own, args: [...ownArgs, "serve", ...args], description: `${answer.stdout} by draftlift.path` };
  }

  const python = await findPython(list("interpreter"), home);
  const name = `Python ${python.version} at ${python.executable}`;
  if (settings.get("importStrategy") === "fromEnvironment") {
    const answer = await run(python.command, [...python.args, "-m", "draftlift", "--version"], home);
    if (answer.stdout.startsWith("draftlift ")) {
      const description = `${answer.stdout} of ${name}`;
      return { command: python.command, args: [...python.args, "-m", "draftlift", "serve", ...args], description };
    }
    log.warn(`${name} has no draftlift (${answer.said}); the bundled one runs.`);
  }
  const script = path.join(home, "bundled", "serve.py");
  return { command: python.command, args: [...python.args, "-I", script, ...args], description: `bundled draftlift with ${name}` };
}

async function findPython(configured: string[], home: string): Promise<Python> {
  const refused: string[] = [];
  for (const [command, ...args] of configured.length > 0 ? [configured] : usualPythons()) {
    if (command === undefined) {
      continue;
    }
    const probe = "import sys; print('%d.%d.%d' % sys.version_info[:3]); print(sys.executable)";
    const answer = await run(command, [...args, "-E", "-s", "-c", probe], home);
    const [version = "", executable = command] = answer.stdout.split(/\r?\n/);
    const [major, minor] = version.split(".").map(Number);
    if (major === 3 && minor !== undefined && minor >= OLDEST) {
      return { command, args, version, executable };
    }
    if (major !== undefined && minor !== undefined) {
      refused.push(`${executable} is Python ${version}`);
    } else if (configured.length > 0) {
      refused.push(`\`${configured.join(" ")}\` is no Python (${answer.said})`);
    }
  }
  const found = refused.length > 0 ? [...new Set(refused)].join(", ") : "there is none on the PATH";
  throw new NoProgramError(`draftlift needs Python 3.${OLDEST} or newer: ${found}.`, "draftlift.interpreter");
}

function usualPythons(): string[][] {
  switch (process.platform) {
    case "win32":
      return [["py", "-3"], ["python"], ["python3"]];
    case "darwin": // its own python3 is too old, and may ask to install developer tools
      return [...VERSIONED, ["python3"], ["python"]];
    default:
      return [["python3"], ["python"], ...VERSIONED];
  }
}

function run(command: string, args: readonly string[], cwd: string): Promise<{ stdout: string; said: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, timeout: 20_000, windowsHide: true }, (error, stdout, stderr) => {
      const said = stderr.trim().split(/\r?\n/).at(-1) || (error === null ? stdout.trim() : (error.code ?? error.message));
      resolve({ stdout: stdout.trim(), said: String(said).slice(0, 200) });
    });
  });
}

function replaceVariables(text: string): string {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  return text
    .replaceAll("${userHome}", homedir())
    .replace(/^~(?=$|[\\/])/, homedir())
    .replaceAll("${workspaceFolder}", folder ?? "${workspaceFolder}");
}
