import { visibleText } from "../../../util/visible.ts";
import type { ChatCommandSpec } from "./command.ts";

export const thinkingCommand: ChatCommandSpec = {
  name: "/thinking",
  summary: "what the model thought before its last answer",
  run(_argument, { session, paint, print }) {
    const { thinking } = session;
    if (thinking === "") print("The model showed no thinking for its last answer.");
    for (const line of thinking === "" ? [] : visibleText(thinking).split("\n")) print(paint("dim", line));
    return undefined;
  },
};
