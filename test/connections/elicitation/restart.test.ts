import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/index.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import type { ElicitationAnswer, ElicitationRequest } from "../../../src/types/elicitation.ts";
import { untilWritten } from "../../support/until-written.ts";
import { toldOf } from "./ask-host.ts";
import { askingServer, inputRequired, textResult } from "./asking-server.ts";

const question = {
  method: "elicitation/create",
  params: {
    message: "Which branch?",
    requestedSchema: { type: "object", properties: { a: { type: "string" } } },
  },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "waiting-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The state folder as a process leaves it that is killed while its call is where `when` says. */
async function killedWhile(when: "waiting" | "answered"): Promise<{ state: string; id: string }> {
  const [state, copy] = [folder(), folder()];
  let reached: () => void = () => {};
  const isThere = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const server = askingServer({
    era: "modern",
    tools: ["t"],
    call({ params }) {
      if (params.inputResponses === undefined) return inputRequired({ a: question });
      reached();
      return new Promise(() => {});
    },
  });
  const host = createHost({
    servers: { s: server.config },
    model: scriptedModel([{ calls: [{ name: "s__t", input: {} }] }]),
    policy: { rules: ["allow s/*"] },
    principal: "me",
    audit: false,
    state,
    elicit(): Promise<ElicitationAnswer> | ElicitationAnswer {
      if (when === "answered") return { action: "accept", content: { a: "main" } };
      reached();
      return new Promise(() => {});
    },
  });
  const conversation = host.conversation();
  const run = conversation.run("go");
  await isThere;
  await untilWritten(state, when === "waiting" ? '"call_waiting"' : '"call_resumed"');
  cpSync(state, copy, { recursive: true });
  await host.close();
  await run.result;
  return { state: copy, id: conversation.id };
}

async function goOn({ state, id }: { state: string; id: string }) {
  const asked: ElicitationRequest[] = [];
  const server = askingServer({ era: "modern", tools: ["t"], call: () => textResult("ran") });
  const host = createHost({
    servers: { s: server.config },
    model: scriptedModel([{ text: "done" }]),
    principal: "me",
    audit: false,
    state,
    elicit(request) {
      asked.push(request);
      return { action: "cancel" };
    },
  });
  onTestFinished(() => host.close());
  const { messages } = await host.run("and now?", { id }).result;
  return { told: toldOf(messages), calls: server.sent.filter(({ method }) => method === "tools/call") };
}

test("a call that waited for the person when the host was killed is told as that, and is not sent again by itself", async () => {
  const { told, calls } = await goOn(await killedWhile("waiting"));
  expect(told).toContain("waited for the person to answer its question");
  expect(told).toContain('"Which branch?"');
  expect(told).toContain("call it again");
  expect(calls).toEqual([]);
});

test("once the server has the answer, nobody knows what became of the call", async () => {
  const { told, calls } = await goOn(await killedWhile("answered"));
  expect(told).toContain("it may have run");
  expect(told).not.toContain("Which branch?");
  expect(calls).toEqual([]);
});
