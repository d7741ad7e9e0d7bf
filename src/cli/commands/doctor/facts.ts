import type { Diagnosis, ServerDiagnosis } from "../../../index.ts";
import type { LoadedConfig } from "../../../types/settings.ts";
import { visibleLine, visibleText } from "../../../util/visible.ts";
import { trustCommand } from "../../settings/server-lines.ts";
import { originText } from "../../settings/written.ts";
import { behindSearchText } from "../../show/behind-search.ts";
import { changedLines, warningLines } from "../../show/drift-lines.ts";
import type { Paint } from "../../terminal/paint.ts";
import { count, formatBytes, formatMs } from "../../terminal/units.ts";

/** One thing that was looked at. `bad` does not work; `warn` works, but look at it. */
export interface Fact {
  readonly level: "good" | "warn" | "bad";
  /** Escaped; of several lines where a server's last words are in it. */
  readonly text: string;
}

const good = (text: string): Fact => ({ level: "good", text });
const warn = (text: string): Fact => ({ level: "warn", text });
const bad = (text: string): Fact => ({ level: "bad", text });

/** Everything that was found, one fact a line, each with what to do where something is. */
export function factsOf(
  diagnosis: Diagnosis,
  loaded: LoadedConfig | null,
  configProblem: string | null,
): readonly Fact[] {
  const problem = diagnosis.problem === null ? [] : [bad(visibleLine(diagnosis.problem.message))];
  return [
    ...machineFacts(diagnosis),
    ...configFacts(loaded, configProblem),
    ...problem,
    ...diagnosis.servers.flatMap(serverFacts),
    ...(diagnosis.policyWarnings ?? []).map((line) => warn(visibleLine(line))),
    ...unstartedFacts(loaded),
    ...modelFacts(diagnosis),
    answeringFact(diagnosis, loaded),
    ...behindFacts(diagnosis),
  ];
}

/** Below this a log or a stored run may soon find no place. */
const littleSpace = 200_000_000;

function machineFacts({ node, version, state, clock, audit }: Diagnosis): Fact[] {
  const folder = visibleLine(state.folder);
  const free = state.freeBytes === null ? "" : `, ${formatBytes(state.freeBytes)} free`;
  const stateFact =
    state.problem !== null
      ? bad(
          `State folder ${folder} cannot be written: ${visibleLine(state.problem)}. Repair it, or set DRAWBRIDGE_HOME to another folder.`,
        )
      : state.freeBytes !== null && state.freeBytes < littleSpace
        ? warn(
            `State folder ${folder}: only ${formatBytes(state.freeBytes)} are free on its disk. Make room.`,
          )
        : good(`State folder ${folder}${state.exists ? "" : ", made with the first run"}${free}`);
  return [
    node.supported
      ? good(`Node ${visibleLine(node.version)}`)
      : bad(`Node ${visibleLine(node.version)} is too old: install 20.19 or newer.`),
    good(`Drawbridge ${version}`),
    stateFact,
    clock.problem === null
      ? good(`Clock ${clock.now}`)
      : warn(`${visibleLine(clock.problem)} Set it: the audit log and expiry dates go by it.`),
    auditFact(audit),
  ];
}

function auditFact({ files, bytes, ok, problem }: Diagnosis["audit"]): Fact {
  if (files === 0 && ok !== false) return good("Audit log: nothing in it yet");
  const size = `${count(files, "file")}, ${formatBytes(bytes)}`;
  if (ok === null) return good(`Audit log: ${size}, not checked here; drawbridge audit verify checks it`);
  if (ok) return good(`Audit log: ${size}, unchanged`);
  return bad(`Audit log: ${visibleLine(problem ?? "it was changed")} See drawbridge audit verify.`);
}

function configFacts(loaded: LoadedConfig | null, problem: string | null): Fact[] {
  const problems = (problem ?? "").split("\n").filter((line) => line !== "");
  return [
    ...problems.map((line) => bad(visibleLine(line))),
    ...(loaded?.files ?? []).map(({ path, scope, found }, index) => {
      const state = found ? "found" : "not there";
      return good(`Config ${index + 1} ${visibleLine(path)} (${scope}): ${state}`);
    }),
    ...(loaded?.warnings ?? []).map((line) => warn(visibleLine(line))),
  ];
}

function serverFacts({ status, quarantined, warnings, drift }: ServerDiagnosis): Fact[] {
  const name = visibleLine(JSON.stringify(status.server));
  if (status.state === "failed") {
    const { message } = status.error;
    const text = message.includes(status.server) ? message : `Server ${name}: ${message}`;
    return [bad(visibleText(text).replaceAll("\n", "\n  | "))];
  }
  const facts = [
    `ready after ${formatMs(status.ms)}`,
    `MCP ${visibleLine(status.protocolVersion)} (${status.era} era)`,
    count(status.tools, "tool"),
  ];
  const text = `Server ${name}: ${facts.join(", ")}`;
  const odd = [...warningLines({ warnings }), ...changedLines(drift)].map((line) => warn(`  ${line}`));
  const pinned = drift?.pinnedAt === undefined ? "" : `, pinned on ${drift.pinnedAt.slice(0, 10)}`;
  if (quarantined.length === 0) return [good(`${text}${pinned}`), ...odd];
  return [
    warn(`${text}${pinned}, ${quarantined.length} of them kept from the model`),
    ...quarantined.map(({ tool, reason }) => warn(`  ${visibleLine(tool)}: ${visibleLine(reason)}`)),
    ...odd,
  ];
}

function behindFacts({ behindSearch }: Diagnosis): Fact[] {
  return behindSearch === undefined ? [] : [good(behindSearchText(behindSearch.tools, behindSearch.reason))];
}

function unstartedFacts(loaded: LoadedConfig | null): Fact[] {
  const servers = loaded?.servers ?? [];
  const none = loaded !== null && servers.length === 0;
  return [
    ...(none
      ? [warn('No servers: add one with --server "npx -y SERVER", or write one into a config file.')]
      : []),
    ...servers.flatMap((server) => {
      const name = `Server ${visibleLine(JSON.stringify(server.id))} (${originText(server.origin)})`;
      if (server.disabled) return [good(`${name}: disabled`)];
      if (server.problem !== undefined) {
        const fact = server.config.required === false ? warn : bad;
        return [fact(visibleLine(server.problem))];
      }
      return server.pending
        ? [
            warn(
              `${name}: not started, nobody agreed to it yet. To see it and agree: ${trustCommand(server.id)}`,
            ),
          ]
        : [];
    }),
  ];
}

function modelFacts({ keys, localModels }: Diagnosis): Fact[] {
  const local = localModels.flatMap(({ name, url, models }) => {
    if (models === null) return [];
    const names = models.length === 0 ? "no model loaded" : models.map(visibleLine).join(", ");
    return [good(`${name} at ${visibleLine(url)}: ${names}`)];
  });
  return [
    good(keysText(keys)),
    ...(local.length > 0
      ? local
      : [good(`No local model server: ${localModels.map(({ name }) => name).join(", ")}`)]),
  ];
}

/** Who would answer a run, or why nobody would. */
function answeringFact({ model, keys, localModels }: Diagnosis, loaded: LoadedConfig | null): Fact {
  const written = loaded?.model ?? loaded?.fallbackModels?.[0];
  const place = originText(written?.origin ?? { type: "default" });
  if (model.problem !== null) return bad(`Model (${place}): ${visibleLine(model.problem)}`);
  if (!model.offline || written !== undefined)
    return good(`Model ${visibleLine(model.name ?? "")} (${place})`);
  const others = keys.some(({ set }) => set) || localModels.some(({ models }) => models !== null);
  const another = others ? ', or name another model with "model" in your config file' : "";
  return warn(
    `No model: the offline model answers, which is fixed rules. Set ANTHROPIC_API_KEY for Claude${another}.`,
  );
}

function keysText(keys: Diagnosis["keys"]): string {
  const names = (isSet: boolean) => keys.filter(({ set }) => set === isSet).map(({ variable }) => variable);
  const [set, unset] = [names(true).join(", "), names(false).join(", ")];
  if (set === "") return `No model key is set: ${unset}`;
  return `Model keys set: ${set}${unset === "" ? "" : ` (not set: ${unset})`}`;
}

const marks = { good: ["green", "✓"], warn: ["yellow", "!"], bad: ["red", "✗"] } as const;

export function factLines(facts: readonly Fact[], paint: Paint): string[] {
  return facts.map(({ level, text }) => {
    const [colour, mark] = marks[level];
    return `${paint(colour, mark)} ${text}`;
  });
}
