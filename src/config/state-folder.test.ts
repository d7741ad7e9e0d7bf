import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { settingsPathsOf } from "./settings-paths.ts";
import { stateFolder } from "./state-folder.ts";

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
