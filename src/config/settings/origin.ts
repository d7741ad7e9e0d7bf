import type { SettingOrigin } from "../../types/settings.ts";
import type { SettingsDocument } from "./document.ts";

export function originIn(document: SettingsDocument, offset: number): SettingOrigin {
  return { type: document.scope, file: document.path, line: document.lineAt(offset) };
}
