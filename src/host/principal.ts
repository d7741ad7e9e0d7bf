import { userInfo } from "node:os";

/** On whose behalf a host works: whom the program names, else the account that it runs under. */
export function principalOf({ principal }: { readonly principal?: string | undefined }): string {
  return principal ?? userInfo().username;
}
