/** The stream ended, or could not be read, before the answer was complete. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** The API reported an error in the middle of a stream. */
export class StreamErrorEvent extends Error {
  override readonly name = "StreamErrorEvent";
  readonly meaning: "overloaded" | "rate_limited" | "rejected" | "other";

  constructor(message: string, meaning: StreamErrorEvent["meaning"]) {
    super(message === "" ? "an error without a message" : message);
    this.meaning = meaning;
  }
}

/** The API, or something in front of it, answered with something that is no stream. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
}
