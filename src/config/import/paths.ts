import { posix, win32 } from "node:path";
import type { FindServersOptions } from "../../types/found-servers.ts";
import { own } from "../../util/own.ts";

/** Joins paths as the system of the files does, whichever this one is. */
export function joinPath(where: FindServersOptions, ...parts: readonly string[]): string {
  return (where.platform === "win32" ? win32 : posix).join(...parts);
}

function variable(where: FindServersOptions, name: string): string | undefined {
  const value = own(where.environment, name);
  return value === "" ? undefined : value;
}

/** The folder that a variable names, else one in the person's home. */
export function folderOf(where: FindServersOptions, name: string, ...inHome: readonly string[]): string {
  return variable(where, name) ?? joinPath(where, where.home, ...inHome);
}

/** The XDG config folder; programs that follow it do so on macOS too. */
export function xdgFolder(where: FindServersOptions): string {
  return folderOf(where, "XDG_CONFIG_HOME", ".config");
}

/** Where desktop programs keep their settings: `%APPDATA%`, `~/Library/Application Support`, the XDG config folder. */
export function applicationFolder(where: FindServersOptions): string {
  if (where.platform === "win32") return folderOf(where, "APPDATA", "AppData", "Roaming");
  if (where.platform === "darwin") return joinPath(where, where.home, "Library", "Application Support");
  return xdgFolder(where);
}
