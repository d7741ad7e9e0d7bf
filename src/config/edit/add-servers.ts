import type { WrittenServer } from "../../types/found-servers.ts";
import { type InsertedServers, insertServers } from "./insert-servers.ts";
import { newFileText } from "./new-file.ts";
import { createWhole, readWhole, replaceWhole } from "./write-file.ts";

export interface AddServersOptions {
  /** What the file is, should it have to be made. */
  readonly scope: "project" | "user";
  /** Replace servers of the same id that are different. Default: false. */
  readonly force?: boolean;
  /** Only say what would be done. Default: false. */
  readonly dryRun?: boolean;
}

/** What was done with each id. */
export type AddedServers = Omit<InsertedServers, "text">;

/** Puts servers into a config file; all of them or none. */
export async function addServersTo(
  file: string,
  servers: ReadonlyMap<string, WrittenServer>,
  { scope, force = false, dryRun = false }: AddServersOptions,
): Promise<AddedServers> {
  const present = await readWhole(file);
  const mark = present?.startsWith("\ufeff") === true ? "\ufeff" : "";
  const old = present?.slice(mark.length) ?? "";
  const { text, ...done } = await insertServers(old.trim() === "" ? newFileText(scope) : old, servers, {
    force,
    file,
  });
  if (dryRun || text === old) return done;
  if (present === null) await createWhole(file, text);
  else await replaceWhole(file, mark + text);
  return done;
}
