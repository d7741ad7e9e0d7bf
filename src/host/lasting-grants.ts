import type { LastingGrants } from "../consent/grants.ts";
import type { HostOptions } from "../types/config.ts";
import type { GrantStore } from "../types/grants.ts";
import type { Stores } from "../types/stores.ts";
import { own } from "../util/own.ts";

/** Grants that outlast a conversation, for consent; there are none until they were opened. */
export interface OpeningGrants extends LastingGrants {
  /** Never rejects: where grants cannot be read, the person is asked. */
  open(): Promise<void>;
}

export function lastingGrants(stores: Stores, servers: HostOptions["servers"]): OpeningGrants {
  let opened: GrantStore | null = null;
  let opening: Promise<void> | undefined;

  async function open(): Promise<void> {
    opened = (await stores.openGrants?.().catch(() => null)) ?? null;
  }

  return {
    store: () => opened,
    // Of a transport that the program made, nothing is known but the name that it was given.
    mayLast(server) {
      const config = own(servers, server);
      return config !== undefined && !("transport" in config);
    },
    open() {
      opening ??= open();
      return opening;
    },
  };
}
