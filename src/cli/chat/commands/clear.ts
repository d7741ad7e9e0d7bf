import { startAnew } from "../session.ts";
import type { ChatCommandSpec } from "./command.ts";

export const clearCommand: ChatCommandSpec = {
  name: "/clear",
  summary: "begin a new conversation",
  about: ["What was said is forgotten, and what was allowed in the conversation is asked again."],
  run(_argument, { session, paint, print }) {
    const { id, messages } = session.conversation;
    startAnew(session);
    print("A new conversation.");
    if (session.storing && messages.length > 0) {
      print(paint("dim", "The one before goes on with:"));
      print(paint("dim", `  drawbridge chat --continue ${id}`));
    }
    return undefined;
  },
};
