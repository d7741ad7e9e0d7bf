import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/host/load-config.ts";
import type { LoadedConfig } from "../../src/types/settings.ts";

/** A project and a person's folders, in a temporary place. */
export interface TestProject {
  /** The project's folder, in which `.git` is. */
  readonly folder: string;
  /** The home of config and state. */
  readonly home: string;
  write(path: string, content: unknown): void;
  writeUser(content: unknown): void;
  load(options?: { cwd?: string; file?: string }): Promise<LoadedConfig>;
  /** The lines of the error that loading ends with. */
  problems(options?: { file?: string }): Promise<readonly string[]>;
}

/** Content that is no text is written as JSON. */
const textOf = (content: unknown) =>
  typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);

/** Removed at the end of the test, until which `DRAWBRIDGE_HOME` is its home. */
export function testProject(): TestProject {
  const root = mkdtempSync(join(tmpdir(), "drawbridge-config-"));
  onTestFinished(() => {
    delete process.env.DRAWBRIDGE_HOME;
    rmSync(root, { recursive: true, force: true });
  });
  const folder = join(root, "project");
  const home = join(root, "home");
  process.env.DRAWBRIDGE_HOME = home;
  const put = (path: string, content: unknown) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(content));
  };
  mkdirSync(join(folder, ".git"), { recursive: true });
  const load: TestProject["load"] = (options = {}) => loadConfig({ cwd: folder, ...options });
  return {
    folder,
    home,
    write: (path, content) => put(join(folder, path), content),
    writeUser: (content) => put(join(home, "config/drawbridge.json"), content),
    load,
    async problems(options) {
      const thrown: unknown = await load(options).then(
        () => null,
        (error: unknown) => error,
      );
      if (!(thrown instanceof Error) || !("code" in thrown) || thrown.code !== "config_invalid") {
        throw new Error("Loading did not end with config_invalid.", { cause: thrown });
      }
      return thrown.message.replaceAll(root, "ROOT").split("\n");
    },
  };
}
