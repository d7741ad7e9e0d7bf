import { schemaUrl } from "./schema-url.ts";

const variables = `  // \${NAME} is filled in from the environment, \${NAME:-text} with a default; write no secrets into this file.`;

/** The text of a new config file: nothing in it yet, and what may be. */
export function newFileText(scope: "project" | "user"): string {
  const about =
    scope === "project"
      ? [
          "  // The MCP servers of this project, by id. They are pending until each person agreed with: drawbridge trust ID",
          variables,
        ]
      : ["  // Your MCP servers, by id: a command that is started, or a url.", variables];
  return [
    "{",
    `  "$schema": ${JSON.stringify(schemaUrl)},`,
    "",
    ...about,
    '  "mcpServers": {',
    '    // "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }',
    "  }",
    "}",
    "",
  ].join("\n");
}
