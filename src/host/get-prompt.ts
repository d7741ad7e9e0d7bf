import type { PromptReply, ServerOffers } from "../types/offers.ts";
import type { CallReply } from "../types/outcome.ts";
import type { FilledPrompt, PromptMessage } from "../types/prompt.ts";
import type { HostParts } from "./parts.ts";
import { noteBrought, performRead } from "./perform-read.ts";
import { defaultReadTokens, mapReplies } from "./read-blocks.ts";

/** Has a prompt filled in for a person. Rejects as `Host.getPrompt` says. */
export async function getPrompt(
  parts: HostParts,
  { server, offers }: { readonly server: string; readonly offers: ServerOffers },
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, string>> },
  { signal, outputTokens = defaultReadTokens }: { signal: AbortSignal; outputTokens?: number | undefined },
): Promise<FilledPrompt> {
  let filled: PromptReply | undefined;
  const mapped = await performRead(parts, {
    server,
    method: "prompts/get",
    arguments: { name, arguments: { ...args } },
    signal,
    async send(call) {
      filled = await offers.prompt(name, args, call);
      return filled.reply;
    },
    map: () => mapReplies(parts, repliesOf(filled), outputTokens),
  });
  const said = (filled?.parts ?? []).filter(({ blocks }) => blocks > 0);
  const messages = said.map(({ role }, index): PromptMessage => {
    return { role, blocks: mapped.results[index]?.block.content ?? [] };
  });
  noteBrought(
    parts,
    mapped.tool,
    messages.flatMap(({ blocks }) => blocks),
  );
  const description = filled?.description;
  return {
    server,
    name,
    ...(description === undefined ? {} : { description: parts.secrets.redact(description) }),
    messages,
    input: inputOf(server, name, messages),
  };
}

/** Each message by itself, so that what it says does not run into the next one. */
function repliesOf(filled: PromptReply | undefined): CallReply[] {
  const { parts = [], reply } = filled ?? {};
  let from = 0;
  return parts.flatMap(({ blocks }) => {
    const content = reply?.content.slice(from, from + blocks) ?? [];
    from += blocks;
    return blocks === 0 ? [] : [{ content, isError: false, repairs: [] }];
  });
}

const speakers = { user: "Person:", assistant: "Assistant:" } as const;

/** All as one message. Who says what is told only where it is not the person throughout. */
function inputOf(server: string, name: string, messages: readonly PromptMessage[]): FilledPrompt["input"] {
  if (messages.length === 0) return [];
  const heading = `Prompt ${JSON.stringify(name)} of the server ${JSON.stringify(server)}, in its words:`;
  const dialogue = messages.some(({ role }) => role === "assistant");
  return [
    { type: "text", text: heading },
    ...messages.flatMap(({ role, blocks }) =>
      dialogue ? [{ type: "text", text: speakers[role] } as const, ...blocks] : blocks,
    ),
  ];
}
