import type { Json } from "../types/json.ts";
import type { Secrets } from "../types/ports.ts";
import type { QuarantinedTool, ServerTool } from "../types/tool.ts";

interface Listed {
  readonly tools: readonly ServerTool[];
  readonly quarantined: readonly QuarantinedTool[];
}

/**
 * A tool list without the secrets that a server put into its own definitions: they are kept, shown and sent to the
 * model. Names stay, because calls go by them. The list itself where nothing is found, which one search tells.
 */
export function redactTools<L extends Listed>(listed: L, { redact, redactJson }: Secrets): L {
  const { tools, quarantined } = listed;
  const said = allWords([tools, quarantined]);
  if (redact(said) === said) return listed;
  return {
    ...listed,
    tools: tools.map((tool) => redactTool(tool, redactJson)),
    quarantined: quarantined.map((tool) => ({ ...tool, reason: redact(tool.reason) })),
  };
}

/** Every name and value as it stands: written as JSON, what is escaped in it already would be so once more. */
function allWords(value: unknown): string {
  const words: unknown[] = [];
  JSON.stringify(value, (name, member: unknown) => {
    words.push(name);
    if (typeof member !== "object") words.push(member);
    return member;
  });
  return words.join("\n");
}

function redactTool(tool: ServerTool, redactJson: Secrets["redactJson"]): ServerTool {
  const { name, ...described } = tool;
  // Only texts are replaced: the form stays a tool's.
  return { ...(redactJson(described as unknown as Json) as unknown as Omit<ServerTool, "name">), name };
}
