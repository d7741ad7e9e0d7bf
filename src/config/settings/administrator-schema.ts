import { auditSchema } from "./audit-settings.ts";
import type { KeySchema } from "./key-schema.ts";

const rule: KeySchema = {
  type: "string",
  description: "One rule, such as `ask */* @destructive=true` or `deny shell/*`.",
};

const policy: KeySchema = {
  type: "object",
  description: "Rules above those of every user.",
  additionalProperties: false,
  properties: {
    rules: {
      type: "array",
      description:
        "Rules: `allow|ask|deny|hide server/tool [condition …]`, `*` is any text. Where one matches a call, the user's rules are not looked at.",
      items: rule,
      examples: [["deny shell/*", "ask */* @destructive=true"]],
    },
    shadowRules: {
      type: "array",
      description:
        "Rules to try out in the place of rules: where they would decide otherwise is told and recorded, never enforced.",
      items: rule,
    },
    flows: {
      type: "string",
      enum: ["ask"],
      description:
        "ask: nobody turns off the question about calls that may carry private content to others once untrusted content was read.",
    },
  },
};

const { arguments: kept, required, sign } = auditSchema.properties ?? {};

/** Everything that the administrator's `policy.json` may hold. */
export const administratorSchema: KeySchema & { readonly $schema: string; readonly title: string } = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Drawbridge administrator's policy",
  type: "object",
  description:
    "policy.json of whoever administers the computer: what it says holds for all of its users, whatever their own files, projects and options say. Comments and trailing commas are allowed.",
  additionalProperties: false,
  properties: {
    $schema: { type: "string", description: "Where this schema is, for editors." },
    policy,
    audit: {
      type: "object",
      description: "How the audit log of every user is kept.",
      additionalProperties: false,
      properties: {
        ...(kept && { arguments: kept }),
        ...(required && { required }),
        ...(sign && {
          sign: {
            ...sign,
            description:
              "File with an Ed25519 private key, as drawbridge audit keygen makes it: the heads of the log are signed. A relative path starts at this file.",
          },
        }),
      },
    },
    drift: {
      type: "string",
      enum: ["block"],
      description:
        "block: of every server, new and changed tools are kept from the model until the user has accepted them.",
    },
  },
};
