import type { HostFlags } from "../host-flags.ts";

/** `drawbridge chat`, as it was typed. */
export interface ChatCommand {
  readonly flags: HostFlags;
  /** A conversation's id, or `newest`. */
  readonly continue?: string;
}
