import {
  type CatalogTool,
  callToolAlias,
  type QuarantinedTool,
  type ToolSnapshot,
} from "../../types/tool.ts";
import { calledName } from "../../util/called-name.ts";
import { utf8Length } from "../../util/utf8.ts";
import type { LoweredSchema, SchemaLowering } from "../schema/lower.ts";
import { encodeJson } from "./json-bytes.ts";

/** How an API takes tools. */
export interface ToolForm {
  readonly lower: SchemaLowering;
  /** One tool in the API's form; `schema` is the lowered schema, as JSON. */
  write(tool: CatalogTool, schema: string, last: boolean): string;
  /** The part of a request that holds these tools, one at least. */
  wrap(parts: readonly string[]): string;
  /** Most tools of a request. Default: any number. */
  readonly most?: number;
  /** Most bytes of all tools together. Default: any number. */
  readonly mostBytes?: number;
  /** The API's name in the reason of a tool that is left out. */
  readonly apiName: string;
}

/** The tools of a snapshot as they are sent. */
export interface EncodedTools {
  /** The part of a request that holds them; empty when there are none. */
  readonly bytes: Uint8Array;
  /** The tools in it, in its order. */
  readonly tools: readonly CatalogTool[];
  /** Tools that the API has no room for. */
  readonly leftOut: readonly QuarantinedTool[];
  /** The arguments of a call of an alias as its tool's own schema means them. */
  restore(alias: string, argumentsJson: string): string;
}

/**
 * Writes the tools of snapshots. Each snapshot is written once, so that its bytes never change by themselves. What there is
 * no room for is left out in the list's order: what was sent before stays.
 */
export function createToolEncoder(form: ToolForm): (snapshot: ToolSnapshot) => EncodedTools {
  const encoded = new WeakMap<ToolSnapshot, EncodedTools>();
  return (snapshot) => {
    const known = encoded.get(snapshot);
    if (known !== undefined) return known;
    const made = encode(snapshot, form);
    encoded.set(snapshot, made);
    return made;
  };
}

function encode({ tools, byAlias }: ToolSnapshot, form: ToolForm): EncodedTools {
  const { sent, leftOut } = withinLimits(tools, form);
  const lowered = new Map<string, LoweredSchema>();
  const parts = sent.map((tool, index) => {
    const schema = form.lower(tool.definition.inputSchema);
    lowered.set(tool.alias, schema);
    return form.write(tool, schema.json, index === sent.length - 1);
  });
  return {
    bytes: encodeJson(parts.length === 0 ? "" : form.wrap(parts)),
    tools: sent,
    leftOut,
    restore: (alias, argumentsJson) =>
      alias === callToolAlias
        ? restoreFound(argumentsJson, byAlias, form.lower)
        : (lowered.get(alias)?.restore(argumentsJson) ?? argumentsJson),
  };
}

/** A call of a found tool holds the arguments of that tool. */
function restoreFound(
  argumentsJson: string,
  byAlias: ReadonlyMap<string, CatalogTool>,
  lower: SchemaLowering,
): string {
  const tool = byAlias.get(calledName({ name: callToolAlias, input: argumentsJson }));
  if (tool === undefined) return argumentsJson;
  return lower({ type: "object", properties: { arguments: tool.definition.inputSchema } }).restore(
    argumentsJson,
  );
}

function withinLimits(
  tools: readonly CatalogTool[],
  form: ToolForm,
): { readonly sent: readonly CatalogTool[]; readonly leftOut: readonly QuarantinedTool[] } {
  const most = form.most ?? Number.POSITIVE_INFINITY;
  const mostBytes = form.mostBytes ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  const sent: CatalogTool[] = [];
  const leftOut: QuarantinedTool[] = [];
  for (const tool of tools) {
    const size =
      mostBytes === Number.POSITIVE_INFINITY
        ? 0
        : utf8Length(form.write(tool, form.lower(tool.definition.inputSchema).json, false)) + 1;
    const full = sent.length >= most;
    if (full || bytes + size > mostBytes) {
      const limit = full ? `${most} tools` : `${mostBytes} bytes of tools`;
      const reason = `${form.apiName} takes at most ${limit} in a request`;
      leftOut.push({ ...tool.route, reason });
      continue;
    }
    bytes += size;
    sent.push(tool);
  }
  return { sent, leftOut };
}
