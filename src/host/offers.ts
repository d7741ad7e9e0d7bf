import { HostError } from "../errors.ts";
import type { HostOffers, OfferListOptions } from "../types/host-offers.ts";
import type { ServerOffers } from "../types/offers.ts";
import type { ServerListing } from "../types/resource.ts";
import { linkAbort } from "../util/abort.ts";
import { didYouMean } from "../util/closest.ts";
import { getPrompt } from "./get-prompt.ts";
import type { HostParts, WithSignal } from "./parts.ts";
import { readResource } from "./read-resource.ts";

interface Offering {
  readonly server: string;
  readonly offers: ServerOffers;
}

/** The part of a host that is about what servers offer beside tools. */
export function createHostOffers(parts: HostParts, withSignal: WithSignal): HostOffers {
  /** The state folder comes first, so that no server is blamed for it. */
  async function offering(server: string): Promise<Offering> {
    await parts.stores.hashKey();
    const offers = parts.connections.offers(server);
    if (offers !== null) return { server, offers };
    const ids = parts.connections.status().map((status) => status.server);
    const name = JSON.stringify(server);
    throw new HostError("server_unknown", `There is no server ${name}.${didYouMean(server, ids)}`);
  }

  function lists<Entry>(
    { server, signal }: OfferListOptions,
    list: (offers: ServerOffers, signal: AbortSignal) => Promise<ServerListing<Entry>>,
  ): Promise<readonly ServerListing<Entry>[]> {
    return withSignal(signal, async (linked) => {
      const ids = server === undefined ? parts.connections.status().map((status) => status.server) : [server];
      const all = await Promise.all(ids.map(offering));
      return Promise.all(all.map(({ offers }) => list(offers, linked))).catch((thrown: unknown) => {
        throw linked.aborted ? aborted(linked) : thrown;
      });
    });
  }

  return {
    resources: (options = {}) => lists(options, (offers, signal) => offers.resources(signal)),
    resourceTemplates: (options = {}) => lists(options, (offers, signal) => offers.templates(signal)),
    prompts: (options = {}) => lists(options, (offers, signal) => offers.prompts(signal)),
    readResource: (server, uri, { signal, outputTokens } = {}) =>
      withSignal(signal, async (linked) =>
        readResource(parts, await offering(server), uri, { signal: linked, outputTokens }),
      ),
    getPrompt: (server, name, args = {}, { signal, outputTokens } = {}) =>
      withSignal(signal, async (linked) =>
        getPrompt(parts, await offering(server), { name, args }, { signal: linked, outputTokens }),
      ),
    complete: (server, reference, argument, { signal, given = {} } = {}) =>
      withSignal(signal, async (linked) => {
        const { offers } = await offering(server);
        return inTime(parts, linked, (until) =>
          offers.complete(reference, argument, given, { signal: until }),
        );
      }),
  };
}

function aborted({ reason }: AbortSignal): HostError {
  return reason instanceof HostError ? reason : new HostError("aborted", "Aborted.", { cause: reason });
}

/** A completion is worth no more time than a list. */
async function inTime<T>(
  { clock, limits }: HostParts,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = linkAbort(signal);
  const cancel = clock.after(limits.listMs, () => deadline.abort());
  try {
    return await work(deadline.signal);
  } finally {
    cancel();
    deadline.end();
  }
}
