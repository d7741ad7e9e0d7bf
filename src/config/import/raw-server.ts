import type { FindServersOptions, ImportHost } from "../../types/found-servers.ts";
import type { VariableSyntax } from "./variables.ts";

/** A configuration file of a host, whether it is there or not. */
export interface Place {
  readonly file: string;
  readonly format: "jsonc" | "toml" | "yaml";
  /** The project's folder when the file belongs to a project. */
  readonly project?: string;
}

/** A question that VS Code asks before it starts a server. */
export interface PromptInput {
  readonly password: boolean;
  readonly default?: string;
}

/** A server's entry in the terms of every host. Values are still unchecked and in the host's own syntax. */
export interface RawServer {
  readonly id: string;
  /** Differs from the place's where one file holds the servers of many projects. */
  readonly project?: string;
  readonly command?: unknown;
  readonly args?: unknown;
  readonly env?: unknown;
  /** Names of variables that the server gets from the host's environment. */
  readonly passedOn?: readonly string[];
  readonly cwd?: unknown;
  readonly url?: unknown;
  readonly headers?: unknown;
  /** How variables are written in its headers, where that is another way than elsewhere. */
  readonly headerSyntax?: VariableSyntax;
  /** Headers that are in our own syntax already. */
  readonly readyHeaders?: readonly (readonly [string, string])[];
  readonly sse?: boolean;
  readonly timeoutMs?: unknown;
  readonly allowedTools?: unknown;
  readonly deniedTools?: unknown;
  readonly disabled?: boolean;
  readonly inputs?: ReadonlyMap<string, PromptInput>;
  readonly notes: readonly string[];
  readonly blocked?: string;
}

/** What is known of one host's configuration. */
export interface HostReader {
  readonly host: ImportHost;
  readonly syntax: VariableSyntax;
  places(where: FindServersOptions): readonly Place[];
  /**
   * The servers of a parsed file. Never throws: what is not as expected is left out or noted. `own` are the documents of
   * the person's own files of this host, which may say more of a project's servers.
   */
  read(document: unknown, place: Place, own: readonly unknown[]): readonly RawServer[];
}
