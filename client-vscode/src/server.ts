// The life of the server: started at the first need, one at a time, started anew on request.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { commands, env, EventEmitter, Uri, window, type Disposable, type LogOutputChannel, type TextDocument } from "vscode";
import { LanguageClient, RevealOutputChannelOn, State, type DocumentSelector } from "vscode-languageclient/node";
import { findProgram, NoProgramError, type Program } from "./program";

export const SELECTOR = ["file", "untitled"].flatMap((scheme) =>
  ["json", "jsonc", "yaml"].map((language) => ({ scheme, language })),
) satisfies DocumentSelector;

export interface Status {
  readonly tools: number;
  readonly leftOut: boolean;
}

export type Condition = "idle" | "starting" | "running" | "failed";

const PATIENCE = 2000; // milliseconds for a server to end by itself
const INSTALL_PYTHON = "https://www.python.org/downloads/";

export class Server implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  private work: Promise<void> = Promise.resolve();
  private wanted = false;

  readonly onDidChange = this.changed.event;
  program: Program | undefined;
  failure: string | undefined;

  constructor(
    private readonly home: string,
    private readonly log: LogOutputChannel,
  ) {}

  get condition(): Condition {
    if (this.failure !== undefined) {
      return "failed";
    }
    if (this.client?.state === State.Running) {
      return "running";
    }
    return this.wanted ? "starting" : "idle";
  }

  get serverInfo(): string {
    const info = this.client?.initializeResult?.serverInfo;
    return info === undefined ? "none" : `${info.name} ${info.version ?? ""}`;
  }

  /** Whether anything was asked of the server yet. */
  get isWanted(): boolean {
    return this.wanted;
  }

  /** Start the server unless it was started before. */
  start(): Promise<void> {
    if (!this.wanted) {
      this.wanted = true;
      this.enqueue(() => this.launch());
    }
    return this.work;
  }

  /** Stop the server if there is one, and start it anew with the settings as they are. */
  restart(): Promise<void> {
    this.wanted = true;
    this.enqueue(async () => {
      await this.halt();
      await this.launch();
    });
    return this.work;
  }

  /** The running client; undefined where the server does not run, and the user knows. */
  async running(): Promise<LanguageClient | undefined> {
    await this.start();
    if (this.client?.state === State.Running) {
      return this.client;
    }
    if (this.failure !== undefined) {
      void window.showErrorMessage(this.failure);
    }
    return undefined;
  }

  /** What the server knows of a document; undefined where it does not run. */
  async status(document: TextDocument): Promise<Status | undefined> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    const textDocument = this.client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    return this.client.sendRequest<Status>("draftlift/status", { textDocument }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.enqueue(() => this.halt());
    await this.work;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private enqueue(step: () => Promise<void>): void {
    this.work = this.work.then(step).catch((error: unknown) => {
      this.failure = error instanceof Error ? error.message : String(error);
      this.log.error(this.failure);
      if (error instanceof NoProgramError) {
        void offerWaysOut(error);
      }
      this.changed.fire();
    });
  }

  private async launch(): Promise<void> {
    this.failure = undefined;
    this.changed.fire();
    this.program = undefined;
    const program = (this.program = await findProgram(this.home, this.log));
    this.log.info(`Starting ${program.description}: ${[program.command, ...program.args].join(" ")}`);
    this.client = new LanguageClient("draftlift", "draftlift", () => this.spawn(program), {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    });
    this.client.onDidChangeState(() => this.changed.fire());
    await this.client.start();
  }

  private async spawn({ command, args }: Program): Promise<ChildProcess> {
    const child = spawn(command, args, { cwd: this.home, env: { ...process.env, PYTHONUTF8: "1" }, windowsHide: true });
    await once(child, "spawn");
    this.process = child;
    return child;
  }

  private async halt(): Promise<void> {
    const { client, process } = this;
    this.client = this.process = undefined;
    // A client whose server crashed or never came up has nothing to stop, and says so by an error.
    await client?.dispose(PATIENCE).catch((error: unknown) => this.log.debug(String(error)));
    if (process !== undefined && process.exitCode === null && process.signalCode === null) {
      await Promise.race([once(process, "exit"), pause(PATIENCE)]);
      process.kill("SIGKILL"); // nothing where it has ended
    }
  }
}

async function offerWaysOut(error: NoProgramError): Promise<void> {
  const isPython = error.setting === "draftlift.interpreter";
  const choose = isPython ? "Choose Interpreter" : "Open Settings";
  const install = "How to Install";
  const answer = await window.showErrorMessage(error.message, choose, ...(isPython ? [install] : []));
  if (answer === choose) {
    // The setting is one of the machine that the server runs on.
    const page = env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
    await commands.executeCommand(`workbench.action.${page}`, { query: error.setting });
  } else if (answer === install) {
    await env.openExternal(Uri.parse(INSTALL_PYTHON));
  }
}
