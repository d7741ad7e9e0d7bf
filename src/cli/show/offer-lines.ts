import type { FilledPrompt, ServerPrompt } from "../../types/prompt.ts";
import type { ServerListing, ServerResource, ServerResourceTemplate } from "../../types/resource.ts";
import { oneLine } from "../../util/one-line.ts";
import { visibleLine, visibleText } from "../../util/visible.ts";
import { formatBytes } from "../terminal/units.ts";

/** What a server lists of one kind, as it is shown. */
type Listing<Entry> = ServerListing<Entry>;

/** Why a list is not there, or not whole. */
function problemLines({ server, error, leftOut }: Listing<unknown>): string[] {
  const lines = leftOut.map(
    ({ name, reason }) => `! ${visibleLine(oneLine(name, 100))}: left out. ${visibleLine(reason)}`,
  );
  if (error !== undefined)
    lines.push(`! ${visibleLine(server)}: ${visibleLine(oneLine(error.message, 400))}`);
  return lines;
}

function about(parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined && part !== "");
  return said.length === 0 ? "" : `  ${visibleLine(oneLine(said.join(", "), 200))}`;
}

const titleOf = (entry: { readonly name: string; readonly title?: string }, key: string) =>
  entry.title ?? (entry.name === key ? undefined : entry.name);

/** One resource a line: `server:uri`, as it is written in a message, and what its server says of it. */
export function resourceLines(listing: Listing<ServerResource>): string[] {
  const lines = listing.entries.map((resource) => {
    const size = resource.size === undefined ? undefined : formatBytes(resource.size);
    const facts = about([titleOf(resource, resource.uri), resource.mimeType, size, resource.description]);
    return `${visibleLine(`${listing.server}:${resource.uri}`)}${facts}`;
  });
  return [...lines, ...problemLines(listing)];
}

export function templateLines(listing: Listing<ServerResourceTemplate>): string[] {
  const lines = listing.entries.map((template) => {
    const facts = about([titleOf(template, template.uriTemplate), template.mimeType, template.description]);
    return `${visibleLine(`${listing.server}:${template.uriTemplate}`)}${facts}`;
  });
  return [...lines, ...problemLines(listing)];
}

/** One prompt a line: `server:name`, its arguments (those that may be left out in brackets), and its description. */
export function promptLines(listing: Listing<ServerPrompt>): string[] {
  const lines = listing.entries.map((prompt) => {
    const args = prompt.arguments.map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`));
    const call = [`${listing.server}:${prompt.name}`, ...args].join(" ");
    return `${visibleLine(call)}${about([prompt.title ?? prompt.description])}`;
  });
  return [...lines, ...problemLines(listing)];
}

/** The messages of a prompt, speaker by speaker, every line escaped. */
export function filledPromptLines({ messages }: FilledPrompt): string[] {
  return messages.flatMap(({ role, blocks }) => [
    role === "user" ? "you:" : "the model:",
    ...blocks.flatMap((block) =>
      block.type === "text"
        ? visibleText(block.text)
            .split("\n")
            .map((line) => `  ${line}`)
        : [`  [${block.mediaType}, ${formatBytes(Math.floor((block.data.length * 3) / 4))}]`],
    ),
  ]);
}
