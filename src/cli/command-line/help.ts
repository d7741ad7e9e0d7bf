import type { HelpTopic } from "./args.ts";

const overview = `Drawbridge: an MCP host. It connects MCP servers to a language model, asks before a tool runs, and records what ran.

Usage
  drawbridge "QUESTION" [options]     ask the model; its tools are those of the servers
  drawbridge run "QUESTION" [options] the same
  drawbridge tools [options]          list the tools of servers, and those kept from the model
  drawbridge audit verify [--json]    check that the audit log was not changed
  drawbridge COMMAND --help           more about one command

Examples
  drawbridge "Which files here are larger than 1 MB?" --server "npx -y @modelcontextprotocol/server-filesystem ."
  drawbridge tools --server "npx -y @modelcontextprotocol/server-filesystem ."
  drawbridge audit verify

Options
  -h, --help       this text
  -v, --version    the version

The model is Claude when ANTHROPIC_API_KEY is set. Without a key a built-in offline model answers: fixed rules, no language model.
The audit log is in the state folder of your account; DRAWBRIDGE_HOME puts everything elsewhere.
`;

const run = `Usage
  drawbridge "QUESTION" [options]
  drawbridge run "QUESTION" [options]

Asks the model. The answer goes to standard output, what happens on the way to standard error.

Options
  --server COMMAND       a server to start, as "command arguments" or "id=command arguments"; or the URL of an
                         HTTP server. Repeat it for more. The id is the package's name when none is given.
  --model MODEL          a Claude model's name, api/name, or "offline"
  --trust ID             believe what this server says of its own tools (read-only, destructive, …); repeat it for more
  --allow SERVER/TOOL    run this tool without asking; * stands for any text; repeat it for more
  --max-turns N          most requests to the model (default: 20)
  --json                 write the whole result to standard output as one JSON document

What no option allows is asked. Without a terminal nobody can be asked, and it is denied.

Exit codes
  0  answered                    4    answered, but something was denied because nobody could be asked
  1  failed                      5    a limit was reached (turns, calls, tokens, time)
  2  a wrong command or setting  130  interrupted (143: terminated, 129: the terminal went away)
  3  a server is down

Example
  drawbridge "What does notes.md say?" --server "fs=npx -y @modelcontextprotocol/server-filesystem ." --trust fs
`;

const tools = `Usage
  drawbridge tools --server COMMAND [--server COMMAND …] [--json]

Starts the servers, lists their tools and stops them. A tool kept from the model is listed with the reason.
With --json: {"servers", "tools", "quarantined"} as one JSON document. Exit code 3 when a server is down.

Example
  drawbridge tools --server "fs=npx -y @modelcontextprotocol/server-filesystem ."
`;

const audit = `Usage
  drawbridge audit verify [--json]

Checks the audit log in the state folder: every record is chained to the one before it by a hash, so that a record
that was changed, removed or moved is found. Exit code 0 when all is well, 1 when something was changed.

Example
  drawbridge audit verify
`;

/** The help text of a command. */
export function helpText(topic: HelpTopic): string {
  return { drawbridge: overview, run, tools, audit }[topic];
}
