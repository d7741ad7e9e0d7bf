import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line/args.ts";
import type { RunCommand } from "../../src/cli/commands/run.ts";

const usageOf = (...argv: string[]): string => {
  const command = parseCommandLine(argv);
  return command.type === "usage" ? command.message : `not a usage error: ${command.type}`;
};

/** The name of the command that was typed, and what its module gets. */
const typed = (...argv: string[]): { readonly name: string; readonly command: unknown } => {
  const parsed = parseCommandLine(argv);
  if (parsed.type !== "command") throw new Error(JSON.stringify(parsed));
  return { name: parsed.name, command: parsed.command };
};

test("a question alone is a run without servers", () => {
  const command: RunCommand = {
    question: "What is here?",
    resources: [],
    reads: { private: false, untrusted: false },
    output: "text",
    flags: { servers: [], trust: [], allow: [], fallbackModels: [], store: true },
  };
  expect(typed("What is here?")).toEqual({ name: "run", command });
  expect(typed("run", "What is here?")).toEqual({ name: "run", command });
});

test("options may stand before and after the question and be repeated", () => {
  expect(
    typed(
      ...["--server", "a=node a.mjs", "What is here?", "--server=node b.mjs --flag=1", "--trust", "a"],
      ...["--allow", "a/x", "--allow", "a/y", "--model", "offline", "--max-turns", "7", "--json"],
      ...["--config", "c.json", "--system", "@s.txt", "--max-tokens", "9000", "--max-cost", "0.25"],
      ...[
        "--timeout",
        "2m",
        "--no-store",
        "--resource-tools",
        "--transcript",
        "t.json",
        "--fallback-model",
        "x",
        "--fallback-model=y",
      ],
    ).command,
  ).toEqual({
    question: "What is here?",
    resources: [],
    reads: { private: false, untrusted: false },
    output: "json",
    transcript: "t.json",
    flags: {
      servers: ["a=node a.mjs", "node b.mjs --flag=1"],
      config: "c.json",
      model: "offline",
      system: "@s.txt",
      trust: ["a"],
      allow: ["a/x", "a/y"],
      fallbackModels: ["x", "y"],
      maxTurns: 7,
      maxTokens: 9000,
      maxCost: 0.25,
      timeoutMs: 120_000,
      resourceTools: true,
      store: false,
    },
  });
});

test("--continue takes a conversation's id when one follows, and leaves the question alone", () => {
  const continued = (...argv: string[]) => typed(...argv).command;
  const expected = { question: "And now?", continue: "newest" };
  expect(continued("--continue", "And now?")).toMatchObject(expected);
  expect(continued("run", "And now?", "--continue")).toMatchObject(expected);
  expect(continued("--continue", "--json", "And now?")).toMatchObject(expected);
  const id = "conversation_0123456789abcdef";
  expect(continued("--continue", id, "And now?")).toMatchObject({ ...expected, continue: id });
  expect(continued(`--continue=${id}`, "And now?")).toMatchObject({ ...expected, continue: id });
  for (const words of [
    ["--continue", "talk", "And now?"],
    ["And now?", "--continue", "talk"],
  ]) {
    expect(usageOf("run", ...words)).toContain('and "talk" is none.');
  }
});

test.each([
  ["30s", 30_000],
  ["5m", 300_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["90", 90_000],
])("--timeout %s is %d ms", (text, ms) => {
  expect(typed("a question", "--timeout", text).command).toMatchObject({ flags: { timeoutMs: ms } });
});

test.each(["0", "-5s", "5 s", "5d", "s", "99999999h", "1e3"])("--timeout=%s is refused", (text) => {
  expect(usageOf("a question", `--timeout=${text}`)).toMatch(/takes a time such as/);
});

test.each(["0", "free", "-1", "1,5", "1e9"])("--max-cost=%s is refused", (text) => {
  expect(usageOf("a question", `--max-cost=${text}`)).toMatch(/takes US dollars/);
});

test("two ways to write to standard output are refused", () => {
  expect(usageOf("a question", "--json", "--stream-json")).toMatch(/take one/);
});

test("a question may begin with a dash after --", () => {
  expect(typed("run", "--", "--help?").command).toMatchObject({ question: "--help?" });
});

test("a mistyped option is named with the one that was meant", () => {
  expect(usageOf("a question", "--sever", "x")).toBe(
    'There is no option "--sever". Did you mean "--server"? See drawbridge --help.',
  );
  expect(usageOf("a question", "--zzzzzz")).toBe('There is no option "--zzzzzz". See drawbridge --help.');
});

test("a mistyped command is named with the one that was meant", () => {
  expect(usageOf("tols")).toBe('There is no command "tols". Did you mean "drawbridge tools"?');
  expect(usageOf("audti")).toContain('Did you mean "drawbridge audit"?');
  expect(usageOf("audit", "verfiy")).toContain("drawbridge audit verify");
});

test("a lone word that is near no command says how to ask it", () => {
  expect(usageOf("hello")).toBe(
    'There is no command "hello". To ask it as a question: drawbridge run "hello"',
  );
  expect(typed("run", "hello").command).toMatchObject({ question: "hello" });
});

test("a lone word with punctuation is a question", () => {
  expect(typed("2+2")).toMatchObject({ name: "run", command: { question: "2+2" } });
  expect(typed("Hello?")).toMatchObject({ name: "run", command: { question: "Hello?" } });
});

test("an unquoted question is answered with the quoted one", () => {
  expect(usageOf("what", "is", "here")).toContain('drawbridge "what is here"');
});

test("no question is a usage error", () => {
  for (const argv of [["run"], ["run", "  "], ["--json"]]) expect(usageOf(...argv)).toMatch(/^No question/);
});

test.each(["0", "-1", "1.5", "1e3", "many", "0x10", "9999999"])("--max-turns=%s is refused", (turns) => {
  expect(usageOf("a question", `--max-turns=${turns}`)).toMatch(/whole number/);
});

test("an option without its value is refused, and one that swallows the next option too", () => {
  expect(usageOf("a question", "--server")).toMatch(/--server needs a value/);
  expect(usageOf("a question", "--server", "--json")).toMatch(/looks like an option/);
  expect(usageOf("a question", "--json=yes")).toMatch(/takes no value/);
  expect(usageOf("a question", "--model", "a", "--model", "b")).toMatch(/given twice/);
});

test("an option of another command is refused", () => {
  expect(usageOf("tools", "--server", "x", "--max-turns", "3")).toBe(
    '"drawbridge tools" has no option --max-turns. See drawbridge tools --help.',
  );
});

test("words that a command does not take are refused with its usage", () => {
  expect(usageOf("paths", "x")).toBe('"drawbridge paths" takes no "x". Usage: drawbridge paths');
  expect(usageOf("completion")).toMatch(/^"drawbridge completion" needs SHELL\. Example: /);
});

test("nothing at all is no mistake yet", () => {
  expect(parseCommandLine([])).toEqual({ type: "bare" });
});

test("help goes to the topic that was named", () => {
  expect(parseCommandLine(["--help"])).toEqual({ type: "help", topic: "" });
  expect(parseCommandLine(["tools", "-h"])).toEqual({ type: "help", topic: "tools" });
  expect(parseCommandLine(["help", "audit"])).toEqual({ type: "help", topic: "audit" });
  expect(parseCommandLine(["audit", "verify", "--help"])).toEqual({ type: "help", topic: "audit verify" });
  expect(usageOf("help", "tols")).toContain('Did you mean "drawbridge help tools"?');
  expect(typed("audit", "verify", "--json")).toEqual({ name: "audit verify", command: { json: true } });
  expect(parseCommandLine(["--version"])).toEqual({ type: "version" });
});

test("any words give a command or one printable line, never an exception", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "--server",
      "--json",
      "--max-turns",
      "--__proto__",
      "--constructor",
      "--",
      "-h",
      "run",
      "tools",
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      const command = parseCommandLine(argv);
      if (command.type === "usage") expect(command.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }),
    { numRuns: 500 },
  );
});
