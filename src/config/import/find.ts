import type { FindServersOptions, FoundServer, FoundServers } from "../../types/found-servers.ts";
import { type CarrySettings, carryServer } from "./carry.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { goose } from "./goose.ts";
import { mergeFound } from "./merge.ts";
import { opencode } from "./opencode.ts";
import { type ParsedFile, parseFile } from "./parse-file.ts";
import type { HostReader, Place } from "./raw-server.ts";
import { readText } from "./read-text.ts";
import { createSecretNames, type SecretNames } from "./secret-names.ts";
import { vsCode } from "./vs-code.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** In the order in which their servers are listed. */
const readers: readonly HostReader[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vsCode,
  windsurf,
  codex,
  geminiCli,
  opencode,
  goose,
  zed,
];

/** A host's file that was there: its servers, or why it could not be read. */
interface ReadPlace {
  readonly reader: HostReader;
  readonly place: Place;
  readonly parsed: ParsedFile;
}

/** Finds the servers in other hosts' files. Starts nothing, writes nothing, and reads no other file. Never rejects. */
export async function findInFiles(where: FindServersOptions): Promise<FoundServers> {
  const read = (await Promise.all(candidates(where).map(readPlace))).filter((one) => one !== null);
  const problems = read.flatMap(problemOf);
  const shared = {
    windows: where.platform === "win32",
    ...(where.scope === "project" ? { target: where.cwd } : {}),
  };
  const carry = (names: SecretNames) => read.flatMap((one) => serversOf(one, read, { ...shared, names }));
  // Once without names of our own, to learn which variables of the environment the servers name themselves.
  const names = createSecretNames(where.environment, referencedIn(carry(noNames)));
  const found = carry(names);
  return { servers: mergeFound(found), files: read.map(({ place }) => place.file), problems };
}

/** Every file once: in the home folder the project's files are the person's. */
function candidates(where: FindServersOptions): { reader: HostReader; place: Place }[] {
  const seen = new Set<string>();
  return readers.flatMap((reader) =>
    reader.places(where).flatMap((place) => {
      if (seen.has(place.file)) return [];
      seen.add(place.file);
      return [{ reader, place }];
    }),
  );
}

async function readPlace({ reader, place }: { reader: HostReader; place: Place }): Promise<ReadPlace | null> {
  const text = await readText(place.file);
  if (text === null) return null;
  if (typeof text !== "string") return { reader, place, parsed: text };
  return { reader, place, parsed: await parseFile(text, place.format) };
}

function problemOf({ reader, place, parsed }: ReadPlace): string[] {
  if (!("problem" in parsed)) return [];
  const { line, column } = parsed;
  const at = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  return [`${place.file}${at}: The file of ${reader.host} is left out, because ${parsed.problem}.`];
}

const noNames: SecretNames = { nameFor: () => "", state: () => "unset" };

/** Names of the variables in the configs. */
function referencedIn(servers: readonly FoundServer[]): ReadonlySet<string> {
  const text = JSON.stringify(servers.map(({ config }) => config));
  return new Set(
    [...text.matchAll(/(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, variable = ""]) => variable),
  );
}

function serversOf(
  { reader, place, parsed }: ReadPlace,
  all: readonly ReadPlace[],
  shared: Pick<CarrySettings, "names" | "windows" | "target">,
): FoundServer[] {
  if ("problem" in parsed) return [];
  const { host, syntax } = reader;
  const { file, project } = place;
  const settings = { ...shared, host, syntax, file, ...(project === undefined ? {} : { project }) };
  const own = all.flatMap((other) =>
    other.reader === reader && other.place.project === undefined && "document" in other.parsed
      ? [other.parsed.document]
      : [],
  );
  return reader.read(parsed.document, place, own).map((raw) => carryServer(raw, settings));
}
