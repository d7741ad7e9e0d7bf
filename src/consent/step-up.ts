const disguise = /[%\u0080-\uffff]/;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const coded = /%([0-9a-f]{2})/gi;
/** Also where a shell spreads `{a,b}`, or a web server cuts what stands behind `;`. */
const steps = /[/\\{},;]/;

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
  return lenientReading(path).split(steps).filter(isStepUp).length;
}
