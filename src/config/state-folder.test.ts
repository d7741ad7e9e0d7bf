import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { settingsPathsOf } from "./settings-paths.ts";
import { accountFolder, stateFolder } from "./state-folder.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("DRAWBRIDGE_HOME holds the state when it is set", () => {
  expect(stateFolder({ DRAWBRIDGE_HOME: "/somewhere" })).toBe(join("/somewhere", "state"));
});

test("without it, and when it is empty, the state is in the account's own folder", () => {
  const own = stateFolder({});
  expect(basename(own)).toBe("drawbridge");
  expect(stateFolder({ DRAWBRIDGE_HOME: "" })).toBe(own);
});

test.each(["rel", "~/x", "./a"])(
  "DRAWBRIDGE_HOME=%s would be another folder wherever one is: it is refused",
  (home) => {
    const refused = `DRAWBRIDGE_HOME must be an absolute path, not "${home}".`;
    expect(() => stateFolder({ DRAWBRIDGE_HOME: home })).toThrow(refused);
    expect(() => settingsPathsOf({ DRAWBRIDGE_HOME: home })).toThrow(refused);
  },
);

test("a folder that would be another one wherever one is is refused: an empty HOME makes such", () => {
  expect(accountFolder("/home/ann/.config/drawbridge")).toBe("/home/ann/.config/drawbridge");
  expect(() => accountFolder(".config/drawbridge")).toThrow(
    "set HOME, or DRAWBRIDGE_HOME, to an absolute path",
  );
});

test.runIf(process.platform === "linux")("the folders of the account go through that check", () => {
  vi.stubEnv("XDG_STATE_HOME", "rel");
  expect(() => stateFolder({})).toThrow("The folder rel/drawbridge would be another one");
  vi.stubEnv("XDG_STATE_HOME", "/somewhere");
  vi.stubEnv("XDG_CONFIG_HOME", "rel");
  expect(() => settingsPathsOf({})).toThrow("The folder rel/drawbridge would be another one");
});
