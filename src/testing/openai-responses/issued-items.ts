import { createHash } from "node:crypto";
import type { WireObject } from "../wire-server/api.ts";

/** The items that a simulator gave out, and what it knows of them when they come back. */
export interface IssuedItems {
  /** Remembers the items of an answer, in their order. */
  issue(items: readonly WireObject[]): void;
  /** A new encrypted content: it holds its own proof, so that it is also known at another simulator. */
  encrypt(id: string): string;
  /** Whether an encrypted content was given out. */
  knows(content: string): boolean;
  /** The reasoning that an item has to come back with, or null. */
  reasoningOf(id: string): string | null;
}

/** Real ones begin alike. */
const head = "gAAAAAB";

export function createIssuedItems(): IssuedItems {
  const scripted = new Set<string>();
  const leads = new Map<string, string>();
  const given = new Set<string>();
  return {
    issue(items) {
      for (const [index, item] of items.entries()) {
        if (typeof item.encrypted_content === "string") scripted.add(item.encrypted_content);
        const id = String(item.id);
        const before = items[index - 1];
        // The API mints no id twice; of one that a script gives twice nothing can be said.
        if (given.has(id)) leads.delete(id);
        else if (before?.type === "reasoning" && item.type !== "reasoning") leads.set(id, String(before.id));
        given.add(id);
      }
    },
    encrypt(id) {
      const hidden = Buffer.from(`thought of ${id}`).toString("base64url");
      return `${head}${hidden}.${proofOf(hidden)}`;
    },
    knows(content) {
      if (scripted.has(content)) return true;
      const [hidden = "", proof] = content.startsWith(head) ? content.slice(head.length).split(".") : [];
      return proof === proofOf(hidden);
    },
    reasoningOf: (id) => leads.get(id) ?? null,
  };
}

function proofOf(hidden: string): string {
  return createHash("sha256").update(`simulated ${hidden}`).digest("hex").slice(0, 16);
}
