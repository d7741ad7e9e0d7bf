/** What the models of one generation want. */
export interface GeminiModelFacts {
  /** Calls of the turn under way carry a thought signature (Gemini 3 and later). */
  readonly signsCalls: boolean;
  readonly thinks: boolean;
  /** The response to a call may hold images. */
  readonly resultImages: boolean;
  /** Tokens from which on the implicit cache finds a prefix, as the documentation's table says. */
  readonly cacheMinimum: number;
}

/** The facts of a model's name. A name without a version stands for the newest. */
export function modelFacts(model: string): GeminiModelFacts {
  const version = /^gemini-(?<major>\d+)(?:\.(?<minor>\d+))?(?:-|$)/.exec(model)?.groups;
  const major = version === undefined ? (model.startsWith("gemini-") ? 3 : 0) : Number(version.major);
  const number = major + Number(version?.minor ?? 0) / 10;
  const newest = major >= 3;
  const speaks = /(?:^|-)tts(?:-|$)/.test(model);
  return {
    signsCalls: newest,
    thinks: !speaks && (newest || (number >= 2.5 && !model.includes("image"))),
    resultImages: newest,
    cacheMinimum: newest ? 4_096 : 2_048,
  };
}
