import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { scriptedModel } from "../testing/index.ts";

test("arguments that have no JSON form are refused before anything is sent", async () => {
  await using host = createHost({ servers: {}, model: scriptedModel([]), state: false, audit: false });
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const args of [circular, { large: 1n }]) {
    await expect(host.call("drawbridge", "read_output", args)).rejects.toMatchObject({
      code: "input_invalid",
    });
  }
});
