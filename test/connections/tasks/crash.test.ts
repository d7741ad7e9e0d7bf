import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/index.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import type { AuditEntry } from "../../../src/types/audit.ts";
import { untilWritten } from "../../support/until-written.ts";
import { toldOf } from "../elicitation/ask-host.ts";
import { textResult } from "../elicitation/asking-server.ts";
import { created, never, task, taskServer } from "./task-server.ts";

const eras = ["legacy", "modern"] as const;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "task-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const common = { policy: { rules: ["allow s/*"] }, principal: "me", audit: false } as const;

/** The state folder as a process leaves it that is killed while its task goes on. */
async function killedInTask(era: "legacy" | "modern"): Promise<{ state: string; id: string }> {
  const [state, copy] = [folder(), folder()];
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = taskServer({
    era,
    taskSupport: "required",
    answers: {
      "tools/call": () => created(era),
      "tasks/result": () => never,
      "tasks/get"() {
        asked();
        return task("working");
      },
    },
  });
  const model = scriptedModel([{ calls: [{ name: "s__t", input: {} }] }]);
  const host = createHost({ ...common, servers: { s: server.config }, model, state });
  const conversation = host.conversation();
  const run = conversation.run("go");
  await isAsked;
  await untilWritten(state, '"call_task"');
  cpSync(state, copy, { recursive: true });
  await host.close();
  await run.result;
  return { state: copy, id: conversation.id };
}

async function goOn({ state, id }: { state: string; id: string }, era: "legacy" | "modern", answer: unknown) {
  const server = taskServer({
    era,
    taskSupport: "required",
    answers: { "tasks/get": () => answer, "tasks/result": () => textResult("made") },
  });
  const model = scriptedModel([{ text: "done" }]);
  const entries: AuditEntry[] = [];
  const audit = { append: async (entry: AuditEntry) => void entries.push(entry) };
  const host = createHost({ ...common, audit, servers: { s: server.config }, model, state });
  onTestFinished(() => host.close());
  const { messages } = await host.run("and now?", { id }).result;
  const settled = entries.filter(({ kind }) => kind === "call_settled");
  return { told: toldOf(messages), methods: server.methods(), settled };
}

test.each(eras)(
  "a conversation that goes on after a crash gets the end of the task that a %s server has kept",
  async (era) => {
    const killed = await killedInTask(era);
    const { told, methods, settled } = await goOn(
      killed,
      era,
      task("completed", { result: textResult("made") }),
    );
    expect(told).toBe("made");
    expect(settled).toMatchObject([
      { server: "s", tool: "t", alias: "s__t", turn: 1, outcome: "answered", executed: "yes", bytesIn: 4 },
    ]);
    expect(methods).not.toContain("tools/call");
  },
);

test.each([
  [task("working"), "still works on it"],
  [{ error: { code: -32602, message: "Task not found" } }, "its outcome is unknown"],
])(
  "a task whose end is not to be had after a crash is told as that, and is not called again",
  async (answer, words) => {
    const { told, methods, settled } = await goOn(await killedInTask("modern"), "modern", answer);
    expect(settled).toEqual([]);
    expect(told).toContain(words);
    expect(methods).toEqual(["tasks/get"]);
  },
);
