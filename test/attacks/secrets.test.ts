import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import { attack, calling } from "./attack.ts";

const secret = 'key/"w+rd ü~4711\\geheim';
const bytes = Buffer.from(secret);

/** Made here by other means than the code that looks for them. */
const forms: Readonly<Record<string, string>> = {
  "as it is": secret,
  "in JSON": JSON.stringify(secret).slice(1, -1),
  "in JSON in JSON": JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  "in base64": bytes.toString("base64"),
  "in base64 for URLs": bytes.toString("base64url"),
  "in base64 with text before": Buffer.from(`user:${secret}`).toString("base64"),
  "in hex": bytes.toString("hex"),
  "in large hex": bytes.toString("hex").toUpperCase(),
  "in a URL": encodeURIComponent(secret),
  "in a form": new URLSearchParams({ "": secret }).toString().slice(1),
};
/** What is looked for: of the base64 with text before it the part that the secret alone decides. */
const needles = {
  ...forms,
  "in base64 with text before": (forms["in base64 with text before"] ?? "").slice(8, -4),
};

const leaksIn = (text: string) =>
  Object.entries(needles).flatMap(([name, needle]) => (text.includes(needle) ? [name] : []));

/** Twelve places, each of which says the secret in every form. */
async function say(all: string) {
  const schema = {
    type: "object",
    properties: { a: { type: "string", description: all, default: all, enum: [all] } },
  };
  const server = fakeServer(
    [
      textTool("described", () => "x", { description: all, title: all, inputSchema: { type: "object" } }),
      textTool("schema", () => "x", { inputSchema: schema as never }),
      textTool("annotated", () => "x", { annotations: { title: all } }),
      textTool("text", () => all),
      {
        definition: { name: "structured", inputSchema: { type: "object" } },
        run: () => ({ content: [], structuredContent: { [all]: [all] } }),
      },
      {
        definition: { name: "links", inputSchema: { type: "object" } },
        run: () => ({
          content: [
            { type: "resource_link", uri: `a:${all}`, name: all, description: all },
            { type: "resource", resource: { uri: "a:1", text: all } },
          ],
        }),
      },
      {
        definition: { name: "errs", inputSchema: { type: "object" } },
        run: () => ({ isError: true, content: [{ type: "text", text: all }] }),
      },
      textTool("throws", () => {
        throw new Error(all);
      }),
    ],
    { secrets: [{ name: "KEY", value: secret }] },
  );
  const names = ["described", "schema", "annotated", "text", "structured", "links", "errs", "throws"];
  const calls = names.map((name) =>
    calling({ name: `s__${name}`, input: name === "schema" ? {} : { note: "x" } }),
  );
  return attack(
    [...calls, calling({ name: "s__text", input: { [all]: all } }), calling({ name: `s__${all}` })],
    { s: server },
    {
      limits: { turns: 20 },
      policy: { flows: "off", rules: [`ask s/* note=${JSON.stringify(secret)}`] },
      person: (_, number) =>
        number === 2 ? { type: "deny", message: all } : { type: "allow", scope: "once" },
    },
  );
}

/** The model's own words, as the conversation keeps them. */
const ofModel = ["tool_input_delta", "message_completed", "run_completed", "text_delta"];

test("a secret in twelve places, in ten forms each, is in no event, no record, no question and no result", async () => {
  const { events, audit, shown, told, model } = await say(Object.values(forms).join(" "));
  expect(shown).toHaveLength(9);
  const texts: Record<string, string> = {
    audit: JSON.stringify(audit),
    questions: shown.join("\n"),
    results: told.join("\n"),
    "tools of the model": JSON.stringify(model.requests.map(({ tools }) => tools)),
  };
  for (const event of events) {
    if (!ofModel.includes(event.type))
      texts[event.type] = `${texts[event.type] ?? ""}${JSON.stringify(event)}`;
  }
  const found = Object.entries(texts).map(([name, text]) => [name, leaksIn(text)] as const);
  expect(Object.fromEntries(found.filter(([, leaks]) => leaks.length > 0))).toEqual({});
  expect(texts.audit).toContain("⟨secret");
  expect(texts.results).toContain("⟨secret");
});

test("what is sent is the secret itself: only what is shown and kept is blanked out", async () => {
  const server = fakeServer([textTool("text", () => "x")], { secrets: [{ name: "KEY", value: secret }] });
  const { shown } = await attack(
    [calling({ name: "s__text", input: { a: secret } })],
    { s: server },
    {
      person: () => ({ type: "allow", scope: "once" }),
    },
  );
  expect(server.calls).toEqual([{ name: "text", arguments: { a: secret } }]);
  expect(shown[0]).toContain(`⟨secret s KEY, ${secret.length} chars⟩`);
});
