import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** The code of the error with which a connection to an address that may not be connected to ends. */
export const refusedAddress = "EREFUSEDADDRESS";

/**
 * Looks names up as the system does, and fails when one of the addresses may not be connected to: a name that stands
 * for another address a moment later is not believed, because the addresses that were checked are the ones used.
 */
export function lookupOf(mayConnectTo: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (addresses.some(({ address }) => !mayConnectTo(address))) {
        const refusal = new Error("the name stands for an address that may not be connected to");
        return done(Object.assign(refusal, { code: refusedAddress }), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
