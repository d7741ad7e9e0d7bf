import { expect, test } from "vitest";
import { createMemoryAudit, createMemoryStores } from "./memory-stores.ts";

test("texts are kept for their run alone", async () => {
  const { spill } = createMemoryStores();
  const id = await spill.put("run_1", "text");
  expect([await spill.get("run_1", id), await spill.get("run_2", id)]).toEqual(["text", null]);
});

test("the newest entries of a memory log are kept", async () => {
  const audit = createMemoryAudit();
  for (let turns = 0; turns < 10_002; turns += 1) {
    await audit.append({ kind: "run_ended", run: "run_1", stop: "answered", turns });
  }
  expect(audit.entries).toHaveLength(10_000);
  expect(audit.entries[0]).toMatchObject({ turns: 2 });
});

test("facts and the key stay the same for one host and are another's own", async () => {
  const [one, two] = [createMemoryStores(), createMemoryStores()];
  one.memo.set("a", [1]);
  expect([one.memo.get("a"), two.memo.get("a")]).toEqual([[1], undefined]);
  expect(await one.hashKey()).toEqual(await one.hashKey());
  expect(await one.hashKey()).not.toEqual(await two.hashKey());
});
