import { homedir } from "node:os";
import type { StdioServerConfig } from "../../types/config.ts";
import { isObject, own } from "../../util/own.ts";

/** A package that a launcher fetches when the server starts. */
export interface LaunchedPackage {
  /** As it is asked for: a package's name, or the folder, repository or address that it is taken from. */
  readonly name: string;
  /** What is asked for behind the `@`; undefined: the newest. */
  readonly version?: string;
  readonly from: "npm" | "python" | "elsewhere";
}

const npmName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const pythonName = /^[a-z0-9][a-z0-9._-]*(?:\[[a-z0-9,._-]*\])?$/i;
/** A commit of a repository is the same for ever. */
const exactCommit = /[#@][0-9a-f]{40}$/;
const exactVersion = /^=?v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

interface Launcher {
  readonly from: "npm" | "python";
  /** Words between the program and the package, each one of these: without them it runs something else. */
  readonly verbs: readonly (readonly string[])[];
}

const launchers: Readonly<Record<string, Launcher>> = {
  npx: { from: "npm", verbs: [] },
  bunx: { from: "npm", verbs: [] },
  npm: { from: "npm", verbs: [["exec", "x"]] },
  pnpm: { from: "npm", verbs: [["dlx"]] },
  yarn: { from: "npm", verbs: [["dlx"]] },
  bun: { from: "npm", verbs: [["x"]] },
  uvx: { from: "python", verbs: [] },
  uv: { from: "python", verbs: [["tool"], ["run"]] },
  pipx: { from: "python", verbs: [["run"]] },
};

/** Options that name the package apart from the program in it, and options whose value is something else. */
const options = {
  npm: {
    named: new Set(["-p", "--package"]),
    other: new Set(["-c", "--call", "-w", "--workspace", "--registry", "--prefix", "--cache"]),
  },
  python: {
    named: new Set(["--from", "--spec"]),
    other: new Set(["-p", "--python", "--with", "-i", "--index", "--index-url", "--directory", "--project"]),
  },
} as const;

/**
 * The package that a command fetches in whatever version there is when it starts; null when it names one exact
 * version, or fetches none.
 */
export function unpinnedPackage(config: StdioServerConfig): LaunchedPackage | null {
  const launcher = own(launchers, programOf(config.command));
  const spec = launcher && packageWord(config.args ?? [], launcher);
  if (launcher === undefined || spec === undefined) return null;
  const { from } = launcher;
  const found = (from === "npm" ? /^(@?[^@]+)(?:@(.*))?$/ : /^([^@=<>~!]+)@?(.*)$/).exec(spec);
  const name = found?.[1] ?? "";
  const version = found?.[2] ?? "";
  if (!(from === "npm" ? npmName : pythonName).test(name)) {
    return exactCommit.test(spec) ? null : { name: spec, from: "elsewhere" };
  }
  if (exactVersion.test(version.replace(/^==/, ""))) return null;
  return { name, from, ...(version === "" ? {} : { version }) };
}

/**
 * Whether a command only fetches packages and names none: `npx` alone is a shell, which would read the host's messages
 * as its commands.
 */
export function namesNoPackage(config: StdioServerConfig): boolean {
  const launcher = own(launchers, programOf(config.command));
  if (launcher === undefined || launcher.verbs.length > 0) return false;
  const args = config.args ?? [];
  const isCommand = args.some((word) => /^(?:-c|--call(?:=.*)?)$/s.test(word));
  return !isCommand && packageWord(args, launcher) === undefined;
}

const programOf = (command: string): string =>
  (command.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:cmd|exe)$/i, "").toLowerCase();

/** The first word that says which package it is. */
function packageWord(args: readonly string[], { from, verbs }: Launcher): string | undefined {
  const { named, other }: { readonly [Kind in "named" | "other"]: ReadonlySet<string> } = options[from];
  let byOption: string | undefined;
  let verb = 0;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    const [option = "", value] = word.split("=", 2);
    if (named.has(option)) {
      byOption ??= value ?? args[index + 1];
      if (value === undefined) index += 1;
    } else if (other.has(word)) index += 1;
    else if (!word.startsWith("-")) {
      const wanted = verbs[verb];
      if (wanted === undefined) return byOption ?? word;
      if (!wanted.includes(word)) return undefined;
      verb += 1;
    }
  }
  return verb === verbs.length ? byOption : undefined;
}

/** How long the package manager may take to say a version, in ms. */
const askLimitMs = 4_000;
const longestAnswer = 64 * 1024;

/**
 * The version that would be fetched now, asked of the package manager as a child process; null when it cannot be found
 * out in a few seconds. It runs in a folder of its own: a project's settings must not reach it before anybody agreed.
 */
export async function resolvedVersion(
  wanted: LaunchedPackage,
  signal?: AbortSignal,
  command: readonly [string, ...string[]] = ["npm"],
): Promise<string | null> {
  // The launchers of Python packages have no question for it; a repository would have to be fetched.
  if (wanted.from !== "npm") return null;
  const spec = wanted.version === undefined ? wanted.name : `${wanted.name}@${wanted.version}`;
  const [program, ...first] = command;
  const text = await outputOf([program, ...first, "view", "--json", "--", spec, "version"], signal);
  try {
    const answer: unknown = text === null ? null : JSON.parse(text);
    const version: unknown = Array.isArray(answer)
      ? answer.at(-1)
      : isObject(answer)
        ? answer.version
        : answer;
    return typeof version === "string" && exactVersion.test(version) ? version : null;
  } catch {
    return null;
  }
}

async function outputOf(
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { default: spawn } = await import("cross-spawn");
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: homedir(),
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    let text = "";
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      child.kill("SIGKILL");
      child.stdout?.destroy();
      resolve(answer);
    };
    const stop = (): void => end(null);
    const timer = setTimeout(stop, askLimitMs);
    signal?.addEventListener("abort", stop, { once: true });
    child.on("error", stop);
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > longestAnswer) stop();
    });
    child.on("close", (code) => end(code === 0 ? text : null));
    if (signal?.aborted) stop();
  });
}
