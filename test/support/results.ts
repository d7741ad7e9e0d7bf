import { defaultLimits } from "../../src/config/limits.ts";
import { createResultMapper } from "../../src/results/mapper.ts";
import type { Limits } from "../../src/types/config.ts";
import type { JsonObject } from "../../src/types/json.ts";
import type { TextBlock, ToolResultBlock } from "../../src/types/message.ts";
import type { CallReply } from "../../src/types/outcome.ts";
import type { MappedTurn, SchemaCheck, SettledCall } from "../../src/types/ports.ts";
import type { SpillStore } from "../../src/types/stores.ts";
import type { CatalogTool } from "../../src/types/tool.ts";

/** A spill store in memory that only the run that wrote can read. */
export function memorySpill(): SpillStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    async put(runId, text) {
      const id = `s${kept.size + 1}`;
      kept.set(`${runId}/${id}`, text);
      return id;
    },
    async get(runId, id) {
      return kept.get(`${runId}/${id}`) ?? null;
    },
  };
}

export function catalogTool(outputSchema?: JsonObject, server = "s"): CatalogTool {
  const definition = { name: "t", description: "", inputSchema: { type: "object" }, annotations: {} };
  return {
    alias: `${server}__t`,
    route: { server, tool: "t" },
    definition: outputSchema === undefined ? definition : { ...definition, outputSchema },
    definitionHash: "d",
    configHash: "c",
    trusted: false,
    listed: true,
  };
}

/** A call that was answered; missing parts of the reply are empty. */
export function answered(
  reply: Partial<CallReply>,
  tool: CatalogTool | null = catalogTool(),
  callId = "c1",
): SettledCall {
  const full = { content: [], isError: false, repairs: [], ...reply };
  return { callId, tool, outcome: { type: "answered", reply: full, attempts: 1, ms: 1 } };
}

export interface MapSettings {
  readonly limits?: Partial<Limits>;
  readonly spill?: SpillStore;
  readonly check?: SchemaCheck;
  readonly redact?: (text: string) => string;
}

/** Maps a turn of run `r`. */
export function mapTurn(settled: readonly SettledCall[], settings: MapSettings = {}): Promise<MappedTurn> {
  const mapper = createResultMapper({
    limits: { ...defaultLimits, ...settings.limits },
    spill: settings.spill ?? memorySpill(),
    validator: { check: async () => settings.check ?? { valid: true, warnings: [] } },
    redact: settings.redact ?? ((text) => text),
  });
  return mapper.map(settled, "r");
}

/** Maps one call and returns its block. */
export async function mapOne(settled: SettledCall, settings: MapSettings = {}): Promise<ToolResultBlock> {
  const { results } = await mapTurn([settled], settings);
  const [first] = results;
  if (first === undefined) throw new Error("no result");
  return first.block;
}

export const textsOf = (block: ToolResultBlock): string[] =>
  block.content.filter((one): one is TextBlock => one.type === "text").map((one) => one.text);
