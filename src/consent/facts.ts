import type { ConsentContext } from "../types/consent.ts";
import type { CallFacts } from "../types/policy.ts";
import type { ServerTool, ToolAnnotations, ToolCall } from "../types/tool.ts";

/** What of a host the policy looks at. */
export interface HostFacts {
  readonly mode: CallFacts["mode"];
  /** The absolute folder that a server works in, or null. */
  readonly folderOf: (server: string) => string | null;
}

const nothingRead: CallFacts["reads"] = { untrusted: false, private: false };

/** The facts of a call that the model proposed or a person typed. */
export function factsOf(
  { tool, arguments: values }: Pick<ToolCall, "tool" | "arguments">,
  { principal, origin, reads = nothingRead }: Pick<ConsentContext, "principal" | "origin" | "reads">,
  { mode, folderOf }: HostFacts,
): CallFacts {
  return {
    route: tool.route,
    arguments: values,
    trusted: tool.trusted,
    annotations: saidByServer(tool.definition),
    folder: folderOf(tool.route.server),
    principal,
    mode,
    reads,
    origin,
  };
}

/** A read is a tool of the host's making: that it reaches outside is no word of its server. */
export function saidByServer({ method, annotations }: ServerTool): ToolAnnotations {
  if (method === undefined) return annotations;
  const { openWorldHint: _, ...others } = annotations;
  return others;
}
