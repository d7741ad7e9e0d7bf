/** The media type of a response in lower case, without its parameters; empty when it names none. */
export function mediaType({ headers }: Response): string {
  const [essence = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return essence.trim().toLowerCase();
}

export const eventStream = "text/event-stream";
export const json = "application/json";

/** What servers call an answer of MCP that is none of the two types it has to be. */
const vague: ReadonlySet<string> = new Set(["", "text/plain", "text/json", "application/octet-stream"]);

/** A successful response whose type says nothing gets the one that its first bytes tell; any other stays as it is. */
export async function withToldType(response: Response): Promise<Response> {
  const { body, status, statusText } = response;
  if (body === null || !vague.has(mediaType(response))) return response;
  const reader = body.getReader();
  const first: Uint8Array[] = [];
  let type: string | null = null;
  for (let begins = ""; begins === ""; ) {
    const { done, value } = await reader.read();
    if (done) break;
    first.push(value);
    begins = new TextDecoder().decode(value).trimStart();
    type = typeOf(begins);
  }
  const headers = new Headers(response.headers);
  if (type !== null) headers.set("content-type", type);
  return new Response(again(first, reader), { status, statusText, headers });
}

function typeOf(text: string): string | null {
  if (/^[{[]/.test(text)) return json;
  return /^(?:data|event|id|retry)?:/.test(text) ? eventStream : null;
}

/** What was read already, then the rest. */
function again(
  first: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const held = first.shift();
        const { done, value } = held === undefined ? await reader.read() : { done: false, value: held };
        if (done) controller.close();
        else if (value !== undefined) controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
