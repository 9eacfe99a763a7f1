// Code actions asked of the server itself: the editor's own command for them keeps those back that are disabled, with the reason.

import { Range, type CancellationToken, type TextDocument } from "vscode";
import { CodeActionRequest, CodeActionTriggerKind, type CodeAction, type LanguageClient } from "vscode-languageclient/node";

export const FIX_ALL = "source.fixAll.draftlift";
export const TRANSLATE = "refactor.rewrite.draftlift";

/** The action of one kind at a place; undefined where there is none. */
export async function actionAt(
  client: LanguageClient,
  document: TextDocument,
  kind: string,
  range = new Range(0, 0, 0, 0),
  token?: CancellationToken,
): Promise<CodeAction | undefined> {
  const actions = await client.sendRequest(
    CodeActionRequest.type,
    {
      textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
      range: client.code2ProtocolConverter.asRange(range),
      context: { diagnostics: [], only: [kind], triggerKind: CodeActionTriggerKind.Invoked },
    },
    token,
  );
  return actions?.find((found): found is CodeAction => "kind" in found && found.kind === kind);
}
