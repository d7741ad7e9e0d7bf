import type { Limits, ServerConfig } from "./config.ts";
import type { Flows } from "./policy.ts";
import type { ModelPrice } from "./price.ts";

/** Where a setting was written. Later in this order wins: default, project, user, flag, administrator. */
export type SettingOrigin =
  | { readonly type: "default" }
  | { readonly type: "project" | "user" | "administrator"; readonly file: string; readonly line: number }
  | { readonly type: "environment"; readonly variable: string }
  | { readonly type: "flag"; readonly flag: string };

/** A value and where it was written. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: SettingOrigin;
}

/** A `${VAR}` of a server's config, and where its value goes. Never the value itself. */
export interface VariableUse {
  readonly name: string;
  /** In words: `command`, `argument 3`, `environment variable GITHUB_TOKEN`, `header Authorization`, `url`, `cwd`. */
  readonly place: string;
  readonly from: "environment" | "default";
}

/** One server of the merged configuration. */
export interface ConfiguredServer {
  readonly id: string;
  /** Ready to start: every `${VAR}` replaced, `cwd` absolute. */
  readonly config: ServerConfig;
  /** The same before `${VAR}` was replaced: this may be shown and written. */
  readonly written: ServerConfig;
  readonly variables: readonly VariableUse[];
  readonly origin: SettingOrigin;
  readonly disabled: boolean;
  /** From a project's file, and nobody agreed yet to start this very config. A pending server is never started. */
  readonly pending: boolean;
  /** Identity of the id, the config and where its variables go, as the agreement is bound to it. */
  readonly configHash: string;
  /**
   * Why the server cannot be started, in a sentence that names the file and the key: a variable that is not set, say.
   * `hostOptions` throws that of a required server; whoever lists servers shows it. Never set when it is disabled; a
   * pending server that has one cannot be agreed to.
   */
  readonly problem?: string;
}

/** A person's word that a project's server may be started. */
export interface Agreement {
  /** `ConfiguredServer.configHash` of what was shown. */
  readonly configHash: string;
  readonly server: string;
  /** The project's file in which the server stood. */
  readonly file: string;
  /** ISO 8601, UTC. */
  readonly agreedAt: string;
  /** Whether the person also believes the server's annotations. */
  readonly annotations: boolean;
}

/** The agreements of the state folder. */
export interface Agreements {
  /** The server is no longer pending in a config that is loaded from now on. Rejects with `store_failed`. */
  agree(server: ConfiguredServer, options?: { readonly annotations?: boolean }): Promise<void>;
  /** Takes back every agreement with servers of this id; how many there were. Rejects with `store_failed`. */
  withdraw(server: string): Promise<number>;
  /** By server id, then by date. What cannot be read was never agreed. */
  list(): Promise<readonly Agreement[]>;
}

/** Where everything is kept: absolute paths, whether they exist or not. */
export interface SettingsPaths {
  readonly configFolder: string;
  readonly userFile: string;
  /** Rules of whoever administers the computer; nothing in the environment moves it. */
  readonly administratorFile: string;
  readonly stateFolder: string;
  readonly audit: string;
  readonly runs: string;
  /** Full outputs kept aside. */
  readonly spill: string;
  readonly agreements: string;
}

export interface ConfigFile {
  readonly path: string;
  readonly scope: "project" | "user" | "administrator";
  readonly found: boolean;
}

/** How the audit log is kept; what is absent has its default. */
export interface AuditSettings {
  readonly arguments?: Setting<"redacted" | "hash">;
  readonly required?: Setting<boolean>;
  /** Absolute path of the key. */
  readonly sign?: Setting<string>;
  readonly rotateBytes?: Setting<number>;
}

/** The rules of all tiers, each as it was written. */
export interface PolicySettings {
  /** The person's own rules. */
  readonly rules: readonly Setting<string>[];
  /** Rules of the project: they can only make a decision stricter. */
  readonly projectRules: readonly Setting<string>[];
  /** Rules above the person's. Absent without an administrator's file. */
  readonly administratorRules?: readonly Setting<string>[];
  /** Tried out in the place of `rules`, and of `administratorRules`; absent where nothing is. */
  readonly shadowRules?: readonly Setting<string>[];
  readonly administratorShadowRules?: readonly Setting<string>[];
}

/** Everything that the config files say, merged. */
export interface LoadedConfig extends PolicySettings {
  /**
   * Every place of a project's and a person's file that was looked at, in the order of their weight, and behind them the
   * administrator's file where there is one: the last wins.
   */
  readonly files: readonly ConfigFile[];
  /** Ordered by id. */
  readonly servers: readonly ConfiguredServer[];
  readonly model?: Setting<string>;
  /** Asked in this order when the model refuses to answer. */
  readonly fallbackModels?: readonly Setting<string>[];
  readonly baseUrl?: Setting<string>;
  readonly system?: Setting<string>;
  readonly maxTokens?: Setting<number>;
  readonly resourceTools?: Setting<boolean>;
  readonly wrapResults?: Setting<boolean>;
  /** Whether the host asks about flows by itself; `always` where an administrator says that it does. */
  readonly flows?: Setting<Flows>;
  readonly limits: { readonly [Name in keyof Limits]?: Setting<Limits[Name]> };
  /** Where an administrator holds every server to the tools that the person has accepted. */
  readonly drift?: Setting<"block">;
  /** Servers whose annotations the person believes. */
  readonly trust: readonly Setting<string>[];
  /** What models cost, by `api/name` or by name. */
  readonly prices?: Readonly<Record<string, Setting<ModelPrice>>>;
  readonly audit?: AuditSettings;
  /** What was passed over, a sentence each, with file and line. */
  readonly warnings: readonly string[];
}
