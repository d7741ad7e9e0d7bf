import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { scriptedModel } from "../testing/index.ts";

test("a run can be answered by another model over the same transcript", async () => {
  const first = scriptedModel([{ text: "one" }, { text: "three" }]);
  const second = scriptedModel([{ text: "two" }]);
  await using host = createHost({ servers: {}, model: first, state: false, audit: false });
  const conversation = host.conversation();
  await conversation.run("1").result;
  await conversation.run("2", { model: second, system: "Be short." }).result;
  expect((await conversation.run("3").result).text).toBe("three");
  expect(second.requests[0]?.messages).toHaveLength(3);
  expect(second.requests[0]?.system).toBe("Be short.");
  expect(first.requests[1]?.messages).toHaveLength(5);
  expect(first.requests[1]?.system).toBe("");
});

test("a model that there is not is refused by its name", async () => {
  await using host = createHost({ servers: {}, model: "offline", state: false, audit: false });
  expect(host.selectModel("offline").api).toBe("offline");
  expect(() => host.selectModel("nothing/of-the-kind")).toThrow(
    expect.objectContaining({ code: "model_unknown" }),
  );
});
