import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { HostError } from "../errors.ts";
import type { Head, SignHead } from "./audit-heads.ts";
import { privateMode } from "./private-file.ts";

/** What is signed: nothing else that the key could sign reads like it. */
function signedText({ file, seq, hash }: Head): Buffer {
  return Buffer.from(`drawbridge audit head\n${file}\n${seq}\n${hash}\n`);
}

function keyError(path: string, problem: string, cause?: unknown): HostError {
  return new HostError("config_invalid", `The key ${path} ${problem}.`, { cause, data: { path } });
}

function readPrivate(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (cause) {
    throw keyError(path, "that signs the audit log cannot be read; drawbridge audit keygen makes one", cause);
  }
  try {
    const { mode } = fstatSync(fd);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw keyError(path, "can be read by other accounts; make it private (chmod 600) or make a new one");
    }
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

/**
 * Signs heads with the Ed25519 key in a file.
 * @throws HostError `config_invalid`: it cannot be read, is no such key, or other accounts can read it
 */
export function headSigner(path: string): NonNullable<SignHead> {
  const pem = readPrivate(path);
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw keyError(path, "is no private key in PEM form; drawbridge audit keygen makes one", cause);
  }
  if (key.asymmetricKeyType !== "ed25519") throw keyError(path, "is no Ed25519 key");
  return (head) => sign(null, signedText(head), key).toString("base64url");
}

/** Whether a head carries the signature of the key's owner. */
export type CheckSignature = (head: Head) => boolean;

/**
 * Checks signatures against a public key in PEM form.
 * @throws HostError `config_invalid`
 */
export function signatureCheck(pem: string): CheckSignature {
  let key: KeyObject;
  try {
    // Node makes a public key of a private one, too: whoever has that needs no other.
    key = createPublicKey(pem);
  } catch (cause) {
    throw new HostError("config_invalid", "That is no public key in PEM form.", { cause });
  }
  if (key.asymmetricKeyType !== "ed25519") {
    throw new HostError("config_invalid", "That is no Ed25519 key: drawbridge audit keygen makes one.");
  }
  return (head) =>
    head.sig !== undefined && verify(null, signedText(head), key, Buffer.from(head.sig, "base64url"));
}

/**
 * Makes a new Ed25519 key in a file for the owner alone, and returns its public half in PEM form. A file that is there
 * is not overwritten.
 * @throws HostError `config_invalid`
 */
export function makeSigningKey(path: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  try {
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), {
      mode: privateMode,
      flag: "wx",
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HostError("config_invalid", `The key cannot be written to ${path}: ${reason}.`, { cause });
  }
  return String(publicKey.export({ type: "spki", format: "pem" }));
}
