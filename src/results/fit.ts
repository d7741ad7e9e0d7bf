import type { Limits } from "../types/config.ts";
import type { ImageBlock, TextBlock } from "../types/message.ts";
import type { MappedResult } from "../types/ports.ts";
import { count } from "../util/one-line.ts";
import { utf8Length } from "../util/utf8.ts";
import type { KeepAside } from "./aside.ts";
import { cutJson } from "./cut-json.ts";
import { cutPage, cutText } from "./cut-text.ts";
import type { Draft } from "./draft.ts";
import { countLines, lineWidth } from "./lines.ts";
import type { Piece } from "./piece.ts";
import { share } from "./share.ts";

/** Room for the note that says where the full output is. */
const noteBytes = 240;
/** A result is never cut to less: the note itself needs room. */
const leastTokens = 128;

/** A cut text has a marker, so a smaller one would hold nothing else. */
const leastPieceBytes = 400;
/** Price of the line that stands for a picture over the budget. */
const leftOutTokens = 32;

/** A draft with its sizes, measured once. */
export interface Measured {
  readonly draft: Draft;
  readonly textBytes: number;
  readonly pictureTokens: number;
  /** Tokens of the whole: a quarter of its UTF-8 bytes and the price of its pictures. */
  readonly tokens: number;
}

const imagesOf = (draft: Draft) =>
  [...draft.pieces, ...draft.pictures].filter((piece) => piece.type === "image");

/** Bytes of all texts. */
const bytesOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + (piece.type === "text" ? utf8Length(piece.text) : 0), 0);

export function measure(draft: Draft): Measured {
  const textBytes = bytesOf(draft.pieces);
  const images = imagesOf(draft);
  const pictureTokens = images.reduce((sum, image) => sum + image.tokens, 0);
  return { draft, textBytes, pictureTokens, tokens: Math.ceil(textBytes / 4) + pictureTokens };
}

/** What each result of a turn may cost: the limit of one result, and a fair part of the turn's. */
export function allowances(turn: readonly Measured[], limits: Limits): number[] {
  const wanted = turn.map((one) => Math.min(one.tokens, limits.outputTokensPerResult));
  return share(wanted, limits.outputTokensPerTurn).map((part, index) =>
    Math.max(part, Math.min(turn[index]?.tokens ?? 0, leastTokens)),
  );
}

const leftOut = (label: string): Piece => ({
  type: "text",
  text: `[Image left out, over the output budget: ${label}]`,
});

/** Pictures in their order, as long as they fit; the others become a line of text. */
function affordable(pieces: readonly Piece[], room: { tokens: number }): Piece[] {
  return pieces.map((piece) => {
    if (piece.type === "text") return piece;
    if (piece.tokens > room.tokens) return leftOut(piece.label);
    room.tokens -= piece.tokens;
    return piece;
  });
}

/** All texts as one where their shares would be too small to say anything. */
function cuttable(pieces: readonly Piece[], room: number): readonly Piece[] {
  const texts = pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : []));
  if (room / texts.length >= leastPieceBytes) return pieces;
  return [{ type: "text", text: texts.join("\n") }, ...pieces.filter((piece) => piece.type === "image")];
}

/** The texts cut to so many bytes altogether, small ones whole; `gap` is where the first cut begins in a lone text. */
function cutTexts(pieces: readonly Piece[], room: number, paged: boolean): { pieces: Piece[]; gap: number } {
  const sizes = pieces.map((piece) => (piece.type === "text" ? utf8Length(piece.text) : 0));
  const shares = share(sizes, room);
  let gap = 0;
  const cut = pieces.map((piece, index): Piece => {
    const most = shares[index] ?? 0;
    if (piece.type === "image" || (sizes[index] ?? 0) <= most) return piece;
    if (paged) return { type: "text", text: cutPage(piece.text, sizes[index] ?? 0, most) };
    const json = cutJson(piece.text, most);
    if (json !== null) return { type: "text", text: json };
    const shortened = cutText(piece.text, sizes[index] ?? 0, most);
    if (pieces.length === 1) gap = shortened.gap;
    return { type: "text", text: shortened.text };
  });
  return { pieces: cut, gap };
}

async function note(pieces: readonly Piece[], gap: number, limits: Limits, keep: KeepAside): Promise<Piece> {
  const full = pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n");
  const width = lineWidth(limits);
  const size = `${count(utf8Length(full))} bytes, ${count(countLines(full, width))} lines`;
  const kept = await keep(full, gap === 0 ? 1 : countLines(full, width, gap + 1));
  return { type: "text", text: `Full output (${size}) ${kept}` };
}

const block = (piece: Piece): TextBlock | ImageBlock =>
  piece.type === "text" ? { type: "text", text: piece.text } : piece.image;

const blockBytes = (given: TextBlock | ImageBlock): number =>
  given.type === "text" ? utf8Length(given.text) : given.data.length;

/** A result within its allowance, and the pictures of a failed call that go behind the turn's last result. */
export interface Fitted {
  readonly result: MappedResult;
  readonly trailing: readonly (TextBlock | ImageBlock)[];
}

function fitted(measured: Measured, pieces: readonly Piece[], pictures: readonly Piece[]): Fitted {
  const { draft } = measured;
  const content = pieces.map(block);
  const trailing = pictures.flatMap((piece): (TextBlock | ImageBlock)[] =>
    piece.type === "text"
      ? [block(piece)]
      : [{ type: "text", text: `Image of the failed call ${draft.callId} (${draft.alias}):` }, piece.image],
  );
  const given = [...content, ...trailing].reduce((sum, one) => sum + blockBytes(one), 0);
  const images = imagesOf(draft);
  const whole = measured.textBytes + images.reduce((sum, piece) => sum + piece.image.data.length, 0);
  return {
    result: {
      block: { type: "tool_result", callId: draft.callId, content, isError: draft.isError },
      keptBytes: given,
      cutBytes: draft.asideBytes + Math.max(0, whole - given),
    },
    trailing,
  };
}

/** Brings a result within its allowance: pictures first, at most half of it while there is text, then the texts. */
export async function fitResult(
  measured: Measured,
  allowance: number,
  limits: Limits,
  keep: KeepAside,
): Promise<Fitted> {
  const { draft } = measured;
  if (measured.tokens <= allowance) return fitted(measured, draft.pieces, draft.pictures);
  const forText = Math.min(
    Math.ceil(measured.textBytes / 4) + imagesOf(draft).length * leftOutTokens,
    Math.floor(allowance / 2),
  );
  const room = { tokens: allowance - forText };
  const pieces = affordable(draft.pieces, room);
  const pictures = affordable(draft.pictures, room);
  const textRoom = (forText + room.tokens) * 4;
  const textBytes = bytesOf(pieces);
  if (textBytes <= textRoom) return fitted(measured, pieces, pictures);
  const cut = cutTexts(cuttable(pieces, textRoom), textRoom - noteBytes, draft.paged);
  const last = draft.paged
    ? "This page did not fit into the turn's output budget: read fewer pages at once, or set a smaller limit."
    : await note(draft.pieces, cut.gap, limits, keep);
  const noted: Piece = typeof last === "string" ? { type: "text", text: last } : last;
  return fitted(measured, [...cut.pieces, noted], pictures);
}
