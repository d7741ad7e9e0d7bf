import type { ChatCommandSpec } from "./command.ts";

export const exitCommand: ChatCommandSpec = {
  name: "/exit",
  aliases: ["/quit"],
  summary: "leave (also Ctrl-D)",
  run: () => "leave",
};
