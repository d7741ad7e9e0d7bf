import { visibleText } from "../../../util/visible.ts";
import type { ChatCommandSpec } from "./command.ts";

export const systemCommand: ChatCommandSpec = {
  name: "/system",
  argument: "[text]",
  summary: "the instructions for the model, or others from now on",
  about: ["To take them away: /system none"],
  run(argument, { session, print }) {
    if (argument !== "") session.system = argument === "none" ? "" : argument;
    print(session.system === "" ? "No instructions." : visibleText(session.system));
    return undefined;
  },
};
