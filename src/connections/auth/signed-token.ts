import { open } from "node:fs/promises";
import { codeOf } from "../error-members.ts";
import type { AuthContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";

/** Longer files hold no token. */
const mostBytes = 64 * 1024;
/** Header, claims and signature (RFC 7515 section 7.1): nothing else of a file ever leaves this machine. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A signed token from the config, or from the file that the config names. */
export async function readSignedToken(
  { id, secrets }: Pick<AuthContext, "id" | "secrets">,
  name: string,
  given: string | undefined,
  path: string | undefined,
): Promise<string> {
  const text = (given ?? (path === undefined ? "" : await readShort(name, path))).trim();
  if (!jwt.test(text)) throw authError(`its "${name}" is no signed token (JWT)`);
  secrets.register(`${id} ${name}`, text);
  return text;
}

async function readShort(name: string, path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const buffer = Buffer.alloc(mostBytes);
      const { bytesRead } = await file.read(buffer, 0, mostBytes, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    // Without the cause: codes of the file system would be taken for those of the network.
    const code = codeOf(thrown);
    throw authError(
      `the file with its "${name}" cannot be read${typeof code === "string" ? ` (${code})` : ""}`,
    );
  }
}
