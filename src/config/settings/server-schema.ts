import { longestTimerMs } from "../../util/longest-timer.ts";
import { authSchema } from "./auth-schema.ts";
import type { KeySchema } from "./key-schema.ts";

const variables = `\`\${VAR}\` and \`\${VAR:-default}\` are replaced from the environment.`;

const texts = (description: string, member: string): KeySchema => ({
  type: "object",
  description,
  additionalProperties: { type: "string", description: member },
});

/** One entry of `mcpServers`. Keys of other hosts may stand beside these. */
export const serverSchema: KeySchema = {
  type: "object",
  description: "A server: a program to start (command), or an address (url).",
  properties: {
    type: {
      type: "string",
      enum: ["stdio", "http", "streamable-http", "sse"],
      description: "How the server is reached. Default: stdio beside command, http beside url.",
    },
    command: { type: "string", minLength: 1, description: `The program to start. ${variables}` },
    args: {
      type: "array",
      description: `Its arguments. ${variables}`,
      items: { type: "string", description: "One argument." },
    },
    env: texts(
      `Environment variables of the program, beside a few harmless ones. ${variables}`,
      "The value of the variable.",
    ),
    cwd: {
      type: "string",
      minLength: 1,
      description: `The folder it is started in. Default: the folder of the project's file. ${variables}`,
    },
    stderr: {
      type: "string",
      minLength: 1,
      description:
        "A file, from the folder of this file on, to which the program's standard error is appended, without secrets. Not in a project's file.",
    },
    url: { type: "string", minLength: 1, description: `The server's http or https URL. ${variables}` },
    headers: texts(`Headers of every request to the URL. ${variables}`, "The value of the header."),
    auth: authSchema,
    tools: {
      type: "array",
      description:
        "Raw names of the tools that the model gets, `*` is any text; a name with `!` in front takes tools away. Default: all.",
      items: {
        type: "string",
        minLength: 1,
        description: "A name or a pattern, such as `read_*` or `!*_admin`.",
      },
      examples: [["read_*", "!read_secrets"]],
    },
    timeout: {
      type: "integer",
      minimum: 1,
      maximum: longestTimerMs,
      description: "Longest time for one call of this server, milliseconds.",
    },
    protocol: {
      type: "string",
      enum: ["auto", "modern", "legacy"],
      default: "auto",
      description: "Protocol era; auto asks the server.",
    },
    tasks: {
      type: "string",
      enum: ["auto", "always", "never"],
      default: "auto",
      description:
        "When calls become tasks: where the server needs or wants it, also where it may be, or not at all.",
    },
    required: {
      type: "boolean",
      default: true,
      description: "Whether a run does not start without this server.",
    },
    disabled: { type: "boolean", default: false, description: "True: the server is not started." },
    trust: {
      type: "boolean",
      default: false,
      description: "Whether the server's annotations are believed. Not in a project's file.",
    },
    sampling: {
      type: "boolean",
      default: false,
      description:
        "Whether the server may ask the model, each time as the rules or a person allow. Not in a project's file.",
    },
    drift: {
      type: "string",
      enum: ["ask", "block"],
      default: "ask",
      description:
        "What becomes of tools whose definitions changed since they were used: they are told and asked about, or kept back until you accept them. A project's file may only say block.",
    },
    private: {
      type: "boolean",
      description:
        "Whether what the server gives back is not for everybody. Default: true where it holds credentials or runs on this computer, unless it is trusted and says that it is open-world. A project's file may only say true.",
    },
    roots: {
      type: "array",
      description: "Folders and files that the server is told to work in. Not in a project's file.",
      items: { type: "string", minLength: 1, description: "A path, from the folder of this file on." },
      examples: [["/home/me/notes"]],
    },
  },
};
