import { expect, test } from "vitest";
import { askQuestions } from "../../src/cli/chat/consent/ask.ts";
import { createScreen } from "../../src/cli/terminal/screen.ts";
import { describeConditions } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/clock.ts";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalRequest,
  ApprovalScope,
} from "../../src/types/approval.ts";
import type { ToolCall } from "../../src/types/tool.ts";
import { fakeKeyboard } from "./chat/fake-keyboard.ts";
import { key, typed } from "./chat/keys.ts";
import { virtualTerminal } from "./chat/virtual-terminal.ts";

const quiet = 300;

function question(id: string, scopes: readonly ApprovalScope[] = ["once"]): ApprovalQuestion {
  const definition = { annotations: { destructiveHint: id === "destroy" } };
  const call = { tool: { route: { server: "fs", tool: `tool_${id}` }, definition } } as unknown as ToolCall;
  return { id, calls: [call], reason: "No rule covers it.", warnings: [], scopes };
}

/** Nothing of it is folded. */
const short = (id: string): ApprovalQuestion => ({ ...question(id), reason: "short" });

function ask(...questions: readonly ApprovalQuestion[]) {
  const terminal = virtualTerminal();
  const keyboard = fakeKeyboard();
  const clock = createTestClock();
  const aborting = new AbortController();
  const answers: [string, ApprovalAnswer][] = [];
  let interrupts = 0;
  const request: ApprovalRequest = {
    runId: "run",
    turn: 1,
    principal: "somebody",
    questions,
    decided: [],
    signal: aborting.signal,
    redact: (text) => text,
    answer: (id, answer) => answers.push([id, answer]),
  };
  const asked = askQuestions(request, {
    screen: createScreen(terminal.output),
    keyboard,
    clock,
    paint: (_colour, text) => text,
    renderQuestion: ({ calls, reason }, { full }) => [
      calls[0].tool.route.tool,
      ...(reason === "long" ? Array.from({ length: 20 }, (_, line) => `line ${line}`) : []),
      full || reason === "short" || reason === "long" ? "all of it" : "folded",
    ],
    describeConditions,
    interrupt() {
      interrupts += 1;
      aborting.abort();
    },
  });
  return { terminal, keyboard, clock, answers, asked, aborting, interrupts: () => interrupts };
}

const once = { type: "allow", scope: "once" };

test("a letter answers; the choices that are offered are those of the question", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(
    question("1", ["once", "conversation", "always"]),
  );
  await clock.advance(quiet);
  expect(terminal.screen().join("\n")).toContain("[c] allow in this conversation   [a] always allow");
  keyboard.press(key("a"));
  await asked;
  expect(answers).toEqual([["1", { type: "allow", scope: "always" }]]);
});

test("a scope that is not offered cannot be chosen", async () => {
  const { keyboard, clock, answers, asked } = ask(question("1"));
  await clock.advance(quiet);
  keyboard.press(key("a"), key("c"), key("y"));
  await asked;
  expect(answers).toEqual([["1", once]]);
});

const narrow: ApprovalQuestion = {
  ...question("1", ["once", "conversation", "always"]),
  conditions: [
    { type: "under", argument: ["path"], folder: "src" },
    { type: "equals", argument: ["mode"], value: "fast" },
    { type: "equals", argument: ["to"], value: "a.txt" },
    { type: "only", arguments: [["path"], ["mode"], ["to"]] },
  ],
};
const src = [narrow.conditions?.[0], narrow.conditions?.[2], narrow.conditions?.[3]];

test("an answer for later calls can be bound to where this call goes, and the screen says to what", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(narrow);
  await clock.advance(quiet);
  expect(terminal.screen().join("\n")).toContain("[w] only with such arguments");
  keyboard.press(key("w"));
  await clock.advance(quiet);
  const screen = terminal.screen().join("\n");
  expect(screen).toContain('holds when path is under src/ and to is "a.txt" and');
  expect(screen.replace(/\s+/g, " ")).toContain("no other argument than mode, which holds no URL");
  for (const text of [
    "[c] allow such calls in this conversation",
    "[a] always allow such calls",
    "[w] whatever the arguments",
  ])
    expect(screen).toContain(text);
  keyboard.press(key("a"));
  await asked;
  expect(answers).toEqual([["1", { type: "allow", scope: "always", conditions: src }]]);
  expect(terminal.screen().join("\n")).toContain("allowed from now on, when path is under src/");
});

test("the binding to arguments can be taken back, and is not there where it means nothing", async () => {
  const first = ask(narrow);
  await first.clock.advance(quiet);
  first.keyboard.press(key("w"));
  await first.clock.advance(quiet);
  first.keyboard.press(key("w"));
  await first.clock.advance(quiet);
  first.keyboard.press(key("c"));
  await first.asked;
  expect(first.answers).toEqual([["1", { type: "allow", scope: "conversation" }]]);
  const once = ask({ ...narrow, scopes: ["once"] });
  await once.clock.advance(quiet);
  expect(once.terminal.screen().join("\n")).not.toContain("[w]");
  once.keyboard.press(key("w"), key("n"));
  await once.asked;
});

test("Enter, Escape, Space and a pasted yes answer nothing", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(question("1"));
  await clock.advance(quiet);
  keyboard.press(key("return"), key("escape"), ...typed(" "), { type: "paste", text: "y" });
  expect(answers).toEqual([]);
  expect(terminal.screen().join("\n")).toContain("A pasted text is no answer.");
  keyboard.press(key("n"));
  await asked;
  expect(answers).toEqual([["1", { type: "deny" }]]);
});

test("keys typed before the choices were on the screen answer nothing and are put aside", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(question("1"));
  await clock.advance(quiet - 1);
  keyboard.press(...typed("y"));
  await clock.advance(quiet - 1);
  keyboard.press(...typed("es"));
  expect(terminal.screen().join("\n")).not.toContain("[y]");
  expect(answers).toEqual([]);
  expect(keyboard.aside()).toEqual(typed("yes"));
  await clock.advance(quiet);
  keyboard.press(key("n"));
  await asked;
  expect(answers).toEqual([["1", { type: "deny" }]]);
});

test("the key of one answer, pressed twice, does not answer the next question", async () => {
  const { keyboard, clock, answers, asked } = ask(question("1"), question("2"));
  await clock.advance(quiet);
  keyboard.press(key("y"));
  await clock.advance(1);
  keyboard.press(key("y"));
  expect(answers).toEqual([["1", once]]);
  expect(keyboard.aside()).toEqual([]);
  await clock.advance(quiet);
  keyboard.press(key("n"));
  await asked;
  expect(answers).toEqual([
    ["1", once],
    ["2", { type: "deny" }],
  ]);
});

test("all questions of a turn are shown before the first is asked, and can be answered together", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(short("1"), short("2"), short("3"));
  await clock.advance(quiet);
  const screen = terminal.screen().join("\n");
  for (const text of ["1 of 3 tool_1", "3 of 3 tool_3", "[o] allow all 3 once", "[x] deny all 3"])
    expect(screen).toContain(text);
  keyboard.press(key("n"));
  await clock.advance(quiet);
  keyboard.press(key("o"));
  await asked;
  expect(answers).toEqual([
    ["1", { type: "deny" }],
    ["2", once],
    ["3", once],
  ]);
});

test("allowing all at once leaves out what may destroy and what is folded: these are asked one by one", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(
    ...[short("1"), short("destroy"), question("3"), short("4")],
  );
  await clock.advance(quiet);
  expect(terminal.screen().join("\n")).toContain("[o] allow 2 of these 4 once");
  keyboard.press(key("o"));
  await clock.advance(quiet);
  expect(answers).toEqual([
    ["1", once],
    ["4", once],
  ]);
  expect(terminal.screen().join("\n")).not.toContain("[o]");
  keyboard.press(key("o"), key("n"));
  await clock.advance(quiet);
  keyboard.press(key("y"));
  await asked;
  expect(answers.slice(2)).toEqual([
    ["destroy", { type: "deny" }],
    ["3", once],
  ]);
});

test("allowing all at once leaves out what is not on the screen to its end", async () => {
  const { keyboard, clock, answers, asked, terminal } = ask(
    ...[short("1"), { ...short("2"), reason: "long" }, short("3"), short("4")],
  );
  await clock.advance(quiet);
  // The first is shown again, below the others.
  expect(terminal.screen().join("\n")).toContain("[o] allow 3 of these 4 once");
  keyboard.press(key("o"));
  await clock.advance(quiet);
  expect(answers.map(([id]) => id)).toEqual(["1", "3", "4"]);
  keyboard.press(key("y"));
  await asked;
});

test("an answer for all later calls of a tool is one for its other calls of the turn, unless they are asked for another reason", async () => {
  const scopes: readonly ApprovalScope[] = ["once", "conversation"];
  const [first, second, third, fourth] = ["1", "2", "3", "4"].map((id) => question(id, scopes));
  if (!first || !second || !third || !fourth) throw new Error("expected four questions");
  const same = { ...second, calls: first.calls };
  const otherReason = { ...third, calls: first.calls, reason: "The rule `ask fs/*` asks for it." };
  const { keyboard, clock, answers, asked, terminal } = ask(first, same, otherReason, fourth);
  await clock.advance(quiet);
  keyboard.press(key("c"));
  await clock.advance(quiet);
  expect(answers.map(([id]) => id)).toEqual(["1", "2"]);
  expect(terminal.screen().join("\n")).toContain("deny all 2");
  keyboard.press(key("n"));
  await clock.advance(quiet);
  keyboard.press(key("y"));
  await asked;
  expect(answers.map(([id, answer]) => [id, answer.type])).toEqual([
    ["1", "allow"],
    ["2", "allow"],
    ["3", "deny"],
    ["4", "allow"],
  ]);
});

test("a denial can say why; Escape goes back to the choices", async () => {
  const { keyboard, clock, answers, asked } = ask(question("1"));
  await clock.advance(quiet);
  keyboard.press(key("m"));
  await clock.advance(0);
  keyboard.press(...typed("no"), key("escape"));
  await clock.advance(quiet);
  expect(answers).toEqual([]);
  keyboard.press(key("m"));
  await clock.advance(0);
  keyboard.press(...typed("not this one"), key("return"));
  await asked;
  expect(answers).toEqual([["1", { type: "deny", message: "not this one" }]]);
});

test("what is folded can be shown whole, once", async () => {
  const { keyboard, clock, asked, terminal } = ask(question("1"));
  await clock.advance(quiet);
  keyboard.press(key("s"));
  await clock.advance(quiet);
  const screen = terminal.screen();
  expect(screen).toContain("  all of it");
  expect(screen.at(-1)).not.toContain("[s]");
  keyboard.press(key("n"));
  await asked;
});

test("Ctrl-C interrupts the turn and answers nothing, also before the choices are there", async () => {
  for (const wait of [0, quiet]) {
    const { keyboard, clock, answers, asked, interrupts } = ask(question("1"), question("2"));
    await clock.advance(wait);
    keyboard.press(key("c", { ctrl: true }));
    await asked;
    expect([answers, interrupts()]).toEqual([[], 1]);
  }
});

test("the end of the run closes the question", async () => {
  const { clock, answers, asked, aborting, terminal } = ask(question("1"));
  await clock.advance(quiet);
  aborting.abort();
  await asked;
  expect(answers).toEqual([]);
  expect(terminal.screen().join("\n")).not.toContain("[y]");
});
