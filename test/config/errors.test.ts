import { expect, test } from "vitest";
import { testProject } from "./project.ts";

const server = (entry: string) => `{ "mcpServers": { "a": ${entry} } }`;

/** What stands in a project's `drawbridge.json`, and the whole line that is said of it. */
const lines: readonly (readonly [content: string, line: string])[] = [
  ["", "1:1: the file is empty; write {} or remove it."],
  ["// nothing", "1:11: a value is expected here."],
  ["[]", '1:1: the file must hold an object, such as { "mcpServers": {} }.'],
  ["null", '1:1: the file must hold an object, such as { "mcpServers": {} }.'],
  ['{\n  "system": "x"\n  "limits": {}\n}', "3:3: a comma is missing before this."],
  ['{ "system" "x" }', "1:12: a colon is missing before this."],
  ['{ "system": }', "1:13: a value is expected here."],
  ["{ system: 1 }", "1:3: this is no JSON; text stands in double quotes."],
  ["{ 'system': 1 }", "1:3: text stands in double quotes here, not in single ones."],
  ['{ "system": "x', "1:13: this text is not closed; end it with a double quote on the same line."],
  [
    '{ "system": "C:\\users" }',
    "1:13: this text holds a backslash that begins no escape; write \\\\ for a backslash.",
  ],
  [
    '{ "system": "a\tb" }',
    "1:13: this text holds a control character; write it as an escape, such as \\n or \\t.",
  ],
  ['{ "system": "x"', "1:16: a closing } is missing before this."],
  ['{ "trust": [ "x" }', "1:18: a closing ] is missing before this."],
  ["{} {}", "1:4: the file's value has ended before this; remove what follows."],
  ["{} /* x", "1:4: this comment is not closed; end it with */."],
  [`{ "x": ${"[".repeat(70)}`, "1:71: this is nested more than 64 levels deep."],
  ['{\n  "system": "x",\n  "system": "y"\n}', "3:3: system stands in line 2 already; keep one."],
  [
    server('{ "command": "x", "env": { "A": "1", "A": "2" } }'),
    "1:61: mcpServers.a.env.A stands in line 1 already; keep one.",
  ],
  ['{ "modle": "x" }', '1:3: unknown key modle. Did you mean "model"?'],
  ['{ "servers": {} }', '1:3: unknown key servers. Did you mean "mcpServers"?'],
  ['{ "mcpservers": {} }', '1:3: unknown key mcpservers. Did you mean "mcpServers"?'],
  [
    '{ "zzz": 1 }',
    "1:3: unknown key zzz; known here: $schema, mcpServers, model, fallbackModels, baseUrl, system, maxTokens, resourceTools, wrapResults, limits, policy, prices, audit, trust.",
  ],
  ['{ "limits": { "trns": 1 } }', '1:15: unknown key limits.trns. Did you mean "turns"?'],
  ['{ "limits": { "turns": 0 } }', "1:24: limits.turns must be a whole number of at least 1."],
  ['{ "limits": { "turns": 1.5 } }', "1:24: limits.turns must be a whole number of at least 1."],
  ['{ "limits": { "turns": 1e999 } }', "1:24: limits.turns must be a whole number of at least 1."],
  ['{ "limits": { "cost": -1 } }', "1:23: limits.cost must be a number of at least 0."],
  ['{ "limits": { "runMs": 1e12 } }', "1:24: limits.runMs must be at most 2147483647."],
  ['{ "limits": [] }', "1:13: limits must be an object in { }."],
  ['{ "prices": { "m": { "input": 1 } } }', "1:20: prices.m needs output."],
  ['{ "prices": { "m": {} } }', "1:20: prices.m needs input and output."],
  ['{ "system": 1 }', "1:13: system must be text in double quotes."],
  ['{ "mcpServers": [] }', "1:17: mcpServers must be an object in { }."],
  [server("null"), "1:24: mcpServers.a must be an object in { }."],
  [server('{ "comand": "x" }'), '1:26: unknown key mcpServers.a.comand. Did you mean "command"?'],
  [
    server('{ "command": "x", "disbled": true }'),
    '1:42: unknown key mcpServers.a.disbled. Did you mean "disabled"?',
  ],
  [
    server('{ "command": "x", "enabled": false }'),
    '1:42: mcpServers.a.enabled is no key here; write "disabled": true.',
  ],
  [server('{ "serverUrl": "x" }'), '1:26: unknown key mcpServers.a.serverUrl. Did you mean "url"?'],
  [server('{ "command": "  " }'), "1:37: mcpServers.a has a command of nothing but spaces; name a program."],
  [server('{ "command": "" }'), "1:37: mcpServers.a.command must be text that is not empty."],
  [server('{ "command": ["x"] }'), "1:37: mcpServers.a.command must be text in double quotes."],
  [server('{ "command": "x", "args": "y" }'), "1:50: mcpServers.a.args must be a list of strings in [ ]."],
  [
    server('{ "command": "x", "args": ["y", 1] }'),
    "1:56: mcpServers.a.args[1] must be text in double quotes.",
  ],
  [
    server('{ "command": "x", "env": { "P": 3000 } }'),
    "1:56: mcpServers.a.env.P must be text in double quotes.",
  ],
  [server('{ "command": "x", "required": "no" }'), "1:54: mcpServers.a.required must be true or false."],
  [
    server('{ "command": "x", "protocol": "legasy" }'),
    '1:54: mcpServers.a.protocol must be "auto", "modern" or "legacy". Did you mean "legacy"?',
  ],
  [
    server('{ "url": "x", "type": "web" }'),
    '1:46: mcpServers.a.type must be "stdio", "http", "streamable-http" or "sse".',
  ],
  [server('{ "command": "x", "url": "y" }'), "1:49: mcpServers.a has both command and url; keep one."],
  [
    server('{ "command": "x", "type": "http" }'),
    '1:50: mcpServers.a has a command, which is of type "stdio", not "http".',
  ],
  [
    server('{ "url": "x", "type": "stdio" }'),
    '1:46: mcpServers.a has a url, which is of type "http" or "sse", not "stdio".',
  ],
  [server('{ "args": [] }'), "1:19: mcpServers.a has args, and neither command nor url; add one."],
  [
    server('{ "timeout": 1000 }'),
    "1:19: mcpServers.a has neither command nor url, and no file of less weight has this server.",
  ],
  [
    '{ "mcpServers": { "drawbridge": { "command": "x" } } }',
    "1:19: mcpServers.drawbridge has the host's own id; choose another.",
  ],
  ['{ "mcpServers": { "a\\u001b b": 1 } }', '1:32: mcpServers."a\\u001b b" must be an object in { }.'],
  [
    '{ "policy": { "rules": ["alow a/b"] } }',
    "1:25: The rule `alow a/b` is not valid: it must begin with allow, ask, deny or hide.",
  ],
];

test.each(lines)("%j in a project's file: %s", async (content, line) => {
  const project = testProject();
  project.write("drawbridge.json", content);
  expect(await project.problems()).toEqual([`drawbridge.json:${line}`]);
});

test("several problems are told together, the first five and how many more there are", async () => {
  const project = testProject();
  project.write("drawbridge.json", { a1: 1, b2: 1, c3: 1, d4: 1, e5: 1, f6: 1, g7: 1 });
  const problems = await project.problems();
  expect(problems).toHaveLength(6);
  expect(problems[5]).toBe("There are 2 more problems.");
});

test("problems of every file are told, each with its file", async () => {
  const project = testProject();
  project.write(".mcp.json", '{ "mcpServers": 1 }');
  project.write("drawbridge.json", '{ "modle": 1 }');
  project.writeUser({ trust: [1] });
  expect(await project.problems()).toEqual([
    ".mcp.json:1:17: mcpServers must be an object in { }.",
    'drawbridge.json:1:3: unknown key modle. Did you mean "model"?',
    "ROOT/home/config/drawbridge.json:1:11: trust[0] must be text in double quotes.",
  ]);
});

test("a file that cannot be read as text, is too large, or is no file is refused", async () => {
  const project = testProject();
  project.write("latin", Uint8Array.of(0x22, 0xe9, 0x22));
  expect(await project.problems({ file: "latin" })).toEqual([
    "latin:1:1: the file is not UTF-8; save it as UTF-8.",
  ]);
  project.write("large", " ".repeat(1024 * 1024 + 1));
  expect(await project.problems({ file: "large" })).toEqual([
    "large:1:1: the file is larger than 1 MiB, which no config is.",
  ]);
  expect(await project.problems({ file: ".git" })).toEqual([
    ".git:1:1: it is not a file; remove it or name another.",
  ]);
});

test("a file that the person named must be there", async () => {
  expect(await testProject().problems({ file: "none.json" })).toEqual([
    "none.json: there is no such file; name another, or leave --config out.",
  ]);
});
