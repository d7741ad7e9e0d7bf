import type { AuditRecord } from "../stores/audit-record.ts";
import { openKeptDefinitions } from "../stores/definition-files.ts";
import type { HostOptions } from "../types/config.ts";
import type { DefinitionStore } from "../types/definitions.ts";
import type { CallFacts, PolicyCheckSettings } from "../types/policy.ts";
import { systemClock as clock } from "../util/clock.ts";
import { own } from "../util/own.ts";
import { createFolders, isTrusted } from "./server-settings.ts";

interface PastToolsSettings {
  readonly state: string;
  readonly servers: HostOptions["servers"];
  readonly policy: HostOptions["policy"];
}

type ToolOf = NonNullable<PolicyCheckSettings["toolOf"]>;

/** What is known of the tools of past calls: what their servers said of them then, and what is configured now. */
interface PastTools {
  /** Reads what was kept of the tools of the call's server. Never rejects. */
  lookUp(entry: AuditRecord["entry"], principal: string): Promise<void>;
  /** The tool of a past call as rules see it; null where nothing is known of it any more. */
  toolOf: ToolOf;
}

/** Looks past tools up in what a state folder keeps, and writes nothing. */
export function createPastTools({ state, servers, policy }: PastToolsSettings): PastTools {
  const folderOf = createFolders(servers);
  const looked = new Set<string>();
  /** By the hash of a definition, which covers the name of the tool. */
  const annotations = new Map<string, CallFacts["annotations"]>();
  let store: Promise<DefinitionStore | null> | undefined;

  return {
    async lookUp(entry, principal) {
      if (entry.kind !== "call_intended" && entry.kind !== "call_denied") return;
      const { server, configHash } = entry;
      if (configHash === undefined) return;
      const key = JSON.stringify([principal, server, configHash]);
      if (looked.has(key)) return;
      looked.add(key);
      store ??= openKeptDefinitions(state, clock).catch(() => null);
      const kept = await (await store)?.read({ principal, server, configHash }, "seen");
      if (kept?.type !== "kept") return;
      for (const { before, ...now } of kept.tools) {
        for (const { definitionHash, definition } of before === undefined ? [now] : [now, before]) {
          if (definition !== null) annotations.set(definitionHash, definition.annotations);
        }
      }
    },
    toolOf({ server, definitionHash }) {
      const config = own(servers, server);
      const known = definitionHash === undefined ? undefined : annotations.get(definitionHash);
      if (config === undefined || known === undefined) return null;
      return { trusted: isTrusted(server, config, policy), annotations: known, folder: folderOf(server) };
    },
  };
}
