/** What the API refuses and the simulator does not, with the reason. */
export const unmodelled: readonly { readonly part: string; readonly reason: string }[] = [
  {
    part: "the values of text, tool_choice, truncation, metadata, service_tier and other settings",
    reason: "Their kinds are many and the adapter sends none of them; an unknown field is refused.",
  },
  {
    part: "organizations that are not verified",
    reason: "The simulator knows one organization, which may have summaries of reasoning.",
  },
  {
    part: "items of tools of the API's own",
    reason: "It offers none here; such an item is known by its type, and its members are believed.",
  },
  {
    part: "the exact number of tokens",
    reason: "The simulator counts four bytes of JSON as one token, whatever the model.",
  },
];
