import { visibleLine } from "../../../util/visible.ts";
import { modelOf, type Session } from "../session.ts";
import type { ChatCommandSpec } from "./command.ts";

/** The model that answers, and that it is none when it is the offline one. */
export function modelText(session: Session): string {
  const { api, name, offline } = modelOf(session);
  return offline ? "offline (fixed rules, no language model)" : `${visibleLine(api)}/${visibleLine(name)}`;
}

export const modelCommand: ChatCommandSpec = {
  name: "/model",
  argument: "[name]",
  summary: "the model that answers, or another one from now on",
  about: ["The conversation goes on: the other model reads what was said so far."],
  run(argument, { session, print }) {
    if (argument !== "") session.model = session.host.selectModel(argument);
    print(`model: ${modelText(session)}`);
    return undefined;
  },
};
