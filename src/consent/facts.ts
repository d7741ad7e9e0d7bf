import type { ConsentContext } from "../types/consent.ts";
import type { CallFacts } from "../types/policy.ts";
import type { ToolCall } from "../types/tool.ts";

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
    annotations: tool.definition.annotations,
    folder: folderOf(tool.route.server),
    principal,
    mode,
    reads,
    origin,
  };
}
