import fc from "fast-check";
import { expect, test } from "vitest";
import { type Command, parseCommandLine } from "../../src/cli/command-line/args.ts";

const usageOf = (...argv: string[]): string => {
  const command = parseCommandLine(argv);
  return command.type === "usage" ? command.message : `not a usage error: ${command.type}`;
};

test("a question alone is a run without servers", () => {
  const expected: Command = {
    type: "run",
    question: "What is here?",
    servers: [],
    trust: [],
    allow: [],
    json: false,
  };
  expect(parseCommandLine(["What is here?"])).toEqual(expected);
  expect(parseCommandLine(["run", "What is here?"])).toEqual(expected);
});

test("options may stand before and after the question and be repeated", () => {
  expect(
    parseCommandLine([
      ...["--server", "a=node a.mjs", "What is here?", "--server=node b.mjs --flag=1"],
      ...[
        "--trust",
        "a",
        "--allow",
        "a/x",
        "--allow",
        "a/y",
        "--model",
        "offline",
        "--max-turns",
        "7",
        "--json",
      ],
    ]),
  ).toEqual({
    type: "run",
    question: "What is here?",
    servers: ["a=node a.mjs", "node b.mjs --flag=1"],
    model: "offline",
    trust: ["a"],
    allow: ["a/x", "a/y"],
    maxTurns: 7,
    json: true,
  });
});

test("a question may begin with a dash after --", () => {
  expect(parseCommandLine(["run", "--", "--help?"])).toMatchObject({ type: "run", question: "--help?" });
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
  expect(parseCommandLine(["run", "hello"])).toMatchObject({ question: "hello" });
});

test("a lone word with punctuation is a question", () => {
  expect(parseCommandLine(["2+2"])).toMatchObject({ type: "run", question: "2+2" });
  expect(parseCommandLine(["Hello?"])).toMatchObject({ type: "run", question: "Hello?" });
});

test("an unquoted question is answered with the quoted one", () => {
  expect(usageOf("what", "is", "here")).toContain('drawbridge "what is here"');
});

test("no question is a usage error", () => {
  for (const argv of [[], ["run"], ["run", "  "], ["--json"]])
    expect(usageOf(...argv)).toMatch(/^No question/);
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
  expect(usageOf("tools", "--server", "x", "--trust", "x")).toBe(
    '"drawbridge tools" has no option --trust. See drawbridge tools --help.',
  );
});

test("tools needs a server", () => {
  expect(usageOf("tools")).toMatch(/^No server/);
  expect(parseCommandLine(["tools", "--server", "node x", "--json"])).toEqual({
    type: "tools",
    servers: ["node x"],
    json: true,
  });
});

test("help goes to the topic that was named", () => {
  expect(parseCommandLine(["--help"])).toEqual({ type: "help", topic: "drawbridge" });
  expect(parseCommandLine(["tools", "-h"])).toEqual({ type: "help", topic: "tools" });
  expect(parseCommandLine(["help", "audit"])).toEqual({ type: "help", topic: "audit" });
  expect(parseCommandLine(["audit", "verify", "--json"])).toEqual({ type: "audit verify", json: true });
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
