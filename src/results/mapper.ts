import type { Limits } from "../types/config.ts";
import type { MappedTurn, ResultMapper, SchemaValidator, SettledCall } from "../types/ports.ts";
import type { SpillStore } from "../types/stores.ts";
import { createKeepAside, type KeepAside } from "./aside.ts";
import { type Draft, type DraftSettings, draftOf } from "./draft.ts";
import { allowances, type Fitted, fitResult, measure } from "./fit.ts";
import { textPiece } from "./piece.ts";
import { wrapTurn } from "./wrap.ts";

export interface ResultMapperSettings {
  readonly limits: Limits;
  readonly spill: SpillStore;
  readonly validator: SchemaValidator;
  /** Replaces registered secrets in everything that goes to the model or is kept aside. */
  readonly redact: (text: string) => string;
  /** Marks the data of servers for the model, see `wrapTurn`: the marker of a run, the same each time. Default: none. */
  readonly markerOf?: (runId: string) => Promise<string>;
  /** Default: the full output is kept in `spill`, for the run to read. */
  readonly keep?: KeepAside;
}

/** A reply that cannot be rendered, such as one nested too deeply, costs only itself; its success stays one. */
async function safeDraft(settled: SettledCall, settings: DraftSettings): Promise<Draft> {
  try {
    return await draftOf(settled, settings);
  } catch {
    const { callId, tool, outcome } = settled;
    const isError = outcome.type !== "answered" || outcome.reply.isError;
    const pieces = [textPiece("(the output could not be read)")];
    return { callId, alias: tool?.alias ?? "", isError, paged: false, pieces, pictures: [], asideBytes: 0 };
  }
}

/**
 * Makes the stage that turns every kind of MCP result into what a model can use: text, checked pictures, and
 * descriptions of the rest, within the output budget of a result and of a turn (MCP 2026-07-28, `CallToolResult`).
 */
export function createResultMapper(settings: ResultMapperSettings): ResultMapper {
  const { limits, spill, validator, redact } = settings;
  return {
    async map(settled: readonly SettledCall[], runId: string): Promise<MappedTurn> {
      const keep = settings.keep ?? createKeepAside(spill, runId);
      const drafts = await Promise.all(settled.map((one) => safeDraft(one, { validator, redact, keep })));
      const turn = drafts.map(measure);
      const allowed = allowances(turn, limits);
      const fittings: Fitted[] = await Promise.all(
        turn.map((one, index) => fitResult(one, allowed[index] ?? 0, limits, keep)),
      );
      const mapped = {
        results: fittings.map((one) => one.result),
        trailing: fittings.flatMap((one) => one.trailing),
      };
      const marker = await settings.markerOf?.(runId);
      return marker === undefined ? mapped : wrapTurn(mapped, settled, marker);
    },
  };
}
