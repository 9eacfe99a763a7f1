// Every tool file of the workspace at once: with progress, and a preview before anything changes.

import { languages, ProgressLocation, Range, Uri, window, workspace, WorkspaceEdit, type CancellationToken, type Progress } from "vscode";
import { CodeActionRequest, CodeActionTriggerKind, type CodeAction, type LanguageClient } from "vscode-languageclient/node";
import { FIX_ALL } from "./commands";
import { wordOfTools } from "./looks";
import { SELECTOR, type Server } from "./server";

const ANNOTATION = { label: "Translate to JSON Schema 2020-12", needsConfirmation: true };

export async function translateWorkspace(server: Server): Promise<void> {
  const client = await server.running();
  if (client === undefined) {
    return;
  }
  const options = { location: ProgressLocation.Notification, title: "Looking for old schemas", cancellable: true };
  const edit = await window.withProgress(options, (progress, token) => gather(client, progress, token));
  if (edit === undefined) {
    return;
  }
  if (edit.size === 0) {
    void window.showInformationMessage("Nothing to translate in this workspace.");
    return;
  }
  await workspace.applyEdit(edit, { isRefactoring: true });
}

/** The edits of all files; undefined where the user had enough. */
async function gather(
  client: LanguageClient,
  progress: Progress<{ message?: string; increment?: number }>,
  token: CancellationToken,
): Promise<WorkspaceEdit | undefined> {
  const edit = new WorkspaceEdit();
  const files = await workspace.findFiles("**/*.{json,jsonc,yaml,yml}", "**/node_modules/**", undefined, token);
  for (const uri of files.sort((one, other) => (one.path < other.path ? -1 : 1))) {
    if (token.isCancellationRequested) {
      return undefined;
    }
    progress.report({ message: workspace.asRelativePath(uri), increment: 100 / files.length });
    for (const change of await translationOf(client, uri, token)) {
      edit.replace(uri, change.range, change.newText, ANNOTATION);
    }
  }
  return edit;
}

async function translationOf(client: LanguageClient, uri: Uri, token: CancellationToken) {
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const text = open?.getText() ?? new TextDecoder().decode(await workspace.fs.readFile(uri));
  if (wordOfTools(text) === undefined) {
    return [];
  }
  const document = open ?? (await workspace.openTextDocument(uri));
  if (languages.match(SELECTOR, document) === 0) {
    return [];
  }
  const actions = await client.sendRequest(
    CodeActionRequest.type,
    {
      textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
      range: client.code2ProtocolConverter.asRange(new Range(0, 0, 0, 0)),
      context: { diagnostics: [], only: [FIX_ALL], triggerKind: CodeActionTriggerKind.Invoked },
    },
    token,
  );
  const action = actions?.find((found): found is CodeAction => "edit" in found && found.kind === FIX_ALL);
  const found = await client.protocol2CodeConverter.asWorkspaceEdit(action?.edit, token);
  return found?.get(uri) ?? [];
}
