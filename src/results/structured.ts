import type { Json } from "../types/json.ts";
import type { CallReply } from "../types/outcome.ts";
import type { SchemaValidator } from "../types/ports.ts";
import type { CatalogTool } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";
import { isUsable } from "./piece.ts";
import { oneLine } from "./text.ts";

/** Text beside structured content that is short enough to be sent as well. */
const shortText = 2_000;

/** How a reply's text blocks and its structured content go to the model. */
export interface Arrangement {
  /** For each content block: its text, or null when the structured content or a note stands for it. */
  readonly texts: readonly (string | null)[];
  /** Compact JSON to send behind the content. */
  readonly json: string | null;
  /** Kept aside instead: what it is, and the whole of it. */
  readonly aside: { readonly name: string; readonly text: string } | null;
  /** What the tool's own outputSchema says against the reply. */
  readonly warning: string | null;
}

function parsed(text: string): string | null {
  if (!/^\s*(?:[[{"0-9-]|true|false|null)/.test(text)) return null;
  try {
    return stableJson(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** Forms in which servers repeat structured content as text: the whole of it, or one of its members. */
function repetitions(structured: Json, json: string): Set<string> {
  const forms = new Set([json]);
  if (typeof structured === "string") forms.add(structured);
  if (!isObject(structured)) return forms;
  for (const member of Object.values(structured) as Json[]) {
    if (typeof member === "string") forms.add(member);
    forms.add(stableJson(member));
  }
  return forms;
}

/** Whether a number lost digits when it was parsed: then the text has more to say than the value. */
function losesDigits(json: string): boolean {
  return /(?<![\w.])-?\d{16,}(?![\w.])|\d[eE]\+?\d/.test(json);
}

async function violation(
  reply: CallReply,
  tool: CatalogTool | null,
  validator: SchemaValidator,
): Promise<string | null> {
  const schema = tool?.definition.outputSchema;
  if (schema === undefined || reply.isError) return null;
  if (reply.structuredContent === undefined) {
    return "Warning: the tool promises structured output, but returned none.";
  }
  const checked = await validator.check(schema, reply.structuredContent);
  if (checked.valid) return null;
  const problems = oneLine(checked.problems.slice(0, 3).join("; "), 300);
  return `Warning: the structured output is not what the tool's outputSchema promises: ${problems}`;
}

/**
 * Decides what is sent when a reply has structured content: nothing twice, nothing lost. With an outputSchema that the
 * content keeps, the JSON and short texts; without one, a long text wins and the JSON is kept aside.
 */
export async function arrange(
  reply: CallReply,
  tool: CatalogTool | null,
  validator: SchemaValidator,
): Promise<Arrangement> {
  const texts = reply.content.map((block) =>
    block.type === "text" && isUsable(block.text) ? block.text : null,
  );
  const warning = await violation(reply, tool, validator);
  const structured = reply.structuredContent;
  if (structured === undefined) return { texts, json: null, aside: null, warning };
  const json = stableJson(structured);
  const forms = texts.some((text) => text !== null) ? repetitions(structured, json) : new Set<string>();
  const repeated = texts.map((text) => text !== null && (forms.has(text) || forms.has(parsed(text) ?? "")));
  const preferred = tool?.definition.outputSchema !== undefined && warning === null && !reply.isError;
  const whole = texts.findIndex((text) => text !== null && parsed(text) === json);
  if (whole !== -1 && (!preferred || losesDigits(json))) {
    return {
      texts: texts.map((text, index) => (index !== whole && repeated[index] ? null : text)),
      json: null,
      aside: null,
      warning,
    };
  }
  const others = texts.map((text, index) => (repeated[index] ? null : text));
  const length = others.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (length <= shortText) return { texts: others, json, aside: null, warning };
  if (preferred) {
    const name = "The same output as text";
    return {
      texts: others.map(() => null),
      json,
      aside: { name, text: others.filter((text) => text !== null).join("\n") },
      warning,
    };
  }
  return { texts, json: null, aside: { name: "The structured output", text: json }, warning };
}
