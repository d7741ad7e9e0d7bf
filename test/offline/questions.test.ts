import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/types/json.ts";
import type { ToolSnapshot } from "../../src/types/tool.ts";
import { stableJson } from "../../src/util/stable-json.ts";
import { callsOf, question, respond } from "./ask.ts";
import { type Question, questions, unseenQuestions } from "./questions.ts";
import { type StartedServer, snapshotOf, startServer } from "./servers.ts";

let servers: StartedServer[];
let snapshot: ToolSnapshot;

beforeAll(async () => {
  servers = await Promise.all(
    ["everything", "filesystem", "memory", "workspace"].map((name) => startServer(name)),
  );
  snapshot = snapshotOf(servers);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

const ajvs = {
  "2020-12": new Ajv2020({ strict: false, validateFormats: false }),
  "draft-07": new Ajv({ strict: false, validateFormats: false }),
};

function schemaValid(schema: JsonObject, given: JsonObject): boolean {
  const ajv = String(schema.$schema).includes("2020-12") ? ajvs["2020-12"] : ajvs["draft-07"];
  return ajv.validate(schema, given) === true;
}

/** The arguments without those that equal the schema's defaults. */
function told(given: JsonObject, schema: JsonObject): string {
  const properties = schema.properties as Record<string, JsonObject>;
  const entries = Object.entries(given).filter(
    ([name, value]) => stableJson(properties[name]?.default ?? "no default") !== stableJson(value),
  );
  return stableJson(Object.fromEntries(entries));
}

interface Judged {
  readonly question: string;
  readonly got: string;
  /** Every call of the first turn went to a right tool, and none was left out. */
  readonly tools: boolean;
  /** No call has arguments that break its schema, or that are not what the question says. */
  readonly argumentsRight: boolean;
}

/** Calls to a wrong tool count against the tools; their arguments still have to fit the schema. */
async function judge(asked: Question): Promise<Judged> {
  const { message } = await respond([question(asked.text)], snapshot);
  const calls = callsOf(message, snapshot);
  let argumentsRight = true;
  const right = calls.filter((call) => {
    const definition = snapshot.tools.find(
      (tool) => `${tool.route.server}/${tool.route.tool}` === call.tool,
    )?.definition;
    if (definition === undefined || !schemaValid(definition.inputSchema, call.given)) argumentsRight = false;
    const schema = definition?.inputSchema ?? {};
    const ways = asked.calls.flat().filter(([tool]) => tool === call.tool);
    if (ways.length === 0) return false;
    if (!ways.some(([, given]) => told(given, schema) === told(call.given, schema))) argumentsRight = false;
    return true;
  });
  const covered = asked.calls.every((ways) =>
    ways.some(([tool]) => calls.some((call) => call.tool === tool)),
  );
  return {
    question: asked.text,
    got: calls.map((call) => `${call.tool} ${stableJson(call.given)}`).join(" | "),
    tools: covered && right.length === calls.length,
    argumentsRight,
  };
}

test("at least 25 of 30 questions go to the right tool first, and none with wrong arguments", async () => {
  const judged = await Promise.all(questions.map(judge));
  expect(questions).toHaveLength(30);
  expect(judged.filter((each) => !each.argumentsRight)).toEqual([]);
  expect(judged.filter((each) => each.tools).length, JSON.stringify(judged, null, 1)).toBeGreaterThanOrEqual(
    25,
  );
});

test("of ten unseen questions at least 8 go to the right tool first, and none with wrong arguments", async () => {
  const judged = await Promise.all(unseenQuestions.map(judge));
  expect(unseenQuestions).toHaveLength(10);
  expect(judged.filter((each) => !each.argumentsRight)).toEqual([]);
  expect(judged.filter((each) => each.tools).length, JSON.stringify(judged, null, 1)).toBeGreaterThanOrEqual(
    8,
  );
});
