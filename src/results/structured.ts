import type { Json, JsonObject } from "../types/json.ts";
import type { CallReply } from "../types/outcome.ts";
import type { SchemaValidator } from "../types/ports.ts";
import type { CatalogTool } from "../types/tool.ts";
import { oneLine } from "../util/one-line.ts";
import { isObject } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";
import { isUsable } from "./piece.ts";

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
}

function parsed(text: string): string | null {
  if (!/^\s*(?:[[{"0-9-]|true|false|null)/.test(text)) return null;
  try {
    return stableJson(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** Forms in which servers repeat structured content as text: the whole of it, a member, or the items of a list one by one. */
function repetitions(structured: Json, json: string): Set<string> {
  const forms = new Set([json]);
  const add = (value: Json) => forms.add(stableJson(value)).add(typeof value === "string" ? value : json);
  const members = isObject(structured) ? (Object.values(structured) as Json[]) : [structured];
  for (const member of members) {
    add(member);
    if (Array.isArray(member)) for (const item of member) add(item);
  }
  return forms;
}

/** The text that an object with this one member wraps: as text it costs no escapes and reads as what it is. */
function onlyText(structured: Json): string {
  const members = isObject(structured) ? Object.values(structured) : [];
  return members.length === 1 && typeof members[0] === "string" ? members[0] : "";
}

/**
 * Whether a number lost digits when it was parsed: then the text has more to say than the value. In a text of many
 * megabytes V8 throws a RangeError for `\d{16,}`, which is the same.
 */
function losesDigits(json: string): boolean {
  return /(?<![\w.])-?\d{16}\d*(?![\w.])|\d[eE]\+?\d/.test(json);
}

/** What the tool's outputSchema says against the reply, as a sentence; null when there is nothing to say. */
export async function violation(
  reply: CallReply,
  schema: JsonObject,
  validator: SchemaValidator,
): Promise<string | null> {
  if (reply.isError) return null;
  if (reply.structuredContent === undefined) {
    return "Warning: the tool promises structured output, but returned none.";
  }
  const checked = await validator.check(schema, reply.structuredContent);
  if (checked.valid) return null;
  const problems = oneLine(checked.problems.slice(0, 3).join("; "), 300);
  return `Warning: the structured output is not what the tool's outputSchema promises: ${problems}`;
}

/**
 * Decides what is sent when a reply has structured content: nothing twice, nothing lost. A text that the JSON
 * only wraps stands for it. Else, with an outputSchema that the content keeps, the JSON and short texts; without one a
 * long text wins and the JSON is kept aside.
 */
export function arrange(reply: CallReply, tool: CatalogTool | null, warning: string | null): Arrangement {
  const texts = reply.content.map((block) =>
    block.type === "text" && isUsable(block.text) ? block.text : null,
  );
  const structured = reply.structuredContent;
  const nothing = structured === null && tool?.definition.outputSchema === undefined;
  if (structured === undefined || nothing) return { texts, json: null, aside: null };
  const json = stableJson(structured);
  const preferred = tool?.definition.outputSchema !== undefined && warning === null && !reply.isError;
  const canonical = texts.map((text) => (text === null ? null : parsed(text)));
  const forms = texts.some((text) => text !== null) ? repetitions(structured, json) : new Set<string>();
  const repeated = texts.map(
    (text, index) => text !== null && (forms.has(text) || forms.has(canonical[index] ?? "")),
  );
  const exact = !preferred || losesDigits(json) ? canonical.indexOf(json) : -1;
  const whole = exact === -1 ? texts.indexOf(onlyText(structured)) : exact;
  if (whole !== -1) {
    const once = texts.map((text, index) => (index !== whole && repeated[index] ? null : text));
    return { texts: once, json: null, aside: null };
  }
  const others = texts.map((text, index) => (repeated[index] ? null : text));
  const length = others.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (length <= shortText) return { texts: others, json, aside: null };
  if (preferred) {
    const name = "The same output as text";
    return {
      texts: others.map(() => null),
      json,
      aside: { name, text: others.filter((text) => text !== null).join("\n") },
    };
  }
  return { texts, json: null, aside: { name: "The structured output", text: json } };
}
