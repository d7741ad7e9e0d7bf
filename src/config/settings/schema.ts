import { defaultMaxTokens } from "../limits.ts";
import { auditSchema } from "./audit-settings.ts";
import type { KeySchema } from "./key-schema.ts";
import { limitKeys } from "./limit-keys.ts";
import { priceSchema } from "./price-schema.ts";
import { serverSchema } from "./server-schema.ts";

const policy: KeySchema = {
  type: "object",
  description: "What may run. What no rule covers is asked.",
  additionalProperties: false,
  properties: {
    rules: {
      type: "array",
      description:
        "Rules: `allow|ask|deny|hide server/tool [condition …]`, `*` is any text. A project's file may only hold ask, deny and hide: they make a decision stricter, never looser.",
      items: {
        type: "string",
        description: "One rule, such as `allow files/read_*` or `deny shell/*`.",
      },
      examples: [["allow files/read_*", "ask files/write_file", "deny shell/*"]],
    },
    shadowRules: {
      type: "array",
      description:
        "Rules to try out in the place of rules: where they would decide otherwise is told and recorded, never enforced. Not in a project's file.",
      items: { type: "string", description: "One rule, as in rules." },
    },
    flows: {
      type: "string",
      enum: ["ask", "off"],
      default: "ask",
      description:
        "Whether a call that may carry private content to others is asked about once untrusted content was read too. A project's file may only say ask.",
    },
  },
};

/** Everything that `drawbridge.json` may hold. */
export const settingsSchema: KeySchema & { readonly $schema: string; readonly title: string } = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Drawbridge configuration",
  type: "object",
  description: "drawbridge.json of a project or of a person. Comments and trailing commas are allowed.",
  additionalProperties: false,
  properties: {
    $schema: { type: "string", description: "Where this schema is, for editors." },
    mcpServers: {
      type: "object",
      description:
        "MCP servers by id, as other hosts write them. An entry without command and url adds its keys to the entry of the same id in a file of less weight.",
      additionalProperties: serverSchema,
    },
    model: {
      type: "string",
      minLength: 1,
      description:
        "The model that answers: `api/name`, a model's name, or `offline`. Not in a project's file.",
      examples: ["claude-opus-5", "offline"],
    },
    fallbackModels: {
      type: "array",
      description:
        "Models that are asked in this order when the one before refuses to answer, each as in model. Not in a project's file.",
      items: { type: "string", minLength: 1, description: "A model, as in model." },
      examples: [["anthropic/claude-sonnet-5"]],
    },
    baseUrl: {
      type: "string",
      minLength: 1,
      description: "Where the model's API is reached, an http or https URL. Not in a project's file.",
    },
    system: { type: "string", description: "System prompt of every run." },
    maxTokens: {
      type: "integer",
      minimum: 1,
      default: defaultMaxTokens,
      description: "Most tokens of one answer. In a project's file at most what holds without it.",
    },
    resourceTools: {
      type: "boolean",
      default: false,
      description:
        "True: the model gets two tools more for each server that has resources, to list and to read them. Not in a project's file.",
    },
    wrapResults: {
      type: "boolean",
      default: false,
      description:
        "True: what tools give back stands between markers for the model, as data of its server. Not in a project's file.",
    },
    limits: {
      type: "object",
      description:
        "Limits of runs, calls and servers. A project's file may only make them tighter. Times are in milliseconds, sizes in bytes.",
      additionalProperties: false,
      properties: limitKeys,
    },
    policy,
    prices: priceSchema,
    audit: auditSchema,
    trust: {
      type: "array",
      description: "Ids of servers whose annotations are believed. Not in a project's file.",
      items: { type: "string", description: "A server's id." },
    },
  },
};

const { $schema, mcpServers } = settingsSchema.properties ?? {};

/** `.mcp.json` belongs to every host: it may hold keys of others, and none of ours beside the servers. */
export const sharedSchema: KeySchema = {
  type: "object",
  description: "Servers, for every host.",
  properties: { ...($schema && { $schema }), ...(mcpServers && { mcpServers }) },
};
