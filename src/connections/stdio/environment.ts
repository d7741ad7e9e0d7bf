/** What a program needs to find its files, its language, its proxy and its certificates: no keys, no tokens. */
const posixNames: readonly string[] = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "USER",
  "LANG",
  "TMPDIR",
  "TZ",
];

const windowsNames: readonly string[] = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

const networkNames: readonly string[] = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

const posixAllowed: ReadonlySet<string> = new Set([...posixNames, ...networkNames]);
const windowsAllowed: ReadonlySet<string> = new Set(
  [...windowsNames, ...networkNames].map((name) => name.toUpperCase()),
);

function isAllowed(name: string, windows: boolean): boolean {
  if (windows) return windowsAllowed.has(name.toUpperCase());
  return posixAllowed.has(name) || name.startsWith("LC_");
}

/**
 * The environment of a server: the allow-listed part of the host's, and what its configuration adds.
 * Exported shell functions are left out, as they are code and not values.
 */
export function serverEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === "win32";
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && !value.startsWith("()") && isAllowed(name, windows)) environment[name] = value;
  }
  for (const [name, value] of Object.entries(added)) {
    if (windows) dropOtherSpellings(environment, name);
    environment[name] = value;
  }
  return environment;
}

/** Windows knows `Path` and `PATH` as one variable, and takes the first it finds. */
function dropOtherSpellings(environment: Record<string, string>, name: string): void {
  for (const known of Object.keys(environment)) {
    if (known.toUpperCase() === name.toUpperCase()) delete environment[known];
  }
}
