import type { Limits } from "../../types/config.ts";
import type { Setting } from "../../types/settings.ts";
import { defaultLimits, defaultMaxTokens } from "../limits.ts";
import type { Report } from "./document.ts";
import type { Located } from "./members.ts";
import { originIn } from "./origin.ts";
import type { FileSettings } from "./read-settings.ts";
import { tighten } from "./tighten.ts";

/** A limit with the file it stands in. */
interface FileLimit extends Located<number> {
  readonly file: FileSettings;
}

/** The limits that hold, in no file's order. */
export function mergeLimits(
  files: readonly FileSettings[],
  report: Report,
): { readonly [Name in keyof Limits]?: Setting<number> } {
  const names = Object.keys(defaultLimits) as (keyof Limits)[];
  const merged = names.flatMap((name) => {
    const of = (file: FileSettings) => file.limits.find(([key]) => key === name)?.[1];
    const setting = mergeLimit(`limits.${name}`, name, defaultLimits[name], files, of, report);
    return setting === undefined ? [] : [[name, setting] as const];
  });
  return Object.fromEntries(merged);
}

export function mergeMaxTokens(files: readonly FileSettings[], report: Report): Setting<number> | undefined {
  return mergeLimit("maxTokens", "maxTokens", defaultMaxTokens, files, (file) => file.maxTokens, report);
}

function mergeLimit(
  shown: string,
  name: string,
  byDefault: number,
  files: readonly FileSettings[],
  of: (file: FileSettings) => Located<number> | undefined,
  report: Report,
): Setting<number> | undefined {
  const last = (scope: "project" | "user"): FileLimit | undefined => {
    const file = files.findLast(
      ({ document, ...settings }) => document.scope === scope && of({ document, ...settings }),
    );
    const limit = file === undefined ? undefined : of(file);
    return file === undefined || limit === undefined ? undefined : { ...limit, file };
  };
  const project = last("project");
  const { limit, refused } = tighten(name, byDefault, last("user"), project);
  if (refused && project !== undefined) {
    const place = project.file.document.placeOf(project.offset);
    report.problems.push(
      `${place}: ${shown} may only be made tighter by a project's file; the default is ${byDefault}, and a looser value belongs in your own.`,
    );
  }
  return limit && { value: limit.value, origin: originIn(limit.file.document, limit.offset) };
}
