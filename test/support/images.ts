import { crc32, deflateSync } from "node:zlib";

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const framed = Buffer.alloc(body.length + 12);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), body.length + 8);
  return framed;
}

/** A grey PNG of the given size, as bytes. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const chunks = [chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** The headers of a JPEG of the given size, with an empty scan: what a reader of headers sees. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from("ffc0000b080000000001011100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const start = Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex");
  return Buffer.concat([start, frame, Buffer.from("ffda0008010100003f00ffd9", "hex")]);
}

/** The headers of a GIF of the given size. */
export function gif(width: number, height: number): Buffer {
  const header = Buffer.from("474946383961000000008000000000ffffff2c00000000010001000002024401003b", "hex");
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return header;
}

/** The headers of an extended WebP of the given size. */
export function webp(width: number, height: number): Buffer {
  const file = Buffer.alloc(40);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(32, 4);
  file.write("WEBPVP8X", 8, "latin1");
  file.writeUInt32LE(10, 16);
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  return file;
}
