import type { ErrorSummary } from "./error.ts";
import type { ImageBlock, TextBlock } from "./message.ts";

/** A resource as its server listed it, sanitised (MCP `Resource`). Every text is the server's and not escaped. */
export interface ServerResource {
  /** At most 8,000 characters, no control characters. It says nothing of where it leads: the server reads it. */
  readonly uri: string;
  /** The URI where the server gave none. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, as the server says. */
  readonly size?: number;
}

/** A pattern of URIs with variables (MCP `ResourceTemplate`, RFC 6570). */
export interface ServerResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** An entry of a server's list that cannot be used, and why. */
export interface LeftOutEntry {
  readonly name: string;
  readonly reason: string;
}

/** What one server lists: everything that can be used, in its order. */
export interface ServerListing<Entry> {
  readonly server: string;
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOutEntry[];
  /** Why there is no list; absent for a server that has none to give. */
  readonly error?: ErrorSummary;
}

/** One part of what was read (MCP `ResourceContents`), with registered secrets blanked out of its text. */
export interface ResourceContents {
  readonly uri: string;
  /** As the server says; not checked against the bytes. */
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64 without white space. */
  readonly blob?: string;
}

/** What reading a resource gave. */
export interface ResourceReading {
  readonly server: string;
  /** As it was asked for. */
  readonly uri: string;
  readonly contents: readonly ResourceContents[];
  /** The same for a model: text, pictures checked by their bytes, anything else described; cut to `outputTokens`. */
  readonly blocks: readonly (TextBlock | ImageBlock)[];
  /** Bytes of all contents. */
  readonly bytes: number;
}
