// A person who agrees to whatever they are asked.

/**
 * Visits the page of an authorization as a browser does, and stops at the redirect that belongs to the host.
 * @param {{ url: string, redirectUri: string, signal: AbortSignal }} request
 * @returns {Promise<string>} the URL that the browser was sent back to
 */
export async function agree({ url, redirectUri, signal }) {
  let place = new URL(url);
  for (let followed = 0; followed < 5; followed++) {
    const response = await fetch(place, { redirect: "manual", signal });
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (location === null) throw new Error(`The page answered with HTTP ${response.status}.`);
    place = new URL(location, place);
    if (place.href.startsWith(redirectUri)) return place.href;
  }
  throw new Error("The page redirects too often.");
}

/** Fills in nothing: what a form has defaults for gets them from the host. */
export function accept() {
  return { action: "accept", content: {} };
}
