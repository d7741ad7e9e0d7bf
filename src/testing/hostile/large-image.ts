import { crc32, deflateSync } from "node:zlib";

function chunk(kind: string, body: Buffer): Buffer {
  const framed = Buffer.alloc(body.length + 12);
  framed.writeUInt32BE(body.length, 0);
  framed.write(kind, 4, "latin1");
  body.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, body.length + 8)), body.length + 8);
  return framed;
}

/** A valid PNG of one pixel and of so many bytes (at least 80), as base64: most of it is a chunk that readers skip. */
export function largeImage(bytes: number): string {
  const header = Buffer.from("00000001000000010800000000", "hex");
  const pixels = chunk("IDAT", deflateSync(Buffer.alloc(2)));
  const start = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", header)]);
  const end = Buffer.concat([pixels, chunk("IEND", Buffer.alloc(0))]);
  const padding = chunk("paDd", Buffer.alloc(Math.max(0, bytes - start.length - end.length - 12)));
  return Buffer.concat([start, padding, end]).toString("base64");
}
