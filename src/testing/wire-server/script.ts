/** The steps that requests are answered with, in order. */
export interface Script<Request, Step> {
  /** The next step, or null when none is left. */
  next(request: Request): Step | null;
  /** Throws when steps are left over, or when a request came that no step was left for. */
  assertDone(): void;
}

/** A list of steps, or a function of the request and its number, from 0. */
export function createScript<Request, Step>(
  turns: readonly Step[] | ((request: Request, index: number) => Step),
): Script<Request, Step> {
  let asked = 0;
  return {
    next(request) {
      const step = typeof turns === "function" ? turns(request, asked) : (turns[asked] ?? null);
      asked += 1;
      return step;
    },
    assertDone() {
      if (typeof turns !== "function" && asked !== turns.length) {
        const [times, steps] = [asked === 1 ? "time" : "times", turns.length === 1 ? "step" : "steps"];
        throw new Error(
          `The simulator was asked ${asked} ${times}; its script has ${turns.length} ${steps}.`,
        );
      }
    },
  };
}
