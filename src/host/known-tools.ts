import { existsSync } from "node:fs";
import type { AuditRecord } from "../stores/audit-record.ts";
import { createDefinitionFiles } from "../stores/definition-files.ts";
import { hashKeyPath, loadHashKey } from "../stores/hash-key.ts";
import type { HostOptions } from "../types/config.ts";
import type { DefinitionStore } from "../types/definitions.ts";
import type { CallFacts, PolicyCheckSettings } from "../types/policy.ts";
import { systemClock as clock } from "../util/clock.ts";
import { own } from "../util/own.ts";
import { createFolders, isTrusted } from "./server-settings.ts";

interface KnownToolsSettings {
  readonly state: string;
  readonly servers: HostOptions["servers"];
  readonly policy: HostOptions["policy"];
}

/** The definitions that a state folder keeps; null where there are none, and nothing is made. */
export async function openDefinitions(state: string): Promise<DefinitionStore | null> {
  if (!existsSync(hashKeyPath(state))) return null;
  return createDefinitionFiles(state, await loadHashKey(hashKeyPath(state)), clock);
}

type ToolOf = NonNullable<PolicyCheckSettings["toolOf"]>;

/** What is known of the tools of past calls: what their servers said of them then, and what is configured now. */
interface KnownTools {
  /** Reads what was kept of the tools of the call's server. Never rejects. */
  lookUp(entry: AuditRecord["entry"], principal: string): Promise<void>;
  toolOf: ToolOf;
}

/** Nothing of it is written. */
export function createKnownTools({ state, servers, policy }: KnownToolsSettings): KnownTools {
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
      store ??= openDefinitions(state).catch(() => null);
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
