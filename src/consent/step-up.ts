const disguise = /[%\u0080-\uffff]/;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const coded = /%([0-9a-f]{2})/gi;
/** Also where a shell spreads `{a,b}`, or a web server cuts what stands behind `;`, `?` or `#`. */
const steps = /[/\\{},;?#]/;
/** Nothing without this holds a step up: most texts are read no further. */
const dots = /\.\s*\./;
/** A shell reads `a ..` as two words. */
const wordUp = /(?:^|\s)\.\.(?:$|\s)/;

/** The text as the most lenient reader takes it: decoded twice, without what nobody sees, its letters normalised. */
export function lenientReading(text: string): string {
  if (!disguise.test(text)) return text;
  const decode = (text: string) =>
    text.replace(coded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decode(decode(text)).replace(unseen, "").normalize("NFKC");
}

/** Whether a step of a path leads up: to Windows also with spaces and more dots. */
export function isStepUp(step: string): boolean {
  return /^[\s.]+$/.test(step) && /\.\s*\./.test(step);
}

/** The number of steps up in a path as the most lenient reader takes it. */
export function lenientStepsUp(path: string): number {
  return stepsUpIn(path).length;
}

/**
 * Whether a text, which may be a path, a command line or words, holds a step up. It is the answer for paths, but for
 * one: among other words, three dots and more are left out words, or the packages of `go test ./...`.
 */
export function holdsStepUp(text: string): boolean {
  const found = stepsUpIn(text);
  return (
    found.length > 0 && (!/\s/.test(text.trim()) || !found.every((step) => /^\.{3,}$/.test(step.trim())))
  );
}

function stepsUpIn(text: string): readonly string[] {
  const read = lenientReading(text);
  return dots.test(read) ? read.split(steps).filter((step) => isStepUp(step) || wordUp.test(step)) : [];
}
