/** What the models of one generation do differently from the others. */
export interface GeminiFamily {
  /** Whether calls of the turn under way must carry a thought signature (Gemini 3 and later). */
  readonly signsCalls: boolean;
  /** Whether `thinkingConfig` is taken; elsewhere the field is refused. */
  readonly thinks: boolean;
  /** Whether a function's response may hold images itself (Gemini 3 and later); else they follow it. */
  readonly resultImages: boolean;
}

const newest: GeminiFamily = { signsCalls: true, thinks: true, resultImages: true };
const plain: GeminiFamily = { signsCalls: false, thinks: false, resultImages: false };

/** The family of a model's name. Names without a version, such as `gemini-flash-latest`, stand for the newest. */
export function familyOf(model: string): GeminiFamily {
  const bare = model.replace(/^models\//, "");
  if (!bare.startsWith("gemini-")) return plain;
  const version = /^gemini-(?<major>\d{1,3})(?:\.(?<minor>\d{1,3}))?(?:-|$)/.exec(bare)?.groups;
  const thinks = !/(?:^|-)tts(?:-|$)/.test(bare);
  if (version === undefined || Number(version.major) >= 3) return { ...newest, thinks };
  const second = version.major === "2" && Number(version.minor ?? 0) >= 5;
  return { ...plain, thinks: second && thinks && !bare.includes("image") };
}
