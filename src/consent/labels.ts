import type { ResultLabels } from "../types/policy.ts";
import { builtinServer, type CatalogTool } from "../types/tool.ts";
import { saidByServer } from "./facts.ts";

/** What is known of a server's content. */
export interface ServerPrivacy {
  /** The operator's word on whether it is private, or null. */
  readonly stated: boolean | null;
  /** Whether the server holds credentials: what it reads with them is somebody's own. */
  readonly credentials: boolean;
  /** Whether it runs with the rights of the person, whose files it can read. */
  readonly local: boolean;
}

/** The labels of what a tool gives back; null for the host's own tools. */
export type LabelsOf = (tool: Pick<CatalogTool, "route" | "trusted" | "definition">) => ResultLabels | null;

/**
 * Labels results by their tools. The operator's word on privacy holds; a hint adds the label whoever gives it, and only
 * a trusted one takes it away.
 */
export function createLabels(privacyOf: (server: string) => ServerPrivacy): LabelsOf {
  return ({ route, trusted, definition }) => {
    if (route.server === builtinServer) return null;
    const { openWorldHint } = saidByServer(definition);
    const openWorld = openWorldHint === true;
    const { stated, credentials, local } = privacyOf(route.server);
    const byDefault = credentials || openWorldHint === false || (local && !(trusted && openWorld));
    return { trusted, openWorld, private: stated ?? byDefault };
  };
}

/** Whether the content may be of somebody whom the operator does not trust. */
export function isUntrusted({ trusted, openWorld }: ResultLabels): boolean {
  return !trusted || openWorld;
}
