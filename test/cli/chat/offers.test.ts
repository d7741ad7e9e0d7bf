import { expect, onTestFinished, test } from "vitest";
import { attachFiles } from "../../../src/cli/chat/attach.ts";
import { applyCompletion, complete } from "../../../src/cli/chat/editor/completion.ts";
import { createOfferCompletion } from "../../../src/cli/chat/offers/complete-offer.ts";
import { type PromptInputParts, readPromptInput } from "../../../src/cli/chat/offers/prompt-input.ts";
import { readTypedPrompt } from "../../../src/cli/chat/offers/typed-prompt.ts";
import { readReference } from "../../../src/cli/resource-mention.ts";
import { createHost } from "../../../src/host.ts";
import type { Host } from "../../../src/types/host.ts";
import { type Answer, offerServer } from "../../fixtures/connections/offer-server.ts";

const answers: Record<string, Answer> = {
  "resources/list": () => ({
    resources: [
      { uri: "note://a", name: "first" },
      { uri: "note://b", name: "second" },
      { uri: "note://with space", name: "third" },
    ],
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "city://{name}/map", name: "city" }],
  }),
  "resources/read": ({ uri }) => {
    if (uri !== "note://a") throw { code: -32002, message: "There is no \u001b[31msuch note" };
    return { contents: [{ uri, mimeType: "text/plain", text: "hello" }] };
  },
  "prompts/list": () => ({
    prompts: [
      {
        name: "review",
        arguments: [
          { name: "file", required: true },
          { name: "style", description: "how \u001b[2J" },
        ],
      },
      { name: "plain" },
      { name: "empty" },
    ],
  }),
  "prompts/get": ({ name, arguments: args }) => ({
    messages:
      name === "empty"
        ? []
        : [{ role: "user", content: { type: "text", text: `\u001b[2J${JSON.stringify(args)}` } }],
  }),
  "completion/complete": ({ argument }) => {
    const values = ["Paris", "Parma", "New York"].filter((city) =>
      city.startsWith(String((argument as { value?: unknown }).value)),
    );
    return { completion: { values } };
  },
};

function hostOf(): { host: Host; asked: readonly { method: string; params: Record<string, unknown> }[] } {
  const server = offerServer(answers, { resources: {}, prompts: {}, completions: {} });
  const host = createHost({
    servers: { kb: { transport: server.transport } },
    model: "offline",
    state: false,
  });
  onTestFinished(() => host.close());
  return { host, asked: server.asked };
}

const { signal } = new AbortController();

test("of two ids that fit, the longer one is meant", () => {
  expect(readReference("a:b:c", ["a", "a:b"])).toEqual({ server: "a:b", rest: "c" });
  expect(readReference("b:c", ["a"])).toBeNull();
  expect(readReference("__proto__:c", ["a"])).toBeNull();
});

test("a resource that a message names goes with it, and what was added is told", async () => {
  const { host } = hostOf();
  expect(await attachFiles("what is @kb:note://a?", "/nowhere", { host, signal })).toEqual({
    type: "input",
    input: [
      { type: "text", text: "what is @kb:note://a?" },
      { type: "text", text: 'From the server "kb", added by the person:' },
      { type: "text", text: "Resource note://a (text/plain):\nhello" },
    ],
    added: ["added kb note://a (5 bytes)"],
  });
});

test("a message with a resource that cannot be read is not sent, and why is shown escaped", async () => {
  const { host } = hostOf();
  const attached = await attachFiles("@kb:note://x", "/nowhere", { host, signal });
  expect(attached).toMatchObject({ type: "refused" });
  expect(JSON.stringify(attached)).toContain("There is no \\\\u001b[31msuch note");
});

test("the name of no server's is a word of the message", async () => {
  const { host, asked } = hostOf();
  const attached = await attachFiles("@other:note://a and @kb:", "/nowhere", { host, signal });
  expect(attached).toMatchObject({ input: "@other:note://a and @kb:" });
  expect(asked).toEqual([]);
});

const cases: readonly [string, string | readonly string[]][] = [
  ["see @k", "see @kb:"],
  ["see @kb:note://", ["kb:note://a", "kb:note://b"]],
  ["see @kb:fir", "see @kb:note://a "],
  ["see @kb:ci", "see @kb:city://"],
  ["see @kb:city://Par", ["kb:city://Paris/map", "kb:city://Parma/map"]],
  ["see @kb:city://N", "see @kb:city://New%20York/map "],
  ["/k", "/kb:"],
  ["/kb:r", "/kb:review "],
  ["/s", "/save "],
  ["/resources ", "/resources kb "],
];

test.each(cases)("Tab after %j gives %j", async (text, expected) => {
  const { host } = hostOf();
  const edited = { text, cursor: text.length };
  const offers = createOfferCompletion(host, signal);
  const sources = { commands: ["/save"], servers: ["kb"], aliases: [], files: async () => [], offers };
  const completion = await complete(edited, sources);
  if (completion === null) throw new Error("nothing to complete");
  expect(applyCompletion(edited, completion)?.text ?? completion.candidates).toEqual(expected);
});

test.each([
  ["/kb:review", { server: "kb", name: "review", words: [] }],
  ["/kb:review file=a style=b", { server: "kb", name: "review", words: ["file=a", "style=b"] }],
  ['/kb:"two words" file="my notes.md"', { server: "kb", name: "two words", words: ["file=my notes.md"] }],
  ["/other:review", null],
  ["/tools", null],
  ["kb:review", null],
])("%j is read as %j", (typed, expected) => {
  expect(readTypedPrompt(typed, ["kb"])).toEqual(expected);
});

/** Types a prompt; what is printed, what was asked, and what would be sent. */
async function type(typed: string, answered: readonly (string | null)[], sends = true) {
  const { host, asked } = hostOf();
  const lines: string[] = [];
  const labels: string[] = [];
  const candidates: (readonly string[])[] = [];
  const left = [...answered];
  const parts: PromptInputParts = {
    host,
    paint: (_colour, text) => text,
    signal,
    print: (line) => lines.push(line),
    waiting: (work) => work(signal),
    async askArgument(label, completions) {
      labels.push(label);
      candidates.push(await completions("Par"));
      return left.shift() ?? null;
    },
    confirm: async () => sends,
  };
  const found = readTypedPrompt(typed, ["kb"]);
  if (found === null) throw new Error(`${typed} is no prompt`);
  const input = await readPromptInput(found, parts);
  return { input, lines, labels, candidates, gets: asked.filter(({ method }) => method === "prompts/get") };
}

test("arguments that were not typed are asked one by one with completion, and what is sent is shown escaped", async () => {
  const { input, lines, labels, candidates } = await type("/kb:review", ["", "a.md", ""]);
  expect(labels).toEqual(["file", "file", "style"]);
  expect(candidates[0]).toEqual(["Paris", "Parma"]);
  expect(lines).toEqual([
    "  may be left empty: how \\u001b[2J",
    "The server kb made this of its prompt review:",
    "│ you:",
    '│   \\u001b[2J{"file":"a.md"}',
  ]);
  expect(input).toEqual([
    { type: "text", text: 'Prompt "review" of the server "kb", in its words:' },
    { type: "text", text: '\u001b[2J{"file":"a.md"}' },
  ]);
});

test("typed arguments are not asked for, and one that the prompt does not have is refused before anything is sent", async () => {
  const { labels, gets } = await type("/kb:review file=a style=b", []);
  expect(labels).toEqual([]);
  expect(gets[0]?.params.arguments).toEqual({ file: "a", style: "b" });
  await expect(type("/kb:review fiel=a", [])).rejects.toThrow("has no argument fiel");
  await expect(type("/kb:reveiw", [])).rejects.toThrow("review");
});

test("who leaves a question sends nothing, neither does a no, and an empty prompt says so", async () => {
  const left = await type("/kb:review", [null]);
  expect([left.input, left.gets]).toEqual([null, []]);
  const refused = await type("/kb:plain", [], false);
  expect([refused.input, refused.lines.at(-1)]).toEqual([null, "Not sent."]);
  const empty = await type("/kb:empty", []);
  expect([empty.input, empty.lines]).toEqual([null, ["The prompt is empty: there is nothing to send."]]);
});
