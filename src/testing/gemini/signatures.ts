import { createHash } from "node:crypto";

/** Stand-ins for the signature of a call that no Gemini model wrote, as the API's guide names them. */
const standIns: ReadonlySet<string> = new Set([
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
]);

export function isStandIn(signature: string): boolean {
  return standIns.has(signature);
}

const version = "sim1";

/** A thought signature. It holds what it stands for, so that it also verifies at another simulator. */
export function mintSignature(model: string, nonce: string): string {
  return Buffer.from(JSON.stringify([version, model, nonce, checksum(model, nonce)])).toString("base64");
}

/** The model that wrote a signature; null when it was altered, or nobody gave it out. */
export function signerOf(signature: string): string | null {
  try {
    const found: unknown = JSON.parse(Buffer.from(signature, "base64").toString("utf8"));
    if (!Array.isArray(found) || found[0] !== version) return null;
    const [, model = "", nonce = "", sum = ""] = found.map(String);
    return sum === checksum(model, nonce) && mintSignature(model, nonce) === signature ? model : null;
  } catch {
    return null;
  }
}

function checksum(model: string, nonce: string): string {
  return createHash("sha256").update(`${model}\0${nonce}`).digest("hex").slice(0, 16);
}
