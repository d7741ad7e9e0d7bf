import type { Client } from "@modelcontextprotocol/client";

/** What a server declares to have beside tools (MCP `ServerCapabilities`). */
export interface DeclaredOffers {
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  /** It tells of changes of these lists. */
  readonly announcesResources: boolean;
  readonly announcesPrompts: boolean;
}

export function declaredOffers(client: Client): DeclaredOffers {
  const { resources, prompts, completions } = client.getServerCapabilities() ?? {};
  return {
    resources: resources !== undefined,
    prompts: prompts !== undefined,
    completions: completions !== undefined,
    announcesResources: resources?.listChanged === true,
    announcesPrompts: prompts?.listChanged === true,
  };
}
