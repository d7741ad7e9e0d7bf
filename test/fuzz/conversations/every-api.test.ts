import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fuzzedApis } from "../batch.ts";

test("the conversations of every API are played, each in a file of its own, so that workers share them", () => {
  expect(fuzzedApis.filter((api) => !existsSync(join(import.meta.dirname, `${api}.test.ts`)))).toEqual([]);
});
