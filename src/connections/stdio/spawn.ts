import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import spawn from "cross-spawn";
import { HostError } from "../../errors.ts";
import { isObject } from "../../util/own.ts";

/** How a server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the allow-listed part of the host's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: the host's own working directory. */
  readonly cwd?: string;
}

/**
 * Starts the process at once, without a shell. On POSIX it leads a session of its own: a terminal's Ctrl-C does not
 * reach it, and one signal reaches everything it starts. A command that cannot be found is told by the child's `error`.
 * @throws HostError `server_start_failed` when the folder does not exist, or the system refuses the arguments.
 */
export function spawnServer(server: ServerCommand, environment: Record<string, string>): ChildProcess {
  if (server.cwd !== undefined && !isFolder(server.cwd)) {
    throw new HostError(
      "server_start_failed",
      `The working directory "${server.cwd}" of the command "${server.command}" does not exist; create it or correct "cwd".`,
      { data: { command: server.command, cwd: server.cwd } },
    );
  }
  try {
    return spawn(server.command, [...server.args], {
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
      env: environment,
      detached: process.platform !== "win32",
      shell: false,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (cause) {
    throw startFailed(server.command, cause);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Why a command did not become a process, in one sentence. */
export function startFailed(command: string, cause: unknown): HostError {
  const code = isObject(cause) && typeof cause.code === "string" ? cause.code : "";
  return new HostError("server_start_failed", `${reason(command, code, cause)}.`, {
    cause,
    data: { command, errno: code },
  });
}

function reason(command: string, code: string, cause: unknown): string {
  const named = `The command "${command}"`;
  if (code === "ENOENT" && /[\\/]/.test(command)) {
    return `${named} does not exist, or the interpreter that its first line names does not`;
  }
  if (code === "ENOENT") return `${named} was not found on PATH; install it or correct the server's command`;
  if (code === "EACCES") return `${named} may not be executed; check its permissions`;
  const said = cause instanceof Error ? cause.message : String(cause);
  return `${named} could not be started (${said})`;
}
