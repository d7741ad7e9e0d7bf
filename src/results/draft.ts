import type { CallReply } from "../types/outcome.ts";
import type { SchemaValidator, SettledCall } from "../types/ports.ts";
import { builtinServer, type CatalogTool } from "../types/tool.ts";
import { emptyResult } from "../util/empty-result.ts";
import { count } from "../util/one-line.ts";
import { utf8Length } from "../util/utf8.ts";
import type { KeepAside } from "./aside.ts";
import { blockPieces } from "./blocks.ts";
import { isUsable, type Piece, textPiece } from "./piece.ts";
import { arrange, violation } from "./structured.ts";
import { cleanText } from "./text.ts";

/** More blocks than this are joined: each block costs a model tokens of its own. */
const mostPieces = 50;
/** Anthropic lowers its size limit for all pictures once a request has more. */
const mostPictures = 20;

/** What a call gave, before the output budget. */
export interface Draft {
  readonly callId: string;
  /** How the call is named to the model. */
  readonly alias: string;
  readonly isError: boolean;
  /** True for pages of kept outputs: they are never kept again. */
  readonly paged: boolean;
  readonly pieces: readonly Piece[];
  /** Pictures of a failed call: an error result may hold text only. */
  readonly pictures: readonly Extract<Piece, { type: "image" }>[];
  /** Bytes kept aside because no model could use them. */
  readonly asideBytes: number;
}

export interface DraftSettings {
  readonly validator: SchemaValidator;
  readonly redact: (text: string) => string;
  readonly keep: KeepAside;
}

async function replyPieces(
  reply: CallReply,
  tool: CatalogTool | null,
  settings: DraftSettings,
): Promise<{ pieces: Piece[]; asideBytes: number }> {
  const schema = tool?.definition.outputSchema;
  const warning = schema === undefined ? null : await violation(reply, schema, settings.validator);
  const { texts, json, aside } = arrange(reply, tool, warning);
  const pieces: Piece[] = [];
  let asideBytes = 0;
  for (const [index, block] of reply.content.entries()) {
    const text = texts[index] ?? null;
    if (text !== null) pieces.push(textPiece(text));
    if (block.type === "text") continue;
    const made = await blockPieces(block, settings.keep);
    pieces.push(...made.pieces);
    asideBytes += made.asideBytes;
  }
  if (json !== null) pieces.push(textPiece(json));
  if (aside !== null) {
    const text = settings.redact(cleanText(aside.text));
    const bytes = utf8Length(text);
    pieces.push(textPiece(`${aside.name} (${count(bytes)} bytes) ${await settings.keep(text, 1)}`));
    asideBytes += bytes;
  }
  if (warning !== null) pieces.push(textPiece(warning));
  return { pieces, asideBytes };
}

/** Texts without what a model API refuses or nobody may see; too many of them joined. */
function tidy(pieces: readonly Piece[], redact: (text: string) => string): Piece[] {
  const usable = pieces
    .map((piece) => (piece.type === "text" ? textPiece(redact(cleanText(piece.text))) : piece))
    .filter((piece) => piece.type === "image" || isUsable(piece.text));
  let pictures = 0;
  const few = usable.map((piece) =>
    piece.type === "image" && ++pictures > mostPictures
      ? textPiece(`[Image left out: ${piece.label}; a result may have ${mostPictures} images]`)
      : piece,
  );
  if (few.length <= mostPieces) return few;
  const joined: Piece[] = [];
  let run: string[] = [];
  const flush = () => {
    if (run.length > 0) joined.push(textPiece(run.join("\n")));
    run = [];
  };
  for (const piece of few) {
    if (piece.type === "text") run.push(piece.text);
    else {
      flush();
      joined.push(piece);
    }
  }
  flush();
  return joined;
}

/** A call's end as pieces for the model, before the output budget. */
export async function draftOf(settled: SettledCall, settings: DraftSettings): Promise<Draft> {
  const { callId, tool, outcome } = settled;
  const named = { callId, alias: tool?.alias ?? "", paged: tool?.route.server === builtinServer };
  if (outcome.type !== "answered") {
    const pieces = tidy([textPiece(outcome.message)], settings.redact);
    return { ...named, isError: true, pieces: notEmpty(pieces, true), pictures: [], asideBytes: 0 };
  }
  const { isError } = outcome.reply;
  const { pieces, asideBytes } = await replyPieces(outcome.reply, tool, settings);
  const tidied = tidy(pieces, settings.redact);
  if (!isError) return { ...named, isError, pieces: notEmpty(tidied, false), pictures: [], asideBytes };
  const texts = tidied.filter((piece) => piece.type === "text");
  const pictures = tidied.filter((piece) => piece.type === "image");
  return { ...named, isError, pieces: notEmpty(texts, true), pictures, asideBytes };
}

function notEmpty(pieces: readonly Piece[], isError: boolean): readonly Piece[] {
  if (pieces.length > 0) return pieces;
  return [textPiece(isError ? "Tool failed without a message." : emptyResult)];
}
