import type { ServerTool } from "./tool.ts";

/** Whose definitions: of one server under one configuration, as one principal sees it. */
export interface DefinitionsOf {
  readonly principal: string;
  readonly server: string;
  readonly configHash: string;
}

/** A tool as it was defined at one time. */
export interface DefinitionThen {
  readonly definitionHash: string;
  /** When it was first seen like this, ISO 8601; empty when nobody knows what it was before. */
  readonly at: string;
  /** Null where it was too large to keep. */
  readonly definition: ServerTool | null;
}

/** A tool as it was last seen, or as it is pinned. */
export interface KeptTool extends DefinitionThen {
  /** Raw name. */
  readonly name: string;
  /** What it was before it changed, until a person has accepted the change. */
  readonly before?: DefinitionThen;
}

export interface KeptDefinitions {
  /** When they were kept, ISO 8601. */
  readonly at: string;
  /** Each name once. */
  readonly tools: readonly KeptTool[];
  /** Of what was seen: there are pins beside it, so that pins that are gone are missed. */
  readonly pinned?: true;
}

/** What was seen with the last run; or what was pinned, which changes only when a person accepts it. */
export type DefinitionsKind = "seen" | "pinned";

export type DefinitionsReading =
  | ({ readonly type: "kept" } & KeptDefinitions)
  /** Nothing was ever kept, or all of it is gone. */
  | { readonly type: "none" }
  /** `reason` is a sentence that names the place; what a later version wrote has to stay as it is. */
  | { readonly type: "unreadable"; readonly reason: string; readonly later: boolean };

/** Definitions of tools, kept from run to run so that a change is noticed. */
export interface DefinitionStore {
  /** Never rejects. */
  read(of: DefinitionsOf, kind: DefinitionsKind): Promise<DefinitionsReading>;
  /**
   * Replaces what is kept by what `change` makes of it, as it is at that moment and while nobody else changes it; null
   * leaves it. Resolves once it is kept. Rejects with `store_failed`.
   */
  update(
    of: DefinitionsOf,
    kind: DefinitionsKind,
    change: (now: DefinitionsReading) => KeptDefinitions | null,
  ): Promise<void>;
}
