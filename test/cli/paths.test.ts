import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder } from "./command.ts";

interface Place {
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
}

test("paths says where everything is, and whether it is there", async () => {
  const home = homeFolder();
  mkdirSync(join(home, "config"));
  const read = async (): Promise<readonly Place[]> =>
    JSON.parse((await drawbridge(["paths", "--json"], home)).stdout);
  const before = await read();
  const find = (places: readonly Place[], name: string) => places.find((place) => place.name === name);
  expect(find(before, "config folder")).toEqual({
    name: "config folder",
    path: join(home, "config"),
    exists: true,
  });
  expect(find(before, "audit log")).toMatchObject({ path: join(home, "state/audit"), exists: false });
  expect(before.some(({ name, path }) => name === "project config" && path.endsWith("drawbridge.json"))).toBe(
    true,
  );

  await drawbridge(['Read the note "a.txt"', "--server", fixture("plain"), "--trust", "notes"], home);
  expect(find(await read(), "audit log")).toMatchObject({ exists: true });
  expect(find(await read(), "conversations")).toMatchObject({ exists: true });
});

test("for people it is a line a place", async () => {
  const home = homeFolder();
  const { code, stdout, stderr } = await drawbridge(["paths"], home);
  expect(stdout).toMatch(new RegExp(`^audit log +${join(home, "state/audit")}  \\(not there yet\\)$`, "m"));
  expect(stderr).toBe("");
  expect(code).toBe(0);
});
