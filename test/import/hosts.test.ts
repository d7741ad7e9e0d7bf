import { expect, test } from "vitest";
import { foundInFixtures } from "./fixtures.ts";

test("every feature of the ten hosts' files is carried over, noted or refused as in the golden file", async () => {
  const found = await foundInFixtures();
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot("../golden/import/found.json");
});
