import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { attachFiles } from "../../../src/cli/chat/attach.ts";
import { parseMessage, withoutMentions } from "../../../src/cli/chat/mentions.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-attach-"));
afterAll(() => rmSync(folder, { recursive: true }));
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
writeFileSync(join(folder, "notes.md"), "hello");
writeFileSync(join(folder, "my notes.md"), "spaced");
writeFileSync(join(folder, "dot.picture"), Buffer.from(png, "base64"));
writeFileSync(join(folder, "binary"), Buffer.from([1, 0, 2]));
writeFileSync(join(folder, "latin1"), Buffer.from([0xe9, 0x20]));
writeFileSync(join(folder, "large"), "é".repeat(200_000));
mkdirSync(join(folder, "sub"));

const mentioned = async (text: string) => {
  return (await parseMessage(text, async (path) => path === "odd.")).mentions;
};

test("an @ before a word names a file; one in a word, such as an address, does not", async () => {
  expect(await mentioned("see @a.md, (@b/c) and @a.md. Write to me@x.org")).toEqual(["a.md", "b/c"]);
  expect(await mentioned('@"my notes.md" @~/x @ @odd.')).toEqual(["my notes.md", "~/x", "odd."]);
});

test("a backslash before an @ makes it a plain one", async () => {
  expect(await parseMessage("\\@home and a \\@b", async () => false)).toEqual({
    text: "@home and a @b",
    mentions: [],
  });
});

test("a file that is named in a pasted text is not sent, and the text reaches the model as it was", async () => {
  const pasted = 'a \\@b @~/.ssh/id_rsa\n@Injectable() ("@x") me@x.org';
  const escaped = withoutMentions(pasted);
  expect(await parseMessage(escaped, async () => true)).toEqual({ text: pasted, mentions: [] });
  expect(withoutMentions("@notes.md")).toBe("@notes.md");
});

test("a file's text goes with the message, and its size is told", async () => {
  expect(await attachFiles("sum up @notes.md", folder)).toEqual({
    type: "input",
    input: [
      { type: "text", text: "sum up @notes.md" },
      { type: "text", text: "File notes.md (5 bytes):\n\nhello" },
    ],
    added: ["added notes.md (5 bytes)"],
  });
});

test("an image goes as one, whatever its name says", async () => {
  const attached = await attachFiles("what is @dot.picture", folder);
  expect(attached).toMatchObject({ input: [{}, { type: "image", mediaType: "image/png", data: png }] });
});

test("a long file is cut between two characters and the model is told", async () => {
  const attached = await attachFiles("@large", folder);
  const text = JSON.stringify(attached);
  expect(text).toContain("400,000 bytes, its first 262,144 bytes");
  expect(text).not.toContain("\ufffd");
});

test("a name that is no file's stays a word, and that is told", async () => {
  expect(await attachFiles("ask @somebody", folder)).toEqual({
    type: "input",
    input: "ask @somebody",
    added: ["no file somebody: sent as it is written"],
  });
});

test.each([
  ["binary", "neither text"],
  ["latin1", "neither text"],
  ["sub", "is a folder"],
])("%s is refused with a sentence", async (name, reason) => {
  expect(await attachFiles(`@${name}`, folder)).toEqual({
    type: "refused",
    reason: expect.stringContaining(reason),
  });
});

test("any text can be a message, and without an @ it is sent as it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 100 }), async (text) => {
      const parsed = await parseMessage(text, async () => false);
      if (!text.includes("@")) expect(parsed).toEqual({ text, mentions: [] });
    }),
    { numRuns: 100 },
  );
});
