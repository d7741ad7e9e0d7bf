import { stat } from "node:fs/promises";
import { toHostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface PathsCommand {
  readonly json: boolean;
}

/** A place that is used, and whether there is something yet. */
interface Place {
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
}

/** Prints every file and folder that is read or written for the person, and whether it exists. */
export async function runPaths(command: PathsCommand, terminal: Terminal): Promise<number> {
  const places = await Promise.all(
    (await allPlaces(terminal)).map(async ([name, path]): Promise<Place> => {
      const exists = await stat(path).then(
        () => true,
        () => false,
      );
      return { name, path, exists };
    }),
  );
  const lines = command.json ? [JSON.stringify(places)] : placeLines(places);
  process.stdout.write(lines.map((line) => `${visibleLine(line)}\n`).join(""));
  return exitCodes.answered;
}

async function allPlaces(terminal: Terminal): Promise<readonly (readonly [string, string])[]> {
  const library = await import("../../index.ts");
  const paths = library.settingsPaths();
  const files = await library.loadConfig().then(
    (loaded) => loaded.files,
    (thrown: unknown) => {
      // Where the files are is asked for when something in them is wrong.
      terminal.line(terminal.paint("yellow", `! ${visibleLine(toHostError(thrown).message)}`));
      return [];
    },
  );
  return [
    ...files.filter(({ scope }) => scope === "project").map(({ path }) => ["project config", path] as const),
    ["user config", paths.userFile],
    ["administrator's rules", paths.administratorFile],
    ["config folder", paths.configFolder],
    ["state folder", paths.stateFolder],
    ["audit log", paths.audit],
    ["conversations", paths.runs],
    ["outputs kept aside", paths.spill],
    ["agreements", paths.agreements],
  ];
}

function placeLines(places: readonly Place[]): string[] {
  const width = Math.max(...places.map(({ name }) => name.length));
  return places.map(
    ({ name, path, exists }) => `${name.padEnd(width)}  ${path}${exists ? "" : "  (not there yet)"}`,
  );
}
