import type {
  DefinitionStore,
  DefinitionsKind,
  DefinitionsOf,
  KeptDefinitions,
} from "../types/definitions.ts";
import { stableJson } from "../util/stable-json.ts";

/** Definitions that end with the process. */
export function createDefinitionMemory(): DefinitionStore {
  const kept = new Map<string, KeptDefinitions>();
  const keyOf = ({ principal, server, configHash }: DefinitionsOf, kind: DefinitionsKind) =>
    stableJson([kind, principal, server, configHash]);
  const now = (key: string) => {
    const found = kept.get(key);
    return found === undefined ? ({ type: "none" } as const) : ({ type: "kept", ...found } as const);
  };
  return {
    read: async (of, kind) => now(keyOf(of, kind)),
    async update(of, kind, change) {
      const key = keyOf(of, kind);
      const next = change(now(key));
      if (next !== null) kept.set(key, next);
    },
  };
}
