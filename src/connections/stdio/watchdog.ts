import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { hostMark, killAllMarked, markName } from "./marked-processes.ts";
import { signalGroup } from "./process-group.ts";

/**
 * Reads `+ GROUP` and `- GROUP` until its input ends, which is when the host is gone, however it went. Servers that end
 * by themselves on the end of their input have a second; the rest is terminated, and killed two seconds later.
 * What left its group is found by the mark in its environment, where there is a `/proc` and the mark is given as `$1`.
 * Signals to the whole session of the host must not disarm it.
 */
export const watchdogScript: string = `trap '' HUP INT TERM
mark=$1
groups=''
while read -r op group; do
  case $op in
    +) groups="$groups $group" ;;
    -) left=''
       for known in $groups; do [ "$known" = "$group" ] || left="$left $known"; done
       groups=$left ;;
  esac
done
[ -n "$groups" ] || exit 0
sleep 1
end() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  [ -n "$mark" ] || return 0
  for file in $(grep -als "${markName}=$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill -s "$1" -- "\${pid%/environ}" 2>/dev/null
  done
}
end TERM
sleep 2
end KILL
`;

/** The groups of this process' servers. Of the process, because that is what dies and takes every host in it along. */
const guarded = new Set<number>();
let watchdog: ChildProcess | null = null;

function killAll(): void {
  for (const group of guarded) signalGroup(group, "SIGKILL");
  killAllMarked();
}

function tell(line: string): void {
  watchdog?.stdin?.write(line);
}

function startWatchdog(path: string): void {
  const started = spawn("/bin/sh", ["-c", watchdogScript, "sh", hostMark], {
    cwd: "/",
    detached: true,
    env: { PATH: path },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const gone = () => {
    if (watchdog === started) watchdog = null;
  };
  started.on("error", gone);
  started.on("exit", gone);
  started.unref();
  // Missing where no more files can be opened; a socket where it is there, which must not keep the host alive either.
  const stdin = started.stdin as Socket | undefined;
  stdin?.on("error", gone);
  stdin?.unref();
  watchdog = started;
  for (const group of guarded) tell(`+ ${group}\n`);
}

/**
 * Makes sure that a server's process group does not outlive this process: whether it calls `process.exit()`, throws, or
 * is killed. One `/bin/sh` for all servers, started with the first. Windows has no process groups: nothing is guarded.
 */
export function guardGroup(leader: number, path = "/usr/bin:/bin"): void {
  if (process.platform === "win32") return;
  if (guarded.size === 0) process.on("exit", killAll);
  guarded.add(leader);
  if (watchdog !== null) {
    tell(`+ ${leader}\n`);
    return;
  }
  try {
    startWatchdog(path);
  } catch {
    // A server without its last guard is better than none: the next one tries again.
  }
}

/** The group is gone: its number may soon belong to somebody else. */
export function releaseGroup(leader: number): void {
  if (!guarded.delete(leader)) return;
  tell(`- ${leader}\n`);
  if (guarded.size === 0) process.off("exit", killAll);
}
