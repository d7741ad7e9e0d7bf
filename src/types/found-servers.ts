/** Programs whose configuration files are read for servers. */
export type ImportHost =
  | "Claude Desktop"
  | "Claude Code"
  | "Cursor"
  | "VS Code"
  | "Windsurf"
  | "Codex"
  | "Gemini CLI"
  | "opencode"
  | "Goose"
  | "Zed";

/** Where a server was found. */
export interface ServerSource {
  readonly host: ImportHost;
  /** Absolute path of the configuration file. */
  readonly file: string;
  /** The project's folder, when the server belongs to one project only. */
  readonly project?: string;
  /** The file is the project's own, which others may have written; a person's own file can name projects, too. */
  readonly projectFile?: true;
}

/** A server as it is written into `mcpServers`: variables stand as `${NAME}`, never as their values. */
export interface WrittenServer {
  readonly type?: "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest time for one call, milliseconds. */
  readonly timeout?: number;
  /** Raw names of the tools that are kept; with `!` in front, of those that are taken away. */
  readonly tools?: readonly string[];
  readonly disabled?: boolean;
}

/** A server in another program's configuration. */
export interface FoundServer {
  /** Unique among the found ones: the id in its file, or that and its host, such as `github-cursor`. */
  readonly id: string;
  /** Undefined when the server cannot be imported. */
  readonly config?: WrittenServer;
  /** Every place with this very config, the first one found in front. */
  readonly sources: readonly ServerSource[];
  /** What could not be carried over, a sentence each. Without values of secrets. */
  readonly notes: readonly string[];
  /** Why the server cannot be imported at all. */
  readonly blocked?: string;
}

export interface FoundServers {
  /** In the order of the hosts, then of their files. */
  readonly servers: readonly FoundServer[];
  /** The files that were there. */
  readonly files: readonly string[];
  /** Files that could not be read, a sentence each, with the line where it is known. */
  readonly problems: readonly string[];
}

/** Where to look for other programs' files. */
export interface FindServersOptions {
  /** The project's folder. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As in `process.platform`. */
  readonly platform: string;
  /** Whose file the servers are meant for: in a person's own, those of a project have to name its folder. */
  readonly scope: "project" | "user";
}
