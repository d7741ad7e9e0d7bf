import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellName, shellWord } from "./shell-word.ts";
import { visibleLine } from "./visible.ts";

test("a shell reads any text back as it was shown, and expands nothing in it", () => {
  // No process can be given a null character.
  const words = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(words, (texts) => {
      const script = `printf '%s\\n' ${["$(id) `id` $HOME", "it's", "", ...texts].map(shellWord).join(" ")}`;
      const read = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
      const shown = ["$(id) `id` $HOME", "it's", "", ...texts].map((text) => visibleLine(text));
      expect(read).toBe(`${shown.join("\n")}\n`);
    }),
    { numRuns: 10 },
  );
});

test("a name that looks like an option stands behind the end of the options", () => {
  expect(shellName("notes")).toBe("notes");
  expect(shellName("--all")).toBe("-- --all");
});
