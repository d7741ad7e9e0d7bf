import { promptLines } from "../../show/offer-lines.ts";
import type { ChatCommandSpec } from "./command.ts";

export const promptsCommand: ChatCommandSpec = {
  name: "/prompts",
  argument: "[server]",
  summary: "the prompts of the servers, for /server:prompt",
  about: ["/server:prompt asks for its arguments one by one; name=value behind it gives them at once."],
  async run(argument, { session, signal, print }) {
    const listings = await session.host.prompts({ ...(argument === "" ? {} : { server: argument }), signal });
    const lines = listings.flatMap(promptLines);
    for (const line of lines.length === 0 ? ["No prompts."] : lines) print(line);
    return undefined;
  },
};
