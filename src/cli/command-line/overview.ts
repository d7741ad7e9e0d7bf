import { sections } from "./spec.ts";
import { commands, commonOptions } from "./table.ts";
import { columns, helpWidth, wrap } from "./wrap.ts";

/** What `drawbridge --help` says. */
export function overviewText(): string {
  const groups = sections.flatMap((section) => {
    const rows = commands
      .filter((command) => command.section === section)
      .map((command): [string, string] => [command.name, command.summary]);
    return rows.length === 0 ? [] : [section, ...columns(rows, 18, 13), ""];
  });
  const lines = [
    ...wrap(
      "Drawbridge: an MCP host. It connects MCP servers to a language model, asks before a tool runs, and records what ran.",
      helpWidth,
    ),
    "",
    "Usage",
    ...columns(
      [
        ['drawbridge "QUESTION" [options]', "ask the model"],
        ["drawbridge COMMAND [options]", "one of the commands below"],
        ["drawbridge COMMAND --help", "more about it"],
      ],
      40,
    ),
    "",
    ...groups,
    "Options",
    ...columns(
      commonOptions.map(({ name, short, help }) => [`-${short}, --${name}`, help]),
      18,
      13,
    ),
    "",
    "Examples",
    '  drawbridge "What is in this folder?" \\',
    '    --server "npx -y @modelcontextprotocol/server-filesystem ."',
    '  drawbridge tools --server "npx -y @modelcontextprotocol/server-memory"',
    "  drawbridge audit verify",
    "",
    ...wrap(
      "The model is Claude when ANTHROPIC_API_KEY is set. Without a key a built-in offline model answers: fixed rules, no language model.",
      helpWidth,
    ),
    ...wrap(
      "Everything is kept in the folders that drawbridge paths names; DRAWBRIDGE_HOME puts it elsewhere.",
      helpWidth,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
