import { expect, test } from "vitest";
import { loginCommand } from "./auth-error.ts";

test("the line to type to log in runs nothing that stands in a server's id", () => {
  expect(loginCommand("tracker")).toBe("drawbridge login tracker");
  expect(loginCommand("$(touch x)")).toBe("drawbridge login '$(touch x)'");
  expect(loginCommand("--all")).toBe("drawbridge login -- --all");
});
