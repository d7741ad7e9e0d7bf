import { HostError } from "../errors.ts";
import type { Host, RunInput } from "../types/host.ts";
import type { ImageBlock, TextBlock } from "../types/message.ts";
import type { ResourceReading } from "../types/resource.ts";
import { visibleLine } from "../util/visible.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Something of a server, as a person writes it: `server:rest`. */
export interface ServerReference {
  readonly server: string;
  readonly rest: string;
}

/** Splits `server:rest`; of two ids that fit, the longer one is meant. Null when no server's id stands before a colon. */
export function readReference(text: string, ids: readonly string[]): ServerReference | null {
  const fitting = ids.filter((id) => text.startsWith(`${id}:`)).sort((a, b) => b.length - a.length);
  const [server] = fitting;
  return server === undefined ? null : { server, rest: text.slice(server.length + 1) };
}

/** A resource beside a message: its blocks, and what is said of it on the screen. */
export interface AddedResource {
  readonly blocks: readonly (TextBlock | ImageBlock)[];
  readonly added: string;
}

/** Reads a resource that a person named. Rejects as `Host.readResource` does. */
export async function addResource(
  host: Host,
  { server, rest: uri }: ServerReference,
  signal: AbortSignal,
): Promise<AddedResource> {
  const reading = await host.readResource(server, uri, { signal });
  const heading = `From the server ${JSON.stringify(server)}, added by the person:`;
  return {
    blocks: [{ type: "text", text: heading }, ...reading.blocks],
    added: `${visibleLine(server)} ${visibleLine(uri)} (${sizeText(reading)})`,
  };
}

/** More than this the model does not get of one resource, as of a file. */
const mostBytes = 256 * 1024;

function sizeText({ bytes, contents }: ResourceReading): string {
  const size = `${bytes.toLocaleString("en-US")} bytes`;
  return bytes > mostBytes && contents.some(({ text }) => text !== undefined) ? `${size}, cut` : size;
}

/**
 * The resources of the `--resource` options.
 * @throws HostError `config_invalid`
 */
export function resourceReferences(texts: readonly string[], ids: readonly string[]): ServerReference[] {
  return texts.map((text) => {
    const reference = readReference(text, ids);
    if (reference !== null && reference.rest !== "") return reference;
    const list =
      ids.length === 0 ? "There is no server." : `The servers are: ${ids.map(visibleLine).join(", ")}.`;
    const message = `--resource takes SERVER:URI, not "${visibleLine(text.slice(0, 100))}". ${list}`;
    throw new HostError("config_invalid", message);
  });
}

export interface ResourceReader {
  readonly host: Host;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The input with the resources behind it. Rejects when one cannot be read: a question without it is another one. */
export async function withResources(
  input: RunInput,
  references: readonly ServerReference[],
  { host, terminal, signal }: ResourceReader,
): Promise<RunInput> {
  if (references.length === 0) return input;
  terminal.waitFor("the resources");
  // A server that is down is told as such.
  await host.tools({ signal });
  const read = await Promise.all(references.map((reference) => addResource(host, reference, signal)));
  terminal.waitFor(null);
  for (const { added } of read) terminal.line(terminal.paint("dim", `  added ${added}`));
  const asked = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
  return [...asked, ...read.flatMap(({ blocks }) => blocks)];
}
