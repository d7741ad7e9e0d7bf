import { expect, test } from "vitest";
import { serversLines } from "../../../src/cli/chat/first-screen.ts";

test("servers that wait for an agreement are on the first screen, each with the line to type", () => {
  const paint = (_colour: string, text: string) => text;
  expect(serversLines([], ["-x"], paint)).toEqual([
    "! server -x: not started, it waits for your agreement: drawbridge trust -- -x",
  ]);
  expect(serversLines([], [], paint)[0]).toContain("No servers");
});
