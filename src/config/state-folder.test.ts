import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { stateFolder } from "./state-folder.ts";

test("DRAWBRIDGE_HOME holds the state when it is set", () => {
  expect(stateFolder({ DRAWBRIDGE_HOME: "/somewhere" })).toBe(join("/somewhere", "state"));
});

test("without it, and when it is empty, the state is in the account's own folder", () => {
  const own = stateFolder({});
  expect(basename(own)).toBe("drawbridge");
  expect(stateFolder({ DRAWBRIDGE_HOME: "" })).toBe(own);
});
