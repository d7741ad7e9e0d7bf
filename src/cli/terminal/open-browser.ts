import { spawn } from "node:child_process";

/** How a system opens an address with the person's browser; no shell reads it. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an http or https address in a browser. A browser that cannot be started is told, and is no failure. */
export function openInBrowser(url: string, tell: (problem: string) => void): void {
  const [program, ...before] = openers[process.platform] ?? ["xdg-open"];
  const problem = `No browser could be started with ${program}; open the address yourself.`;
  if (!/^https?:$/.test(new URL(url).protocol)) {
    tell(problem);
    return;
  }
  const child = spawn(program, [...before, url], { stdio: "ignore", detached: true, shell: false });
  child.once("error", () => tell(problem));
  child.once("exit", (code) => {
    if (code !== 0) tell(problem);
  });
  child.unref();
}
