// Whether a text is worth a server. A narrower sister of draftlift.tools.find.may_hold_sites: every file of package.json's
// or OpenAPI's kind has the words "tools" or "parameters" somewhere, and none of them shall start a process.

const FIELD = /\b(?:inputSchema|requestedSchema)\b/;
const LIST = /(?:^|[\s{,"'])tools["']?\s*:/;
const PROVIDER = /\b(?:input_schema|parameters|parametersJsonSchema|parameters_json_schema)\b/;
const OLD_DRAFT = /json-schema\.org\/draft-0[467]\/|json-schema\.org\/draft\/2019-09\//;

/** The word because of which a text may hold tools; undefined where it has none. */
export function wordOfTools(text: string): string | undefined {
  const found = FIELD.exec(text)?.[0] ?? (LIST.test(text) ? "tools" : undefined);
  if (found !== undefined) {
    return found;
  }
  // A model provider's shape is looked at for a declared old draft only.
  return OLD_DRAFT.test(text) ? PROVIDER.exec(text)?.[0] : undefined;
}
