// One schema a line in, one answer a line out; the argument names the translator. Copied beside node_modules to run.
import { createInterface } from "node:readline";

const DRAFT = /^https?:\/\/json-schema\.org\/(draft-0[467]|draft\/2019-09)\/schema#?$/;
const TRANSLATORS = {
  "json-schema-migrate": async () => {
    const { draft2020 } = await import("json-schema-migrate");
    return (schema) => {
      draft2020(schema); // in place
      return schema;
    };
  },
  effect: async () => {
    const { JsonSchema } = await import("effect");
    return (schema) => {
      const draft = DRAFT.exec(schema.$schema)?.[1];
      if (draft === "draft-06") schema.$schema = JsonSchema.META_SCHEMA_URI_DRAFT_07;
      else if (draft !== "draft-07") throw new Error(`no reader for ${schema.$schema}`);
      const { schema: root, definitions } = JsonSchema.fromSchemaDraft07(schema);
      return Object.keys(definitions).length ? { ...root, $defs: definitions } : root;
    };
  },
};

console.log = console.warn = console.info = console.error; // the answers have the standard output to themselves
const translate = await TRANSLATORS[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    answer = { status: "translated", schema: translate(JSON.parse(line)) };
  } catch (problem) {
    answer = { status: "refused", reason: String(problem?.message ?? problem).slice(0, 300) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
