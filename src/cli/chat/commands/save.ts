import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { HostError } from "../../../errors.ts";
import { noUsage } from "../../../util/usage.ts";
import { visibleLine } from "../../../util/visible.ts";
import { replaceFile } from "../../replace-file.ts";
import { writeTranscript } from "../../transcript-file.ts";
import { typedPath } from "../editor/list-paths.ts";
import { markdownOf } from "../markdown.ts";
import type { ChatCommandSpec } from "./command.ts";

export const saveCommand: ChatCommandSpec = {
  name: "/save",
  argument: "FILE",
  summary: "write the conversation to a file: .json or .md",
  about: ["JSON holds everything and can be read by programs; Markdown is for people."],
  async run(argument, { session, paint, cwd, print, ask }) {
    if (argument === "") throw new HostError("config_invalid", "Where to? Example: /save talk.md");
    const { last, host, conversation } = session;
    const messages = conversation.messages;
    if (messages.length === 0) throw new HostError("config_invalid", "Nothing was said yet.");
    const kind = extname(argument).toLowerCase();
    if (kind !== ".json" && kind !== ".md")
      throw new HostError("config_invalid", "A file's name ends in .json or .md here.");
    const path = typedPath(argument, cwd);
    const name = visibleLine(argument);
    const found = await stat(path).catch(() => null);
    if (found !== null) {
      if (!found.isFile()) throw new HostError("config_invalid", `${name} is no file.`);
      if (ask === null) throw new HostError("config_invalid", `${name} is there already; name another file.`);
      if (!(await ask(`${name} is there already. Write over it?`))) {
        print("Not saved.");
        return undefined;
      }
    }
    if (kind === ".md") await replaceFile(path, markdownOf(messages, host.redact));
    else await writeTranscript(path, conversation.id, { ...(last ?? noRun), messages }, host.redact);
    print(paint("dim", `saved ${name} (for your eyes alone; secrets that the host knows are blanked out)`));
    return undefined;
  },
};

/** A continued conversation in which nothing was said yet. */
const noRun = {
  runId: "",
  stop: { type: "answered" },
  text: "",
  message: null,
  turns: 0,
  calls: 0,
  unasked: 0,
  usage: noUsage,
  ms: 0,
} as const;
