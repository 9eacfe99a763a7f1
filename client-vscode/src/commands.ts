// What the command palette offers for one file, and for those who report a bug.

import {
  commands, extensions, languages, Range, Selection, version, window, workspace,
  type Diagnostic, type ExtensionContext, type LogOutputChannel, type TextEditor, Uri,
} from "vscode";
import type { CodeAction, LanguageClient } from "vscode-languageclient/node";
import { actionAt, FIX_ALL, TRANSLATE } from "./actions";
import { SELECTOR, type Server } from "./server";
import { oldSchemas } from "./status";

/** Translate whatever can be translated in the active file. */
export async function fixAll(server: Server): Promise<void> {
  if (ownEditor() !== undefined && (await server.running()) !== undefined) {
    await commands.executeCommand("editor.action.codeAction", { kind: FIX_ALL, apply: "first" });
  }
}

/** Translate the schema around the cursor; outside of all old ones, let the user choose which one. */
export async function translateHere(server: Server): Promise<void> {
  const editor = ownEditor();
  const client = editor === undefined ? undefined : await server.running();
  if (editor === undefined || client === undefined) {
    return;
  }
  const place = new Range(editor.selection.active, editor.selection.active);
  const action = (await actionAt(client, editor.document, TRANSLATE, place)) ?? (await chosenTranslation(client, editor));
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(action?.edit);
  if (edit !== undefined) {
    await workspace.applyEdit(edit);
  } else if (action?.disabled !== undefined) {
    void window.showInformationMessage(action.disabled.reason);
  }
}

/** Open the sample of the walkthrough as a new file. */
export async function openSample(context: ExtensionContext): Promise<void> {
  const sample = await workspace.fs.readFile(Uri.joinPath(context.extensionUri, "media", "walkthrough", "sample.json"));
  const document = await workspace.openTextDocument({ language: "json", content: new TextDecoder().decode(sample) });
  await window.showTextDocument(document);
}

/** Write down what a bug report needs, show it, and return it. */
export function printDebugInformation(context: ExtensionContext, server: Server, log: LogOutputChannel): string {
  const settings = workspace.getConfiguration("draftlift");
  const { properties } = context.extension.packageJSON.contributes.configuration as { properties: object };
  const names = Object.keys(properties).map((name) => name.replace("draftlift.", ""));
  const text = [
    `draftlift extension ${String(context.extension.packageJSON.version)}, VS Code ${version}, ${process.platform} ${process.arch}`,
    `workspace: ${workspace.workspaceFolders?.length ?? 0} folders, ${workspace.isTrusted ? "trusted" : "not trusted"}`,
    `server: ${server.condition}, ${server.serverInfo}${server.failure === undefined ? "" : `; ${server.failure}`}`,
    `program: ${server.program?.description ?? "none"}`,
    ...names.map((name) => `draftlift.${name}: ${JSON.stringify(settings.get(name))}`),
    `other extensions for JSON and YAML: ${otherExtensions().join(", ") || "none"}`,
  ].join("\n");
  log.info(`Debug information\n${text}`);
  log.show();
  return text;
}

function otherExtensions(): string[] {
  return extensions.all
    .filter(({ id, packageJSON }) => !id.startsWith("vscode.") && /json|yaml|mcp/i.test(`${id} ${String(packageJSON.displayName)}`))
    .map(({ id }) => id);
}

function ownEditor(): TextEditor | undefined {
  const editor = window.activeTextEditor;
  if (editor !== undefined && languages.match(SELECTOR, editor.document) > 0) {
    return editor;
  }
  void window.showInformationMessage("draftlift looks at JSON and YAML files; open one first.");
  return undefined;
}

/** The translation of an old schema that the user picks, the nearest first; the only one is taken at once. */
async function chosenTranslation(client: LanguageClient, editor: TextEditor): Promise<CodeAction | undefined> {
  const found = oldSchemas(editor.document);
  if (found.length === 0) {
    void window.showInformationMessage("No schema in this file declares an old dialect.");
    return undefined;
  }
  const { line } = editor.selection.active;
  const distance = ({ range }: Diagnostic) => Math.abs(range.start.line - line);
  const items = [...found]
    .sort((one, other) => distance(one) - distance(other))
    .map((diagnostic) => ({
      label: `${dataOf(diagnostic).tool ?? "tool"}: ${schemaOf(diagnostic).split("/").at(-1) ?? ""}`,
      description: `line ${diagnostic.range.start.line + 1}`,
      diagnostic,
    }));
  const [only, ...more] = items;
  const chosen = more.length === 0 ? only : await window.showQuickPick(items, { placeHolder: "Which schema shall be translated?" });
  if (chosen === undefined) {
    return undefined;
  }
  const { range } = chosen.diagnostic;
  editor.selection = new Selection(range.start, range.start);
  editor.revealRange(range);
  return actionAt(client, editor.document, TRANSLATE, new Range(range.start, range.start));
}

function schemaOf(diagnostic: Diagnostic): string {
  return (dataOf(diagnostic).pointer ?? "").replace(/\/\$schema$/, "");
}

/** What the server says of a diagnostic beside its message; the language client keeps it on the object. */
function dataOf(diagnostic: Diagnostic): { pointer?: string; tool?: string | null } {
  return (diagnostic as { data?: { pointer?: string; tool?: string | null } }).data ?? {};
}
