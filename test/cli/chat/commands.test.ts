import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chatCommands } from "../../../src/cli/chat/commands/all.ts";
import { readCommand } from "../../../src/cli/chat/commands/table.ts";
import { runCommand } from "../../../src/cli/chat/run-command.ts";
import { createDecisionNotes, noteResult, type Session } from "../../../src/cli/chat/session.ts";
import { replaceFile } from "../../../src/cli/replace-file.ts";
import { createHost } from "../../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../../src/testing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-commands-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["/tools", { name: "/tools", argument: "" }],
  ["/TOOLS  my server ", { name: "/tools", argument: "my server" }],
  ["/system two\nlines", { name: "/system", argument: "two\nlines" }],
  ["/etc/hosts is a file", null],
  [" /tools", null],
  ["/", null],
  ["5/3", null],
])("%j is read as %j", (text, expected) => {
  expect(readCommand(text)).toEqual(expected);
});

/** A chat with one server, in which one message was answered with a call. */
async function chatted() {
  const model = scriptedModel([
    { text: "I look.", calls: [{ name: "my-server__echo", input: { path: "\u001b[2J" } }] },
    { text: "It is done.", usage: { inputTokens: 1200, outputTokens: 7 } },
    { text: "again" },
  ]);
  const server = fakeServer([textTool("echo", () => "```\necho")]);
  const host = createHost({
    servers: { "my-server": server.config },
    model,
    policy: { rules: ["allow my-server/*"] },
    state: false,
    audit: false,
  });
  const session: Session = {
    host,
    conversation: host.conversation(),
    model: null,
    system: "Be kind.",
    storing: false,
    runs: [],
    last: null,
    decisions: [],
    thinking: "",
    tools: null,
    waiting: [],
  };
  const run = session.conversation.run("do it", { system: session.system });
  const notes = createDecisionNotes(session);
  for await (const event of run) notes(event);
  noteResult(session, await run.result);
  return { host, session, model };
}

/** Types a command; what it prints. */
async function type(text: string, session: Session, answer: boolean | null = null): Promise<string[]> {
  const lines: string[] = [];
  const typed = readCommand(text);
  if (typed === null) throw new Error(`${text} is no command`);
  await runCommand(typed, {
    session,
    paint: (_colour, shown) => shown,
    columns: 79,
    cwd: folder,
    signal: new AbortController().signal,
    print: (line) => lines.push(line),
    ask: answer === null ? null : async () => answer,
  });
  return lines;
}

test("every command has a line of help, and an unknown one says which was meant", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  const help = (await type("/help", session)).join("\n");
  for (const { name } of chatCommands) expect(help).toContain(name);
  expect((await type("/help save", session))[0]).toBe(
    "/save FILE  write the conversation to a file: .json or .md",
  );
  expect((await type("/usages", session))[0]).toContain('Did you mean "/usage"?');
});

test("/tools, /servers, /usage and /audit tell what there is and what happened", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  expect((await type("/tools my-server", session)).join("\n")).toContain("my-server__echo");
  expect((await type("/tools my-sever", session))[0]).toContain('Did you mean "my-server"?');
  expect((await type("/servers", session))[0]).toContain("server my-server: ready");
  expect((await type("/usage", session))[0]).toMatch(/1 {2}2 turns, 1 call, 1,\d\d\d tokens in, \d+ out/);
  expect(await type("/audit", session)).toEqual([
    "✓ my-server/echo · The rule `allow my-server/*` allows it.",
  ]);
});

test("another model goes on with the same conversation; an unknown one changes nothing", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  expect((await type("/model nowhere/x", session))[0]).toContain("nowhere/x");
  expect(session.model).toBeNull();
  expect(await type("/model offline", session)).toEqual(["model: offline (fixed rules, no language model)"]);
  expect(session.model?.api).toBe("offline");
});

test("/system shows the instructions, replaces them and takes them away", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  expect(await type("/system", session)).toEqual(["Be kind."]);
  await type("/system Be short.", session);
  expect(session.system).toBe("Be short.");
  expect(await type("/system none", session)).toEqual(["No instructions."]);
});

test("/clear begins a conversation in which nothing was said", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  const before = session.conversation;
  await type("/clear", session);
  expect(session.conversation).not.toBe(before);
  expect([session.conversation.messages, session.runs, session.decisions]).toEqual([[], [], []]);
});

test("/save writes JSON and Markdown for the owner's eyes, and asks before it writes over a file", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  await type("/save talk.json", session);
  const saved = JSON.parse(readFileSync(join(folder, "talk.json"), "utf8"));
  expect(saved.messages).toEqual(session.conversation.messages);
  await type("/save talk.md", session);
  const markdown = readFileSync(join(folder, "talk.md"), "utf8");
  expect(markdown).toContain("## You\n\ndo it\n\n## Model\n\nI look.");
  expect(markdown).toContain("````\n```\necho\n````");
  expect(markdown).not.toContain("\u001b");
  expect(statSync(join(folder, "talk.md")).mode & 0o777).toBe(0o600);
  expect(await type("/save talk.md", session, false)).toEqual(["Not saved."]);
  expect((await type("/save talk.md", session))[0]).toContain("is there already");
  expect((await type("/save no/folder.md", session))[0]).toMatch(
    /no\/folder\.md could not be written: its folder is not there\.$/,
  );
  expect((await type("/save talk.txt", session))[0]).toContain(".json or .md");
});

test("/save writes through a link, which stays one, and over no device", async () => {
  const { host, session } = await chatted();
  await using _host = host;
  const target = join(folder, "target.md");
  const link = join(folder, "link.md");
  writeFileSync(target, "old");
  symlinkSync(target, link);
  expect((await type("/save link.md", session, true))[0]).toContain("saved link.md");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toContain("It is done.");
  await expect(replaceFile("/dev/null", "x")).rejects.toThrow("is no file");
});
