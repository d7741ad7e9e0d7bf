import { expect, test } from "vitest";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { codex } from "./codex.ts";
import { goose } from "./goose.ts";
import { opencode } from "./opencode.ts";
import type { HostReader } from "./raw-server.ts";
import { vsCode } from "./vs-code.ts";
import { zed } from "./zed.ts";

function filesOf(host: HostReader, platform: string, environment: Record<string, string> = {}): string[] {
  const home = platform === "win32" ? "C:\\Users\\ada" : "/home/ada";
  const cwd = platform === "win32" ? "C:\\work" : "/work";
  const where = { home, cwd, platform, environment, scope: "user" as const };
  return host.places(where).map((place) => place.file);
}

test("the desktop programs' files are where each system keeps settings", () => {
  expect(filesOf(claudeDesktop, "linux")).toEqual(["/home/ada/.config/Claude/claude_desktop_config.json"]);
  expect(filesOf(claudeDesktop, "darwin")).toEqual([
    "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
  ]);
  expect(filesOf(claudeDesktop, "win32")).toEqual([
    "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
  ]);
  expect(filesOf(vsCode, "darwin")).toContain("/home/ada/Library/Application Support/Code/User/mcp.json");
  expect(filesOf(vsCode, "win32")).toContain("C:\\work\\.vscode\\mcp.json");
  expect(filesOf(zed, "win32")).toContain("C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json");
  expect(filesOf(goose, "win32")).toEqual([
    "C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml",
  ]);
});

test("a variable that moves a host's folder is followed", () => {
  expect(filesOf(claudeDesktop, "win32", { APPDATA: "D:\\app" })).toEqual([
    "D:\\app\\Claude\\claude_desktop_config.json",
  ]);
  expect(filesOf(codex, "linux", { CODEX_HOME: "/codex" })[0]).toBe("/codex/config.toml");
  expect(filesOf(claudeCode, "linux", { CLAUDE_CONFIG_DIR: "/claude" })[0]).toBe("/claude/.claude.json");
  expect(filesOf(opencode, "linux", { XDG_CONFIG_HOME: "/xdg" })[0]).toBe("/xdg/opencode/opencode.json");
  expect(filesOf(goose, "darwin", { XDG_CONFIG_HOME: "" })).toEqual(["/home/ada/.config/goose/config.yaml"]);
});
