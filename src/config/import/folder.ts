import { posix, win32 } from "node:path";
import type { WrittenServer } from "../../types/found-servers.ts";

const workspace = /(?<!\$)\$\{workspaceFolder\}/g;
const relativePath =
  /^(?:\.{1,2}(?:[\\/]|$)|[^\s:$@/\\-][^\s:$]{0,200}\.(?:[cm]?[jt]s|py|sh|rb|toml|json|ya?ml)$)/;

/** Whether a server means something else in another folder. */
export function dependsOnFolder(config: WrittenServer): boolean {
  const { command = "", args = [], env = {}, cwd, url = "", headers = {} } = config;
  if (cwd !== undefined && !/^(?:[\\/]|[A-Za-z]:|\$\{)/.test(cwd)) return true;
  const words = [command, ...args];
  if (cwd === undefined && words.some((word) => relativePath.test(word))) return true;
  const all = [...words, ...Object.values(env), cwd ?? "", url, ...Object.values(headers)];
  return all.some((text) => text.search(workspace) !== -1);
}

/** The server as it is in its project's folder, wherever it is started. */
export function inFolder(config: WrittenServer, folder: string, windows: boolean): WrittenServer {
  // In our syntax a plain `${` is written as `$${`.
  const written = folder.replaceAll("${", () => "$${");
  const fix = (text: string) => text.replace(workspace, () => written);
  const fixAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fix(text)]));
  const { command, args, env, cwd, url, headers, ...rest } = config;
  const path = windows ? win32 : posix;
  return {
    ...(command === undefined ? {} : { command: fix(command) }),
    ...(args === undefined ? {} : { args: args.map(fix) }),
    ...(env === undefined ? {} : { env: fixAll(env) }),
    ...(command === undefined
      ? {}
      : { cwd: cwd?.includes("${") ? fix(cwd) : path.resolve(written, cwd ?? ".") }),
    ...(url === undefined ? {} : { url: fix(url) }),
    ...(headers === undefined ? {} : { headers: fixAll(headers) }),
    ...rest,
  };
}
