// The composition root: what the extension listens to, and the commands it has.

import { commands, languages, window, workspace, type ExtensionContext, type TextDocument } from "vscode";
import { fixAll, openSample, printDebugInformation, translateHere } from "./commands";
import { translateWorkspace } from "./translateWorkspace";
import { wordOfTools } from "./toolWords";
import { PROGRAM_SETTINGS } from "./program";
import { Server, SELECTOR } from "./server";
import { showStatus } from "./status";

const PAUSE = 300; // milliseconds without a further change after which a text or the settings are looked at

let server: Server | undefined;

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("draftlift", { log: true });
  const own = (server = new Server(context.extensionPath, log));
  const on = (name: string, action: () => unknown) => commands.registerCommand(`draftlift.${name}`, action);
  context.subscriptions.push(
    log,
    own,
    ...showStatus(own),
    on("fixAll", () => fixAll(own)),
    on("translateHere", () => translateHere(own)),
    on("translateWorkspace", () => translateWorkspace(own)),
    on("restart", () => own.restart()),
    on("showLogs", () => log.show()),
    on("printDebugInformation", () => printDebugInformation(context, own, log)),
    on("openSample", () => openSample(context)),
  );
  startWhenNeeded(own, context);
  restartWhenNeeded(own, context);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Start the server once a document that is open looks like tools, or where closed files are to be looked at too. */
function startWhenNeeded(own: Server, context: ExtensionContext): void {
  const isOurs = (document: TextDocument) => !own.isWanted && languages.match(SELECTOR, document) > 0;
  const look = (document: TextDocument) => {
    if (isOurs(document) && wordOfTools(document.getText()) !== undefined) {
      void own.start();
    }
  };
  const lookEverywhere = () => {
    const modes = workspace.workspaceFolders?.map((folder) => workspace.getConfiguration("draftlift", folder).get("diagnosticMode"));
    if (!own.isWanted && modes?.includes("workspace")) {
      void own.start();
    }
  };
  let pause: NodeJS.Timeout | undefined;
  const changed = new Set<TextDocument>();
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("draftlift.diagnosticMode") && lookEverywhere()),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (isOurs(document)) {
        changed.add(document);
        clearTimeout(pause);
        pause = setTimeout(() => {
          changed.forEach(look);
          changed.clear();
        }, PAUSE);
      }
    }),
    { dispose: () => clearTimeout(pause) },
  );
  workspace.textDocuments.forEach(look);
  lookEverywhere();
}

/** Start the server anew once the settings that choose its program have changed; one restart for several of them. */
function restartWhenNeeded(own: Server, context: ExtensionContext): void {
  let pause: NodeJS.Timeout | undefined;
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => {
      if (own.isWanted && PROGRAM_SETTINGS.some((name) => event.affectsConfiguration(name))) {
        clearTimeout(pause);
        pause = setTimeout(() => void own.restart(), PAUSE);
      }
    }),
    { dispose: () => clearTimeout(pause) },
  );
}
