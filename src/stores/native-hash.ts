import * as crypto from "node:crypto";

/** sha-256 of the text's UTF-8 bytes as hex, by Node's own code: several times faster than portable code. */
export const nativeHash: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "hex")
    : (text) => crypto.createHash("sha256").update(text, "utf8").digest("hex");
