import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isObject } from "../../src/util/own.ts";

/** Requests that this process makes, whoever makes them. */
export interface Outgoing extends Disposable {
  readonly hosts: ReadonlySet<string>;
}

/** Remembers the host of every HTTP request from now on. */
export function recordOutgoing(): Outgoing {
  const hosts = new Set<string>();
  const fetched = (message: unknown): void => {
    const request = isObject(message) && isObject(message.request) ? message.request : {};
    hosts.add(new URL(String(request.origin)).hostname);
  };
  const requested = (message: unknown): void => {
    const request = isObject(message) && isObject(message.request) ? message.request : {};
    hosts.add(String(request.host));
  };
  subscribe("undici:request:create", fetched);
  subscribe("http.client.request.start", requested);
  return {
    hosts,
    [Symbol.dispose]() {
      unsubscribe("undici:request:create", fetched);
      unsubscribe("http.client.request.start", requested);
    },
  };
}
