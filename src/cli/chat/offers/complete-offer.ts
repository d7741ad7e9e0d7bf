import type { Host } from "../../../types/host.ts";
import type { ServerResourceTemplate } from "../../../types/resource.ts";
import { readReference, type ServerReference } from "../../resource-mention.ts";

/** What Tab may put for what servers offer. Never rejects: a server that fails completes nothing. */
export interface OfferCompletion {
  /** `server:uri` behind an `@`; null when no server stands there. */
  resources(typed: string): Promise<readonly string[] | null>;
  /** `/server:prompt`; null when no server stands there. */
  prompts(typed: string): Promise<readonly string[] | null>;
}

const mostCandidates = 1_000;

export function createOfferCompletion(host: Host, signal: AbortSignal): OfferCompletion {
  const reference = (typed: string) =>
    readReference(
      typed,
      host.status().map(({ server }) => server),
    );
  return {
    async resources(typed) {
      const found = reference(typed);
      return found === null ? null : resourceCandidates(host, found, signal).catch(() => []);
    },
    async prompts(typed) {
      const found = reference(typed.slice(1));
      return found === null ? null : promptCandidates(host, found, signal).catch(() => []);
    },
  };
}

/** A word of a message ends at white space. */
const isOneWord = (text: string) => !/\s/.test(text);

async function promptCandidates(
  host: Host,
  { server, rest }: ServerReference,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [listing] = await host.prompts({ server, signal });
  const names = listing?.entries.map(({ name }) => name) ?? [];
  return names.filter((name) => name.startsWith(rest) && isOneWord(name)).map((name) => `/${server}:${name}`);
}

async function resourceCandidates(
  host: Host,
  reference: ServerReference,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { server, rest } = reference;
  const [[resources], [templates]] = await Promise.all([
    host.resources({ server, signal }),
    host.resourceTemplates({ server, signal }),
  ]);
  const listed = resources?.entries ?? [];
  const uris = listed.map(({ uri }) => uri).filter((uri) => uri.startsWith(rest));
  const filled = await Promise.all(
    (templates?.entries ?? []).map((template) => fillTemplate(host, reference, template, signal)),
  );
  const candidates = [...uris, ...filled.flat()].filter(isOneWord);
  // A name stands for its URI where it means one alone.
  const named = candidates.length === 0 ? listed.filter(({ name }) => name.startsWith(rest)) : [];
  const all = named.length === 1 ? named.map(({ uri }) => uri).filter(isOneWord) : candidates;
  return all.slice(0, mostCandidates).map((uri) => `${server}:${uri}`);
}

/**
 * What may stand for a template (RFC 6570, `{name}` alone): its beginning up to the first variable, then what the server
 * completes for that one.
 */
async function fillTemplate(
  host: Host,
  { server, rest }: ServerReference,
  { uriTemplate }: ServerResourceTemplate,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const open = uriTemplate.indexOf("{");
  const close = uriTemplate.indexOf("}", open);
  if (open < 0 || close < 0) return uriTemplate.startsWith(rest) ? [uriTemplate] : [];
  const head = uriTemplate.slice(0, open);
  if (!rest.startsWith(head)) return head.startsWith(rest) ? [head] : [];
  const name = uriTemplate.slice(open + 1, close);
  const value = rest.slice(head.length);
  if (!/^[\w.]+$/.test(name) || value.includes("/")) return [];
  const { values } = await host.complete(
    server,
    { type: "resource", uriTemplate },
    { name, value },
    { signal },
  );
  const tail = uriTemplate.slice(close + 1);
  const fixed = tail.includes("{") ? tail.slice(0, tail.indexOf("{")) : tail;
  return values
    .map((known) => `${head}${encodeURIComponent(known)}${fixed}`)
    .filter((uri) => uri.startsWith(rest));
}
