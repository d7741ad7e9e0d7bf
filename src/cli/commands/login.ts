import type { Login } from "../../index.ts";
import type { AuthorizationRequest } from "../../types/auth.ts";
import { linkAbort } from "../../util/abort.ts";
import { shellName } from "../../util/shell-word.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loginServer } from "../settings/login-server.ts";
import { shownUrl } from "../settings/written.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { openInBrowser } from "../terminal/open-browser.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import { readPastedUrl } from "../terminal/pasted-url.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface LoginCommand {
  /** Absent: the logins that are kept are listed. */
  readonly server?: string;
  readonly open: boolean;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** The most that the library waits for a person as well, ms. */
const mostWaitMs = 10 * 60_000;

/** Takes the person through the login at a server; without a server lists what is kept. */
export async function logInToServer(
  command: LoginCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  if (command.server === undefined) return listed(command, await library.listLogins());
  const { id, config } = await loginServer(command.server, command.flags, terminal);
  terminal.waitFor("the server");
  const wait = linkAbort(interrupt.signal);
  const nobody = new Error("Nobody came to log in.");
  const waitMs = Math.min(command.flags.timeoutMs ?? mostWaitMs, mostWaitMs);
  const timer = setTimeout(() => wait.abort(nobody), waitMs);
  let login: Login | null;
  try {
    login = await library.logIn(id, config, {
      signal: wait.signal,
      authorize: (request) => show(id, request, command, terminal),
    });
  } catch (thrown) {
    terminal.waitFor(null);
    if (thrown !== nobody) throw thrown;
    return toNobody(id, command, terminal);
  } finally {
    clearTimeout(timer);
    wait.end();
  }
  terminal.waitFor(null);
  if (command.json) writeJson({ server: id, login });
  else if (login === null) terminal.line("Nothing to do: the server asks for no login.");
  else terminal.line(`Logged in ${loginLine(login, terminal.paint)}`);
  return exitCodes.answered;
}

function writeJson(value: object): void {
  process.stdout.write(`${visibleLine(JSON.stringify(value))}\n`);
}

/** Where nobody looks at a screen this is how a login most often ends: it has a code of its own. */
function toNobody(id: string, { json }: LoginCommand, terminal: Terminal): number {
  terminal.line(
    terminal.paint(
      "red",
      `drawbridge: Nobody came to log in. Run it again: drawbridge login ${shellName(id)}`,
    ),
  );
  if (json) writeJson({ server: id, login: null, problem: "nobody_came" });
  return exitCodes.unasked;
}

/** Shows where to log in, and gives what the person pastes; nothing when the browser comes back by itself. */
function show(
  id: string,
  { url, issuer, scopes, redirectUri, problem, signal }: AuthorizationRequest,
  { open, json }: LoginCommand,
  terminal: Terminal,
): Promise<string | undefined> | undefined {
  terminal.waitFor(null);
  if (json) writeJson({ server: id, authorization: { url, issuer, scopes, redirectUri, problem } });
  if (problem !== undefined)
    terminal.line(terminal.paint("yellow", `! Once more, please: ${visibleLine(problem)}.`));
  const wants = scopes.length === 0 ? "" : `, to grant: ${scopes.map(visibleLine).join(", ")}`;
  terminal.line(terminal.paint("bold", `Log in at ${visibleLine(issuer)}${wants}`));
  terminal.line(visibleLine(url));
  if (new URL(url).hostname.includes("xn--")) {
    const text = "! The name of this page is written in letters that can look like others.";
    terminal.line(terminal.paint("yellow", text));
  }
  const elsewhere = process.stdin.isTTY
    ? "paste here the address that it ends at"
    : "write the address that it ends at to this command's input";
  terminal.line(
    terminal.paint(
      "dim",
      `The browser comes back to ${visibleLine(redirectUri)}. If that is on another computer, ${elsewhere}.`,
    ),
  );
  if (open) openInBrowser(url, (problem) => terminal.line(terminal.paint("yellow", `! ${problem}`)));
  return readPastedUrl(process.stdin, signal, (problem) => terminal.line(problem));
}

function listed({ json }: LoginCommand, logins: readonly Login[]): number {
  const paint = paintFor(process.stdout);
  const shown = logins.map((login) => ({ ...login, url: shownUrl(login.url) }));
  const lines = json
    ? [visibleLine(JSON.stringify({ logins: shown }))]
    : shown.length === 0
      ? ["No logins are kept."]
      : shown.map((login) => `${visibleLine(login.url)}: ${loginLine(login, paint)}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

function loginLine({ issuer, scopes, endsAt, isRenewed }: Login, paint: Paint): string {
  const granted = scopes.length === 0 ? "" : `, granted: ${scopes.map(visibleLine).join(", ")}`;
  const until = endsAt === undefined ? "" : `, until ${endsAt.slice(0, 16).replace("T", " ")} UTC`;
  return paint("dim", `by ${visibleLine(issuer)}${granted}${isRenewed ? ", made new by itself" : until}`);
}
