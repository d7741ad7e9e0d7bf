import type { Report, SettingsDocument } from "./document.ts";
import { member, membersOf } from "./members.ts";
import { nameOf } from "./name.ts";
import { settingsSchema, sharedSchema } from "./schema.ts";

/** Keys of ours that stand in a file which belongs to every host: passing them over could drop a rule. */
export function reportOwnKeys(document: SettingsDocument, report: Report): void {
  const shared = Object.keys(sharedSchema.properties ?? {});
  const own = Object.keys(settingsSchema.properties ?? {}).filter((key) => !shared.includes(key));
  for (const [key, , offset] of membersOf(document.root)) {
    if (!own.includes(key)) continue;
    report.problems.push(
      `${document.placeOf(offset)}: ${key} does not belong here; move it to drawbridge.json.`,
    );
  }
}

/** Keys that only a person may set: which model answers, where requests go, what they cost, who is believed, and what the model gets. */
const userKeys = ["model", "fallbackModels", "baseUrl", "prices", "trust", "resourceTools", "wrapResults"];

/** The same of a server: whom to believe, who may use the model, which folders are told of, and which file is written to. */
const userServerKeys = ["trust", "sampling", "roots", "stderr"];

/** And of its `auth`: where requests go, and files of this computer that are read. */
const userAuthKeys = ["allowPrivateNetwork", "assertionFile", "identityProvider"];

/** What a project's file may not set, whatever the value. */
export function reportUserKeys(document: SettingsDocument, userFile: string, report: Report): void {
  const complain = (offset: number, name: string) =>
    report.problems.push(
      `${document.placeOf(offset)}: ${name} cannot be set by a project's file; move it to your own, ${userFile}.`,
    );
  for (const [key, , offset] of membersOf(document.root)) if (userKeys.includes(key)) complain(offset, key);
  for (const [key, value, offset] of membersOf(member(document.root, "policy"))) {
    const isLooser = key === "shadowRules" || (key === "flows" && value.value !== "ask");
    if (isLooser) complain(offset, nameOf(["policy", key]));
  }
  for (const [id, entry] of membersOf(member(document.root, "mcpServers"))) {
    for (const [key, value, offset] of membersOf(entry)) {
      // Stricter is for anybody to say.
      const isLooser =
        (key === "drift" && value.value !== "block") || (key === "private" && value.value !== true);
      if (userServerKeys.includes(key) || isLooser) complain(offset, nameOf(["mcpServers", id, key]));
    }
    for (const [key, , offset] of membersOf(member(entry, "auth"))) {
      if (userAuthKeys.includes(key)) complain(offset, nameOf(["mcpServers", id, "auth", key]));
    }
  }
}
