import type { CatalogTool, ToolSnapshot } from "../../types/tool.ts";
import { lowerInputSchema } from "./schema.ts";
import { encodeJson } from "./wire-json.ts";

/** The tools of a snapshot as they are sent. */
export interface EncodedTools {
  /** `"tools":[…],` with the cache breakpoint on the last one; empty when there are none. */
  readonly bytes: Uint8Array;
  /** By alias: original property keys by the names that were sent. Tools without renamed keys are not in it. */
  readonly renamed: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const encoded = new WeakMap<ToolSnapshot, EncodedTools>();

/** The tools of a snapshot in the API's form. Made once per snapshot, so that their bytes never change by themselves. */
export function encodeTools(snapshot: ToolSnapshot): EncodedTools {
  const known = encoded.get(snapshot);
  if (known !== undefined) return known;
  const made = encode(snapshot.tools);
  encoded.set(snapshot, made);
  return made;
}

function encode(tools: readonly CatalogTool[]): EncodedTools {
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  const parts = tools.map(({ alias, definition }, index) => {
    const { json, originals } = lowerInputSchema(definition.inputSchema);
    if (originals.size > 0) renamed.set(alias, originals);
    const head = `{"name":${JSON.stringify(alias)},"description":${JSON.stringify(definition.description)}`;
    const breakpoint = index === tools.length - 1 ? ',"cache_control":{"type":"ephemeral"}' : "";
    return `${head},"input_schema":${json}${breakpoint}}`;
  });
  const bytes = encodeJson(parts.length === 0 ? "" : `"tools":[${parts.join(",")}],`);
  return { bytes, renamed };
}
