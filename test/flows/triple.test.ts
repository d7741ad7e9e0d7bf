import { expect, test } from "vitest";
import { fakeServer } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { decisions, openFlowHost } from "./flow-host.ts";

const once = () => ({ type: "allow", scope: "once" }) as const;

test("private and untrusted content together make a call to somebody else a question, also where a rule allows it", async () => {
  await using flow = openFlowHost({ answer: once });
  const events = await flow.run(["notes__read", "web__fetch", "chat__send"]);
  expect(decisions(events)).toEqual([
    "notes/read allow rule",
    // It says itself that it reaches outside, and the notes are not trusted either.
    "web/fetch allow person",
    "chat/send allow person",
  ]);
  const [, question] = flow.questions;
  expect(question?.reason).toContain("private: notes/read (turn 1)");
  expect(question?.reason).toContain("untrusted: web/fetch (turn 2), notes/read (turn 1)");
  expect(question?.scopes).toEqual(["once", "conversation"]);
});

test("what goes back to the only server that it came from does not leave", async () => {
  await using flow = openFlowHost({ answer: once });
  const events = await flow.run(["notes__read", "notes__write"]);
  expect(decisions(events)).toEqual(["notes/read allow rule", "notes/write allow rule"]);
  await using two = openFlowHost({ answer: once, more: { chat: { private: true } } });
  expect(decisions(await two.run(["notes__read", "chat__send", "notes__write"]))).toEqual([
    "notes/read allow rule",
    "chat/send allow person",
    // Now it would carry what the chat said into the notes.
    "notes/write allow person",
  ]);
});

test("one of the two kinds alone asks nothing", async () => {
  await using untrusted = openFlowHost({ more: { notes: { private: false } } });
  expect(decisions(await untrusted.run(["notes__read", "web__fetch", "chat__send"]))).toEqual([
    "notes/read allow rule",
    "web/fetch allow rule",
    "chat/send allow rule",
  ]);
  await using trusted = openFlowHost({ more: { notes: { trust: true, private: true } } });
  expect(decisions(await trusted.run(["notes__read", "chat__send"]))).toEqual([
    "notes/read allow rule",
    "chat/send allow rule",
  ]);
});

test("an answer for the conversation silences the question for that tool and no other", async () => {
  const answer = () => ({ type: "allow", scope: "always" }) as const;
  await using flow = openFlowHost({ answer });
  await flow.run(["notes__read", "chat__send"]);
  const events = await flow.run(["chat__send", "web__post"]);
  expect(decisions(events)).toEqual(["chat/send allow grant", "web/post allow person"]);
  expect(flow.questions).toHaveLength(2);
  // Another turn of the same conversation: the source is named as that of an earlier run.
  expect(flow.questions[1]?.reason).toContain("private: notes/read (an earlier run)");
});

test("an answer for the conversation speaks of the servers whose private content was read, and of no other", async () => {
  const answer = () => ({ type: "allow", scope: "conversation" }) as const;
  await using flow = openFlowHost({ answer, more: { web: { private: true } } });
  await flow.run(["notes__read", "chat__send", "chat__send", "web__fetch"]);
  const events = await flow.run(["chat__send", "chat__send"]);
  expect(decisions(events)).toEqual(["chat/send allow person", "chat/send allow grant"]);
  expect(flow.questions.map(({ calls }) => calls[0].tool.route.server)).toEqual(["chat", "web", "chat"]);
});

test("an answer that was given before the flow does not answer for it", async () => {
  const answer = () => ({ type: "allow", scope: "conversation" }) as const;
  await using flow = openFlowHost({ policy: { rules: ["allow notes/*"] }, answer });
  const events = await flow.run(["chat__send", "chat__send", "notes__read", "chat__send", "chat__send"]);
  expect(decisions(events)).toEqual([
    "chat/send allow person",
    "chat/send allow grant",
    "notes/read allow rule",
    "chat/send allow person",
    "chat/send allow grant",
  ]);
});

test("an answer about a flow does not silence a rule that asks", async () => {
  const answer = () => ({ type: "allow", scope: "conversation" }) as const;
  const policy = { rules: ["allow */*"], projectRules: ["ask chat/send"] };
  await using flow = openFlowHost({ policy, answer });
  const events = await flow.run(["notes__read", "chat__send", "chat__send"]);
  expect(decisions(events).slice(1)).toEqual(["chat/send allow person", "chat/send allow person"]);
  expect(flow.questions.map(({ scopes }) => scopes)).toEqual([["once"], ["once"]]);
});

test("a rule with a flow to the outside allows it, one to what it writes does not, and off asks nothing", async () => {
  const rules = (condition: string) => ({ rules: ["allow */*", `allow chat/send ${condition}`] });
  await using allowed = openFlowHost({ policy: rules("@flow=private->open-world") });
  expect(decisions(await allowed.run(["notes__read", "chat__send"]))).toContain("chat/send allow rule");
  await using other = openFlowHost({ policy: rules("@flow=private->write") });
  expect(decisions(await other.run(["notes__read", "chat__send"]))).toContain("chat/send deny flow");
  await using off = openFlowHost({ policy: { rules: ["allow */*"], flows: "off" } });
  expect(decisions(await off.run(["notes__read", "chat__send"]))).toContain("chat/send allow rule");
});

test("where nobody can be asked it is denied, with the true reason and the rule to add, and that rule is enough", async () => {
  await using flow = openFlowHost();
  const events = await flow.run(["notes__read", "chat__send"]);
  const denied = events.find((event) => event.type === "call_decided" && event.decision === "deny");
  expect(denied).toMatchObject({
    unasked: true,
    by: { type: "flow", flow: "private+untrusted→open-world" },
    suggestedRule: "allow chat/send @flow=private->open-world",
    reason: expect.stringMatching(
      /asked\. The conversation has read .*private: notes\/read .* To allow it, add the rule: /,
    ),
  });
  expect(flow.servers.chat.calls).toHaveLength(0);
  const rules = ["allow */*", (denied as { suggestedRule: string }).suggestedRule];
  await using again = openFlowHost({ policy: { rules } });
  await again.run(["notes__read", "chat__send"]);
  expect(again.servers.chat.calls).toHaveLength(1);
});

test("results say where they come from, in events and in the log, and error results too", async () => {
  await using flow = openFlowHost({ answer: once });
  const events = await flow.run(["notes__read", "web__fetch"]);
  const labels = events.flatMap((event: RunEvent) => (event.type === "call_completed" ? [event.labels] : []));
  const expected = [
    { trusted: false, openWorld: false, private: true },
    { trusted: false, openWorld: true, private: false },
  ];
  expect(labels).toEqual(expected);
  const logged = flow.audit.flatMap((entry) => (entry.kind === "call_settled" ? [entry.labels] : []));
  expect(logged).toEqual(expected);
  const definition = { name: "read", inputSchema: { type: "object" } };
  const run = () => ({ content: [{ type: "text" as const, text: "no diary" }], isError: true });
  const servers = { notes: fakeServer([{ definition, run }]).config };
  await using broken = openFlowHost({ options: { servers } });
  expect(await broken.run(["notes__read"])).toContainEqual(
    expect.objectContaining({ type: "call_completed", isError: true, labels: expected[0] }),
  );
  expect(broken.audit).toContainEqual(
    expect.objectContaining({ kind: "call_settled", outcome: "error_result", labels: expected[0] }),
  );
});

test("where flows are always asked about no rule of a user allows one, and an administrator's rule does", async () => {
  const rule = "allow */* @flow=*->*";
  const names = ["notes__read", "chat__send"];
  await using user = openFlowHost({ policy: { rules: [rule], flows: "always" } });
  expect(decisions(await user.run(names)).at(-1)).toBe("chat/send deny flow");
  await using asked = openFlowHost({ policy: { rules: [rule], flows: "ask" } });
  expect(decisions(await asked.run(names))[1]).toBe("chat/send allow rule");
  const administrator = { administratorRules: [rule], flows: "always" } as const;
  await using allowed = openFlowHost({ policy: { rules: [], ...administrator } });
  expect(decisions(await allowed.run(names))[1]).toBe("chat/send allow rule");
});
