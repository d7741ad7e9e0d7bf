import type { Message } from "../../types/message.ts";
import { readableText } from "../../util/readable-text.ts";

/** A fence that nothing in the text can end. */
function fenced(text: string, language = ""): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3}`*/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Writes a text of the conversation: secrets blanked out, control characters visible. */
type Clean = (text: string) => string;

function blockText(block: Message["content"][number], clean: Clean): string {
  switch (block.type) {
    case "text":
      return clean(block.text);
    case "thinking":
      return clean(block.text)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "image":
      return `*an image (${block.mediaType})*`;
    case "tool_call":
      return `**calls \`${clean(block.name)}\`**\n\n${fenced(clean(block.input), "json")}`;
    case "tool_result": {
      const text = block.content.map((part) => blockText(part, clean)).join("\n");
      return `**result${block.isError ? " (an error)" : ""}**\n\n${fenced(text)}`;
    }
  }
}

/** A person's words, or only results that the host gave back. */
function headOf({ role, content }: Message): string {
  if (role === "assistant") return "## Model";
  return content.some((block) => block.type === "tool_result") ? "## Tools" : "## You";
}

/** A conversation for people to read. `redact` blanks out secrets. */
export function markdownOf(messages: readonly Message[], redact: (text: string) => string): string {
  const clean: Clean = (text) => readableText(redact(text));
  const parts = messages.map((message) =>
    [headOf(message), ...message.content.map((block) => blockText(block, clean))]
      .filter((text) => text.trim() !== "")
      .join("\n\n"),
  );
  return `# Conversation\n\n${parts.join("\n\n")}\n`;
}
