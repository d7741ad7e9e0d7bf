import type { FoundServer } from "../types/found-servers.ts";

/**
 * Whether a server stands in files of the project alone: nobody but its authors chose it, so that it gets into a
 * person's own file, where nothing is asked about, only by a choice of its own.
 */
export function isOfProject({ sources }: FoundServer): boolean {
  return sources.every(({ projectFile }) => projectFile === true);
}
