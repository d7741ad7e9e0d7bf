/** What the API may refuse and the simulator does not, or the other way round, with the reason. */
export const unmodelled: readonly { readonly part: string; readonly reason: string }[] = [
  {
    part: "Nesting and size of schemas",
    reason: "The API has limits and publishes none of them.",
  },
  {
    part: "Keywords of parametersJsonSchema that are not listed as supported",
    reason: "The API is seen to take and ignore them; only $schema, which clients strip, is refused here.",
  },
  {
    part: "Cyclic references of required parameters",
    reason: "How far the API unrolls them is not published.",
  },
  {
    part: "A conversation that ends with words of the model",
    reason: "It is seen to be refused by some models and taken by others.",
  },
  {
    part: "Contents of one role in a row",
    reason: "They are one turn here: Google's own chats send a streamed turn back in pieces.",
  },
  {
    part: "Thought signatures of another model",
    reason: "That they are refused is seen in the field and not written down: here they are always.",
  },
  {
    part: "The names of functions between 65 and 128 characters",
    reason: "The documentation allows 128, refusals in the field name 64: here it is 64.",
  },
  {
    part: "The exact number of tokens, and when the implicit cache is hit",
    reason:
      "Four bytes of JSON are a token here, and a prefix is found whenever it is long enough for the model.",
  },
];
