// Every tool file of the workspace at once: with progress, and a preview before anything changes.

import { languages, Position, ProgressLocation, Range, Uri, window, workspace, WorkspaceEdit, type CancellationToken, type Progress } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { actionAt, FIX_ALL } from "./actions";
import { wordOfTools } from "./toolWords";
import { SELECTOR, type Server } from "./server";

const LABEL = "Translate to JSON Schema 2020-12";
const SHOWN = 10; // files that the question names

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
  const files = edit.entries().map(([uri]) => workspace.asRelativePath(uri));
  if (files.length === 0) {
    void window.showInformationMessage("Nothing to translate in this workspace.");
    return;
  }
  const question = files.length === 1 ? "Translate the old schemas of 1 file?" : `Translate the old schemas of ${files.length} files?`;
  const more = files.length > SHOWN ? [`and ${files.length - SHOWN} more`] : [];
  const detail = [...files.slice(0, SHOWN), ...more, "", "What passes before passes after."].join("\n");
  const answer = await window.showInformationMessage(question, { modal: true, detail }, "Translate", "Preview");
  if (answer !== undefined) {
    await workspace.applyEdit(answer === "Preview" ? await previewed(edit) : edit, { isRefactoring: true });
  }
}

/** The same edit as a preview in which the user picks files: one change a file, for half a translation is none. */
async function previewed(edit: WorkspaceEdit): Promise<WorkspaceEdit> {
  const shown = new WorkspaceEdit();
  for (const [uri, changes] of edit.entries()) {
    const document = await workspace.openTextDocument(uri);
    const sorted = [...changes].sort((one, other) => one.range.start.compareTo(other.range.start));
    const start = sorted[0]?.range.start ?? new Position(0, 0);
    let [text, end] = ["", start];
    for (const { range, newText } of sorted) {
      text += document.getText(new Range(end, range.start)) + newText;
      end = range.end;
    }
    shown.replace(uri, new Range(start, end), text, { label: LABEL, needsConfirmation: true });
  }
  return shown;
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
    const changes = await translationOf(client, uri, token);
    if (changes.length > 0) {
      edit.set(uri, changes);
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
  const action = await actionAt(client, document, FIX_ALL, undefined, token);
  const found = await client.protocol2CodeConverter.asWorkspaceEdit(action?.edit, token);
  return found?.get(uri) ?? [];
}
