import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/index.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import type { AuditEntry } from "../../../src/types/audit.ts";
import type { HostOptions } from "../../../src/types/config.ts";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { ofType, runCalls } from "./ask-host.ts";
import { type AskingCall, type AskingServer, askingServer, inputRequired } from "./asking-server.ts";

const form = {
  message: "Which branch?",
  requestedSchema: { type: "object", properties: { branch: { type: "string" } } },
};
const prompt = { messages: [{ role: "user", content: { type: "text", text: "Name it." } }], maxTokens: 100 };

/** Both a read's result and a prompt's, with what the server was told. */
const told = (answer: unknown) => {
  const text = JSON.stringify(answer);
  return {
    resultType: "complete",
    contents: [{ uri: "a:1", text }],
    messages: [{ role: "user", content: { type: "text", text } }],
  };
};

/** A server that asks for something before it gives what is read. */
function readServer(
  era: "legacy" | "modern",
  method = "elicitation/create",
  asked: object = form,
  sampling = false,
): AskingServer {
  async function read({ ask, params }: AskingCall): Promise<unknown> {
    if (era === "legacy") return told(await ask(method, asked));
    if (params.inputResponses !== undefined) return told([params.inputResponses, params.requestState]);
    return inputRequired({ a: { method, params: asked } });
  }
  return askingServer({
    era,
    tools: ["t"],
    call: () => told(""),
    read,
    settings: sampling ? { sampling } : {},
  });
}

function open(server: AskingServer, options: Partial<HostOptions> = {}) {
  const entries: AuditEntry[] = [];
  const host = createHost({
    servers: { s: server.config },
    model: scriptedModel([{ text: "main" }]),
    audit: { append: async (entry) => void entries.push(structuredClone(entry)) },
    state: false,
    ...options,
  });
  onTestFinished(() => host.close());
  return { host, entries };
}

const ways = (["legacy", "modern"] as const).flatMap((era) => [
  [era, "read"] as const,
  [era, "prompt"] as const,
]);

test.each(ways)(
  "what a %s server asks in the middle of a %s is answered by the person, and recorded",
  async (era, way) => {
    const requests: ElicitationRequest[] = [];
    const { host, entries } = open(readServer(era), {
      elicit(request) {
        requests.push(request);
        return { action: "accept", content: { branch: "main" } };
      },
    });
    const given = way === "read" ? await host.readResource("s", "a:1") : await host.getPrompt("s", "p");
    const said = JSON.stringify(given).replaceAll("\\", "");
    expect(said).toContain('{"action":"accept","content":{"branch":"main"}}');
    if (era === "modern") expect(said).toContain('"state"');
    const tool = way === "read" ? "resources/read" : "prompts/get";
    expect(requests).toMatchObject([{ server: "s", message: "Which branch?", calls: [{ tool }] }]);
    const kinds = entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith("elicitation"))).toEqual([
      "elicitation_asked",
      "elicitation_answered",
    ]);
    expect(kinds.indexOf("elicitation_asked")).toBeGreaterThan(kinds.indexOf("call_intended"));
    expect(kinds.indexOf("elicitation_answered")).toBeLessThan(kinds.indexOf("call_settled"));
  },
);

test.each(ways)("a %s server's %s without anybody to ask ends with the reason", async (era, way) => {
  const { host } = open(readServer(era));
  const reading = way === "read" ? host.readResource("s", "a:1") : host.getPrompt("s", "p");
  const end = await reading.then(JSON.stringify, (thrown: unknown) => String(thrown));
  expect(end).toContain("this host does not offer it");
});

test("a server may use the model for a read only where a rule names that, as for a call", async () => {
  const server = () => readServer("modern", "sampling/createMessage", prompt, true);
  const allowed = open(server(), { policy: { rules: ['allow s/"sampling/createMessage"'] } });
  const reading = await allowed.host.readResource("s", "a:1");
  expect(reading.contents[0]?.text).toContain('"text":"main"');
  expect(allowed.entries.filter(({ kind }) => kind.startsWith("sampling"))).toMatchObject([
    { kind: "sampling_decided", decision: "allow" },
    { kind: "sampling_answered", outcome: "answered" },
  ]);
  const denied = open(server());
  await expect(denied.host.readResource("s", "a:1")).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining("sampling/createMessage"),
  });
  expect(denied.entries).toContainEqual(
    expect.objectContaining({ kind: "sampling_decided", decision: "deny" }),
  );
});

test("what the model reads by a tool may ask too, and the run tells of it", async () => {
  const { told: result, events } = await runCalls(
    readServer("modern"),
    [],
    { resourceTools: true, elicit: () => ({ action: "decline" }) },
    [{ calls: [{ name: await readTool(), input: { uri: "a:1" } }] }],
  );
  expect(result).toContain('"action":"decline"');
  expect(ofType(events, "elicitation_requested")).toMatchObject([{ server: "s", message: "Which branch?" }]);
});

/** The name that the model has for the host's tool. */
async function readTool(): Promise<string> {
  const { host } = open(readServer("modern"), { resourceTools: true });
  const { tools } = await host.tools();
  return tools.find(({ route }) => route.tool === "resources/read")?.alias ?? "";
}
