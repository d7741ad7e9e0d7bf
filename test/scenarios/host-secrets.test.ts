import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { renderQuestion } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";

const everything = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const secret = "hunter2-hunter2-hunter2";

test("a secret of the config that the model writes into a call runs as it is and is shown to nobody", async () => {
  const model = scriptedModel([
    { calls: [{ name: "everything__echo", input: { message: `it is ${secret}` } }] },
    { text: "done" },
  ]);
  const shown: string[] = [];
  await using host = createHost({
    servers: { everything: { command: "node", args: [everything], env: { SOME_TOKEN: secret } } },
    model,
    state: false,
    approve(request) {
      for (const question of request.questions) {
        shown.push(...renderQuestion(question, { redact: request.redact }));
        request.answer(question.id, { type: "allow", scope: "once" });
      }
    },
  });
  const run = host.run("go");
  const proposed: RunEvent[] = [];
  for await (const event of run) if (event.type === "call_proposed") proposed.push(event);
  expect(shown.join("\n")).toContain('"message": "it is ⟨secret everything SOME_TOKEN, 23 chars⟩"');
  expect(JSON.stringify(proposed)).toContain("it is ⟨secret everything SOME_TOKEN");
  expect(shown.join("\n") + JSON.stringify(proposed)).not.toContain(secret);
  // The server got it, as its answer shows: it is blanked out on the way back, and what is left is whole.
  expect(JSON.stringify((await run.result).messages.at(-2))).toContain(
    "Echo: it is ⟨secret everything SOME_TOKEN, 23 chars⟩",
  );
});
