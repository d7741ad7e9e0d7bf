import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/testing/index.ts";
import type { ApprovalRequest } from "../../../src/types/approval.ts";
import type { HostOptions } from "../../../src/types/config.ts";
import { ofType, runCalls } from "./ask-host.ts";
import {
  type AskingCall,
  type AskingServer,
  askingServer,
  extensionsOf,
  inputRequired,
  textResult,
} from "./asking-server.ts";

const prompt = {
  messages: [{ role: "user", content: { type: "text", text: "What is it?" } }],
  systemPrompt: "Be brief.",
  maxTokens: 50_000,
};
const rule = 'allow s/"sampling/createMessage"';

function samplingServer(era: "legacy" | "modern", params: unknown = prompt, sampling = true): AskingServer {
  const call = async ({ ask, params: given }: AskingCall): Promise<unknown> => {
    if (era === "legacy") return textResult(JSON.stringify(await ask("sampling/createMessage", params)));
    if (given.inputResponses !== undefined) return textResult(JSON.stringify(given.inputResponses));
    return inputRequired({ a: { method: "sampling/createMessage", params } });
  };
  return askingServer({ era, tools: ["t"], call, settings: sampling ? { sampling } : {} });
}

const call = { calls: [{ name: "s__t", input: {} }] };
const usage = { inputTokens: 100, outputTokens: 20 };

function run(server: AskingServer, options: Partial<HostOptions>) {
  const model = scriptedModel([call, { text: "It is a bridge.", usage }, { text: "done" }]);
  return runCalls(server, ["t"], { model, ...options }).then((asked) => ({ ...asked, model }));
}

test.each(["legacy", "modern"] as const)(
  "a %s server gets the model's answer where a rule names that",
  async (era) => {
    const server = samplingServer(era);
    const { told, events, entries, model, result } = await run(server, {
      policy: { rules: ["allow s/*", rule] },
      maxTokens: 1_000,
    });
    expect(server.capabilities()).toEqual({ sampling: {}, ...extensionsOf(era) });
    expect(told).toContain('"content":{"type":"text","text":"It is a bridge."}');
    expect(told).toContain('"role":"assistant"');
    // The host's own limit, no tools, and only the server's words.
    const [, request] = model.requests;
    expect(request).toMatchObject({ system: "Be brief.", maxTokens: 1_000 });
    expect(request?.messages).toEqual([{ role: "user", content: [{ type: "text", text: "What is it?" }] }]);
    expect(request?.tools ?? []).toEqual([]);
    expect(ofType(events, "sampling_answered")).toMatchObject([{ outcome: "answered", usage }]);
    expect(result.usage.inputTokens).toBeGreaterThanOrEqual(100);
    expect(entries.filter(({ kind }) => kind.startsWith("sampling"))).toMatchObject([
      {
        kind: "sampling_decided",
        decision: "allow",
        by: { type: "rule", rule },
        prompt: { system: "Be brief." },
      },
      { kind: "sampling_answered", outcome: "answered", ...usage },
    ]);
  },
);

test("a rule for all tools of the server does not let it use the model: the person sees the whole prompt", async () => {
  const requests: ApprovalRequest[] = [];
  const { told, events } = await run(samplingServer("legacy"), {
    approve(request) {
      requests.push(request);
      for (const { id } of request.questions) request.answer(id, { type: "deny" });
    },
  });
  const [question] = requests[0]?.questions ?? [];
  expect(question?.calls[0].tool.route).toEqual({ server: "s", tool: "sampling/createMessage" });
  expect(question?.calls[0].argumentsJson).toContain("What is it?");
  expect(told).toContain("not allowed to be asked");
  expect(ofType(events, "sampling_answered")).toMatchObject([{ outcome: "denied" }]);
});

test("where nobody can be asked the model is not, and the event names the rule that would allow it", async () => {
  const { events, model, entries } = await run(samplingServer("legacy"), {});
  expect(ofType(events, "sampling_answered")[0]?.reason).toContain(rule);
  expect(model.requests).toHaveLength(2);
  expect(entries.filter(({ kind }) => kind === "sampling_answered")).toEqual([]);
});

test("a server that was not given the model finds none, whatever the rules say", async () => {
  const server = samplingServer("legacy", prompt, false);
  const { told, events } = await run(server, { policy: { rules: ["allow s/*", rule] } });
  expect(server.capabilities()).toEqual({});
  expect(told).toContain("does not offer it");
  expect(ofType(events, "sampling_requested")).toEqual([]);
});

test("a spent budget ends it: the model is not asked", async () => {
  const model = scriptedModel([{ ...call, usage: { inputTokens: 500, outputTokens: 0 } }, { text: "no" }]);
  const { told } = await runCalls(samplingServer("legacy"), ["t"], {
    model,
    policy: { rules: ["allow s/*", rule] },
    limits: { tokens: 400 },
  });
  expect(model.requests).toHaveLength(1);
  expect(told).toContain("the model gave no answer");
});

test.each([
  [{ ...prompt, messages: [] }, "no messages"],
  [{ ...prompt, maxTokens: 0 }, "maxTokens"],
  [{ ...prompt, tools: [{ name: "t" }] }, "no tools in sampling"],
  [{ ...prompt, messages: [{ role: "system", content: { type: "text", text: "x" } }] }, "neither user"],
  [{ ...prompt, messages: [{ role: "user", content: { type: "audio", data: "" } }] }, "text and images"],
  [{ ...prompt, messages: Array(101).fill(prompt.messages[0]) }, "more than 100"],
  [null, "no parameters"],
])("a prompt like %j is refused", async (params, reason) => {
  const { told, model } = await run(samplingServer("legacy", params), {
    policy: { rules: ["allow s/*", rule] },
  });
  expect(told).toContain(reason);
  expect(model.requests).toHaveLength(2);
});
