// What the command palette offers for one file, and for those who report a bug.

import {
  commands, extensions, languages, QuickPickItemKind, Range, Selection, version, window, workspace,
  type CodeAction, type Diagnostic, type DocumentSymbol, type ExtensionContext, type LogOutputChannel, type Position,
  type TextDocument, type TextEditor, Uri,
} from "vscode";
import { SELECTOR, type Server } from "./server";
import { oldSchemas } from "./status";

export const FIX_ALL = "source.fixAll.draftlift";

/** Translate whatever can be translated in the active file. */
export async function fixAll(server: Server): Promise<void> {
  if (ownEditor() !== undefined && (await server.running()) !== undefined) {
    await commands.executeCommand("editor.action.codeAction", { kind: FIX_ALL, apply: "first" });
  }
}

/** Translate the schema around the cursor; where it is not plain which one that is, let the user choose. */
export async function translateHere(server: Server): Promise<void> {
  const editor = ownEditor();
  if (editor === undefined || (await server.running()) === undefined) {
    return;
  }
  const { document } = editor;
  const position = editor.selection.active;
  if (await translateAt(document, new Range(position, position))) {
    return;
  }
  const found = oldSchemas(document);
  if (found.length === 0) {
    void window.showInformationMessage("No schema in this file declares an old dialect.");
    return;
  }
  const around = found.length === 1 ? found[0] : await schemaAround(document, position, found);
  const chosen = around ?? (await choose(position, found));
  if (chosen !== undefined && !(await translateAt(document, chosen.range))) {
    editor.selection = new Selection(chosen.range.start, chosen.range.start);
    editor.revealRange(chosen.range);
    void window.showInformationMessage("No translation of this schema keeps every verdict. Each place that stands in the way is marked.");
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
  const names = ["rules.ignore", "rules.severity", "importStrategy", "interpreter", "path", "args", "trace.server"];
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

async function translateAt(document: TextDocument, range: Range): Promise<boolean> {
  const found = await commands.executeCommand<CodeAction[]>("vscode.executeCodeActionProvider", document.uri, range, "quickfix");
  const action = found.find(({ title, isPreferred, edit }) => isPreferred && edit !== undefined && title.startsWith("Translate"));
  return action?.edit !== undefined && (await workspace.applyEdit(action.edit));
}

/** The schema that the outline, where an extension gives one, has the position in. */
async function schemaAround(document: TextDocument, position: Position, found: Diagnostic[]): Promise<Diagnostic | undefined> {
  const outline = await commands.executeCommand<DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", document.uri);
  let here = "";
  for (let level = outline ?? []; ; ) {
    const symbol = level.find(({ range }) => range?.contains(position));
    if (symbol === undefined) {
      break;
    }
    here += `/${symbol.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    level = symbol.children ?? [];
  }
  return found.find((diagnostic) => `${here}/`.startsWith(`${schemaOf(diagnostic)}/`));
}

async function choose(position: Position, found: Diagnostic[]): Promise<Diagnostic | undefined> {
  const distance = ({ range }: Diagnostic) => Math.abs(range.start.line - position.line);
  const items = [...found]
    .sort((one, other) => distance(one) - distance(other))
    .map((diagnostic) => ({
      label: `${dataOf(diagnostic).tool ?? "tool"}: ${schemaOf(diagnostic).split("/").at(-1) ?? ""}`,
      description: `line ${diagnostic.range.start.line + 1}`,
      kind: QuickPickItemKind.Default,
      diagnostic,
    }));
  return (await window.showQuickPick(items, { placeHolder: "Which schema shall be translated?" }))?.diagnostic;
}

function schemaOf(diagnostic: Diagnostic): string {
  return (dataOf(diagnostic).pointer ?? "").replace(/\/\$schema$/, "");
}

/** What the server says of a diagnostic beside its message; the language client keeps it on the object. */
function dataOf(diagnostic: Diagnostic): { pointer?: string; tool?: string | null } {
  return (diagnostic as { data?: { pointer?: string; tool?: string | null } }).data ?? {};
}
