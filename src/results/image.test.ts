import fc from "fast-check";
import { expect, test } from "vitest";
import { gif, jpeg, png, webp } from "../../test/support/images.ts";
import { answered, mapOne, mapTurn, memorySpill, textsOf } from "../../test/support/results.ts";
import type { ServerBlock } from "../types/outcome.ts";
import { readImage } from "./image.ts";

const image = (data: string, mimeType = "image/png"): ServerBlock => ({ type: "image", data, mimeType });
const small = png(3, 2).toString("base64");

test("the type of a picture is that of its bytes", async () => {
  const files = {
    "image/png": png(3, 2),
    "image/jpeg": jpeg(3, 2),
    "image/gif": gif(3, 2),
    "image/webp": webp(3, 2),
  };
  for (const [mediaType, bytes] of Object.entries(files)) {
    const read = readImage(bytes.toString("base64"), "image/bmp");
    expect(read).toMatchObject({ type: "image", image: { mediaType }, tokens: 1 });
    expect(read.type === "image" && read.label).toContain("3x2 pixels");
  }
});

test("a data: prefix, line breaks, the URL alphabet and missing padding are taken out", async () => {
  const written = `data:image/jpeg;base64,${small.replace(/(.{20})/g, "$1\n")}`;
  const block = await mapOne(answered({ content: [image(written)] }));
  expect(block.content).toEqual([{ type: "image", mediaType: "image/png", data: small }]);
  const url = small.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  expect(readImage(url, "")).toMatchObject({ image: { data: small } });
});

test("a picture that an API would refuse is described instead", async () => {
  const refused = async (data: string) =>
    textsOf(await mapOne(answered({ content: [image(data)] })))[0] ?? "";
  expect(await refused("")).toContain("it has no data");
  expect(await refused("<svg/>")).toContain("its data is not base64");
  expect(await refused(Buffer.from("<svg/>").toString("base64"))).toContain("no readable PNG");
  expect(await refused(png(9000, 8).toString("base64"))).toContain(
    "9000x8 pixels is more than 8,000 on a side",
  );
  expect(await refused(png(3, 2).subarray(0, 50).toString("base64"))).toContain("no readable PNG");
  expect(await refused("/9j/4AAQSkZJRgABAQ==")).toContain("no readable PNG");
  const heavy = Buffer.concat([jpeg(30, 20), Buffer.alloc(5 * 1024 * 1024)]).toString("base64");
  expect(await refused(heavy)).toMatch(/5,242,\d\d\d bytes is more than 5,242,880/);
});

test("the bytes of a picture that cannot be shown are kept", async () => {
  const spill = memorySpill();
  const wide = png(9000, 8).toString("base64");
  await mapOne(answered({ content: [image(wide)] }), { spill });
  expect([...spill.kept.values()]).toEqual([wide]);
});

test("pictures of a failed call go behind the last result, with the name of the call", async () => {
  const turn = await mapTurn([
    answered({ isError: true, content: [{ type: "text", text: "no" }, image(small)] }, undefined, "c1"),
    answered({ content: [image(small)] }, undefined, "c2"),
  ]);
  expect(turn.results.map(({ block }) => block.content.map((one) => one.type))).toEqual([
    ["text"],
    ["image"],
  ]);
  expect(turn.trailing).toEqual([
    { type: "text", text: "Image of the failed call c1 (s__t):" },
    { type: "image", mediaType: "image/png", data: small },
  ]);
});

test("a failed call with nothing but a picture has a text as well", async () => {
  const block = await mapOne(answered({ isError: true, content: [image(small)] }));
  expect(textsOf(block)).toEqual(["Tool failed without a message."]);
});

test("a picture in a resource is shown", async () => {
  const block = await mapOne(answered({ content: [{ type: "resource", uri: "ui://p", blob: small }] }));
  expect(block.content.map((one) => one.type)).toEqual(["text", "image"]);
});

test("reading a header never fails, whatever the bytes are", () => {
  const magics = [png(2, 2), jpeg(2, 2), gif(2, 2), webp(2, 2)].map((bytes) => [...bytes]);
  fc.assert(
    fc.property(
      fc.constantFrom(...magics),
      fc.nat(60),
      fc.uint8Array({ maxLength: 80 }),
      (magic, kept, rest) => {
        const bytes = Buffer.from([...magic.slice(0, kept), ...rest]);
        const read = readImage(bytes.toString("base64"), "image/png");
        if (read.type === "image") expect(Buffer.from(read.image.data, "base64").equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
