import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { createMemoryStores } from "../stores/memory-stores.ts";

test.each([
  ["an options object in the place of stores", { folder: "state" }, "no hashKey"],
  ["stores without a memo", { ...createMemoryStores(), memo: undefined }, "no memo.get"],
  ["stores whose spill cannot be read", { ...createMemoryStores(), spill: { put() {} } }, "no spill.get"],
  ["nothing", null, "must be the path of a folder"],
  ["a number", 5, "must be the path of a folder"],
  ["an empty path", "", "must be the path of a folder"],
])("%s is told when the host is made", (_, state, words) => {
  let thrown: unknown;
  try {
    createHost({ servers: {}, model: "offline", state: state as never });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "config_invalid", message: expect.stringContaining(words) });
});

test("stores that are an instance of a class are stores", async () => {
  class Own {
    #inner = createMemoryStores();
    spill = this.#inner.spill;
    memo = this.#inner.memo;
    hashKey() {
      return this.#inner.hashKey();
    }
    openJournal(id: string, principal: string) {
      return this.#inner.openJournal(id, principal);
    }
    openAudit(principal: string) {
      return this.#inner.openAudit(principal);
    }
    close() {
      return this.#inner.close();
    }
  }
  const host = createHost({ servers: {}, model: "offline", state: new Own() });
  await host.close();
});
