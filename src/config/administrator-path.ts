/**
 * Where whoever administers the computer puts rules for all of its users. Nothing in the environment moves it: what a
 * user can set, such as `XDG_CONFIG_DIRS` or `PROGRAMDATA`, would be a way around it.
 */
export function administratorPath(platform: NodeJS.Platform = process.platform): string {
  switch (platform) {
    case "win32":
      return "C:\\ProgramData\\drawbridge\\policy.json";
    case "darwin":
      return "/Library/Application Support/drawbridge/policy.json";
    default:
      return "/etc/drawbridge/policy.json";
  }
}
