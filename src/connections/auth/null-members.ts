import { isObject } from "../../util/own.ts";

/**
 * A `fetch` for answers of token and registration endpoints, without the members that are `null`: many servers write
 * every member that they know, where RFC 6749 and RFC 7591 leave out what there is not, and the SDK takes no `null`.
 */
export function withoutNullMembers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.text();
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(text === "" ? null : withoutNulls(text), { status, statusText, headers });
  };
}

function withoutNulls(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isObject(answer)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([, member]) => member !== null)));
}
