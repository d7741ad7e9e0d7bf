import { expect, test } from "vitest";
import { createRequestEncoder } from "../../../src/models/anthropic/request.ts";
import type { ImageBlock, Message } from "../../../src/types/message.ts";
import { requestOf, userText } from "./requests.ts";

/** A GIF's header with its size, and as many bytes behind it. */
function image(side: number, bytes = 20): ImageBlock {
  const gif = Buffer.alloc(Math.max(20, bytes));
  gif.write("GIF89a", "latin1");
  gif.writeUInt16LE(side, 6);
  gif.writeUInt16LE(10, 8);
  return { type: "image", mediaType: "image/gif", data: gif.toString("base64") };
}

/** A conversation in which a tool gave these images, one a turn. */
function conversationWith(images: readonly ImageBlock[]): Message[] {
  return images.flatMap((shown, index): Message[] => [
    userText(`show ${index}`),
    {
      role: "assistant",
      content: [{ type: "tool_call", id: `call_${index}`, name: "files__show", input: "{}" }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", callId: `call_${index}`, isError: false, content: [shown] }],
    },
  ]);
}

interface Sent {
  readonly text: string;
  /** Widths of the images in the request. */
  readonly sides: readonly number[];
}

/** What each request of a growing conversation holds. */
function requests(messages: readonly Message[]): Sent[] {
  const encode = createRequestEncoder("claude-opus-5");
  const growing: Message[] = [];
  return messages.flatMap((message) => {
    growing.push(message);
    if (message.role === "assistant") return [];
    const text = Buffer.concat(encode(requestOf([...growing])).chunks).toString("utf8");
    // No pattern runs over the megabytes of an image: in a process with many patterns it would pass the stack's size.
    const sides = [...text.matchAll(/"data":"([^"]{24})/g)].map(([, head = ""]) =>
      Buffer.from(head, "base64").readUInt16LE(6),
    );
    return [{ text, sides }];
  });
}

test("a large image is sent as long as there are few, and left out for good once there are many", () => {
  const sent = requests(conversationWith([image(3_000), ...Array.from({ length: 25 }, () => image(100))]));
  for (const { sides } of sent) expect(sides.length <= 20 || Math.max(...sides) <= 2_000).toBe(true);
  expect(sent.filter(({ sides }) => sides[0] === 3_000)).toHaveLength(40);
  expect(sent.at(-1)?.sides).toHaveLength(25);
  expect(sent.at(-1)?.text).toContain(
    "[Image left out: it is longer than 2000 pixels and there are many images.]",
  );
});

test("a request never holds more images than the API takes, the newest are in it, and it seldom starts anew", () => {
  const sent = requests(conversationWith(Array.from({ length: 230 }, (_, index) => image(index + 1))));
  for (const { sides } of sent) expect(sides.length).toBeLessThanOrEqual(100);
  expect(sent.at(-1)?.sides.at(-1)).toBe(230);
  expect(new Set(sent.map(({ sides }) => sides[0])).size).toBeLessThanOrEqual(5);
  expect(sent.at(-1)?.text).toContain("[Image left out: newer images took its place.]");
});

test("a request stays within the API's size however large its images are", () => {
  const sent = requests(conversationWith(Array.from({ length: 12 }, () => image(50, 3_500_000))));
  for (const { text } of sent) expect(text.length).toBeLessThan(32 * 1024 * 1024);
  expect(sent.at(-1)?.sides.length).toBeGreaterThan(0);
});

test("a conversation that was stored is sent like the one that grew", () => {
  const messages = conversationWith(
    Array.from({ length: 120 }, (_, index) => image(index % 7 === 0 ? 2_500 : 9)),
  );
  const last = messages.at(-1);
  const once = Buffer.concat(createRequestEncoder("claude-opus-5")(requestOf(messages)).chunks).toString(
    "utf8",
  );
  expect(last?.role).toBe("user");
  expect(requests(messages).at(-1)?.text).toBe(once);
});
