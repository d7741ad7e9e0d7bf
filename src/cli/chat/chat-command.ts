import type { HostFlags } from "../host-flags.ts";

/** `drawbridge chat`, as it was typed. */
export interface ChatCommand {
  readonly flags: HostFlags;
  /** The stored conversation to go on with; true: the newest one of this folder. */
  readonly continueId?: string | true;
}
