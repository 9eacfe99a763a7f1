// Three validators as judges. A line in: [[draft, schema, instances], ...]; a line out: [{ajv, hyperjump, cfworker}, ...],
// each a letter an instance: t valid, f invalid, e no verdict. Nothing is ever fetched.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { removeUriSchemePlugin } from "@hyperjump/browser";
import "@hyperjump/json-schema/draft-04";
import "@hyperjump/json-schema/draft-06";
import "@hyperjump/json-schema/draft-07";
import "@hyperjump/json-schema/draft-2019-09";
import { registerSchema, setShouldValidateSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { Validator } from "@cfworker/json-schema";

const require = createRequire(import.meta.url);
const Ajv = require("ajv").default;
const Ajv2019 = require("ajv/dist/2019").default;
const Ajv2020 = require("ajv/dist/2020").default;
const Ajv04 = require("ajv-draft-04").default;

for (const scheme of ["http", "https", "file"]) removeUriSchemePlugin(scheme);
setShouldValidateSchema(false);
console.log = console.warn = console.info = console.error; // the answers have the standard output to themselves

const copy = (value) => JSON.parse(JSON.stringify(value));
const letters = (instances, isValid) =>
  instances
    .map((instance) => {
      try {
        return isValid(instance) ? "t" : "f";
      } catch {
        return "e";
      }
    })
    .join("");

const AJV_OPTIONS = {
  strict: false, validateSchema: false, meta: false, validateFormats: false, logger: false, code: { optimize: false },
};
const AJV = { "draft-04": Ajv04, "draft-06": Ajv, "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
for (const draft in AJV) AJV[draft] = new AJV[draft](AJV_OPTIONS);
const ajv = (draft, schema, instances) => {
  const judge = AJV[draft];
  // A new one each time takes longer. Nothing of the last schema may stay, not even of one that did not compile.
  for (const held of [judge.schemas, judge.refs, judge._loading]) for (const key of Object.keys(held)) delete held[key];
  judge._cache.clear();
  judge._compilations.clear();
  return letters(instances, judge.compile(schema));
};

const HYPERJUMP = {
  "draft-04": "http://json-schema.org/draft-04/schema",
  "draft-06": "http://json-schema.org/draft-06/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};
let count = 0;
const hyperjump = async (draft, schema, instances) => {
  const uri = `judged:${++count}`;
  registerSchema(schema, uri, HYPERJUMP[draft]);
  try {
    const isValid = await validate(uri);
    return letters(instances, (instance) => isValid(instance).valid);
  } finally {
    unregisterSchema(uri);
  }
};

// cfworker knows no draft-06: what draft-07 added to it makes its verdicts differ, and then it is not asked.
const CFWORKER = { "draft-04": "4", "draft-06": "7", "draft-07": "7", "2019-09": "2019-09", "2020-12": "2020-12" };
const cfworker = (draft, schema, instances) => {
  const validator = new Validator(schema, CFWORKER[draft]);
  return letters(instances, (instance) => validator.validate(instance).valid);
};

const JUDGES = { ajv, hyperjump, cfworker };
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const answers = [];
  for (const [draft, schema, instances] of JSON.parse(line)) {
    const verdicts = {};
    for (const [name, judge] of Object.entries(JUDGES)) {
      try {
        verdicts[name] = await judge(draft, copy(schema), instances);
      } catch {
        verdicts[name] = "e".repeat(instances.length);
      }
    }
    answers.push(verdicts);
  }
  process.stdout.write(JSON.stringify(answers) + "\n");
}
