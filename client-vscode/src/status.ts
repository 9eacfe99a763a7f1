// The entry in the language status: whether this file is looked at, why, and how many of its schemas are old.

import { languages, LanguageStatusSeverity, window, type Command, type Diagnostic, type Disposable, type TextDocument } from "vscode";
import { wordOfTools } from "./toolWords";
import { SELECTOR, type Server } from "./server";

export function showStatus(server: Server): Disposable[] {
  const item = languages.createLanguageStatusItem("draftlift", SELECTOR);
  item.name = "draftlift";
  const logs: Command = { command: "draftlift.showLogs", title: "Show Logs" };

  const show = (text: string, detail: string, severity = LanguageStatusSeverity.Information, command = logs) => {
    Object.assign(item, { text, detail, severity, command, busy: server.condition === "starting" });
  };

  let latest = 0;
  const update = async () => {
    const document = window.activeTextEditor?.document;
    if (document === undefined || languages.match(SELECTOR, document) === 0) {
      return;
    }
    if (server.condition === "failed") {
      const again = { command: "draftlift.restart", title: "Start Again" };
      return show("draftlift: not running", server.failure ?? "", LanguageStatusSeverity.Error, again);
    }
    const turn = ++latest;
    const status = await server.status(document);
    if (turn !== latest) {
      return;
    }
    if (status?.leftOut === true) {
      const settings = { command: "workbench.action.openSettings", title: "Open Settings", arguments: ["draftlift.files"] };
      return show("draftlift: file left out", "by draftlift.files.include or draftlift.files.exclude", undefined, settings);
    }
    const word = wordOfTools(document.getText());
    if (word === undefined || status?.tools === 0) {
      const reason = word === undefined ? "nothing in this file speaks of tools" : `it says ${word}, but holds no tool that is complete enough to know`;
      return show("draftlift: no tools here", reason);
    }
    const old = oldSchemas(document).length;
    const tools = status === undefined ? "" : status.tools === 1 ? "1 tool, " : `${status.tools} tools, `;
    const reason = `${tools}looked at, for the file says ${word}`;
    if (old === 0) {
      return show("draftlift: no old schemas", reason);
    }
    const translate = { command: "draftlift.fixAll", title: "Translate" };
    show(old === 1 ? "draftlift: 1 old schema" : `draftlift: ${old} old schemas`, reason, LanguageStatusSeverity.Warning, translate);
  };

  void update();
  return [
    item,
    window.onDidChangeActiveTextEditor(() => void update()),
    languages.onDidChangeDiagnostics(({ uris }) => {
      const active = window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === active)) {
        void update();
      }
    }),
    server.onDidChange(() => void update()),
  ];
}

/** The diagnostics that say of a schema that it declares an old dialect. */
export function oldSchemas(document: TextDocument): Diagnostic[] {
  return languages.getDiagnostics(document.uri).filter(({ source, code }) => {
    return source === "draftlift" && (typeof code === "object" ? code.value : code) === "legacy-dialect";
  });
}
