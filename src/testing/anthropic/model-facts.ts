/** What the API allows with one model. */
export interface ModelFacts {
  /** Values of `thinking.type` that are refused. */
  readonly refusesThinking: ReadonlySet<string>;
  /** `disabled` is refused at the efforts `xhigh` and `max`. */
  readonly thinksAtHighEffort: boolean;
  /** Most tokens of an answer. */
  readonly outputTokens: number;
  /** Tokens that fit into a request with its answer. */
  readonly contextTokens: number;
  /** A request whose input and `max_tokens` do not fit together is refused; newer models cut the answer instead. */
  readonly refusesOverflow: boolean;
  /** Prefixes shorter than this many tokens are not cached. */
  readonly cacheTokens: number;
  /** A conversation may end with words of the assistant. */
  readonly prefill: boolean;
  /** Messages of the role `system` are taken. */
  readonly systemMessages: boolean;
  /** A block of thinking is refused once anything before it has changed. */
  readonly bindsThinking: boolean;
  /** Most images of a request. */
  readonly images: number;
}

const adaptiveOnly = new Set(["enabled", "between_tools"]);
const alwaysOn = new Set(["enabled", "disabled", "between_tools"]);
const manualOnly = new Set(["adaptive", "between_tools"]);

/** A model that nobody described is taken for one of the newest. */
const newest: ModelFacts = {
  refusesThinking: adaptiveOnly,
  thinksAtHighEffort: false,
  outputTokens: 128_000,
  contextTokens: 1_000_000,
  refusesOverflow: false,
  cacheTokens: 512,
  prefill: false,
  systemMessages: true,
  bindsThinking: false,
  images: 600,
};

const gen47: Partial<ModelFacts> = { systemMessages: false, cacheTokens: 2048 };
const gen46: Partial<ModelFacts> = {
  refusesThinking: new Set(["between_tools"]),
  systemMessages: false,
  cacheTokens: 4096,
};
const gen45: Partial<ModelFacts> = {
  refusesThinking: manualOnly,
  systemMessages: false,
  prefill: true,
  outputTokens: 64_000,
  contextTokens: 200_000,
  cacheTokens: 4096,
  images: 100,
};
const gen4: Partial<ModelFacts> = { ...gen45, refusesOverflow: true, cacheTokens: 1024 };

/**
 * Facts by the name of the model without its date, as the API's pages on models, thinking, prompt caching and system
 * messages state them; what those pages do not say of a model is as with its newest relative.
 */
const facts: Readonly<Record<string, Partial<ModelFacts>>> = {
  "claude-fable-5-2": { refusesThinking: alwaysOn, bindsThinking: true },
  "claude-mythos-5-2": { refusesThinking: alwaysOn, bindsThinking: true },
  "claude-fable-5-1": { refusesThinking: alwaysOn, bindsThinking: true },
  "claude-mythos-5-1": { refusesThinking: alwaysOn, bindsThinking: true },
  "claude-opus-5-5": { refusesThinking: alwaysOn },
  "claude-sonnet-5-5": { refusesThinking: new Set(["enabled", "disabled"]) },
  "claude-haiku-5-5": {},
  "claude-fable-5": { refusesThinking: alwaysOn },
  "claude-mythos-5": { refusesThinking: alwaysOn },
  "claude-opus-5": { thinksAtHighEffort: true },
  "claude-sonnet-5": { cacheTokens: 1024, systemMessages: false },
  "claude-opus-4-8": { cacheTokens: 1024 },
  "claude-opus-4-7": gen47,
  "claude-mythos-preview": { ...gen46, refusesThinking: new Set(["disabled", "between_tools"]) },
  "claude-opus-4-6": gen46,
  "claude-sonnet-4-6": { ...gen46, cacheTokens: 1024, outputTokens: 64_000 },
  "claude-opus-4-5": gen45,
  "claude-haiku-4-5": gen45,
  "claude-sonnet-4-5": { ...gen45, cacheTokens: 1024 },
  "claude-opus-4-1": { ...gen4, outputTokens: 32_000 },
  "claude-opus-4": { ...gen4, outputTokens: 32_000 },
  "claude-sonnet-4": gen4,
};

/** What is known of a model by its name, with or without the date of its snapshot. */
export function modelFacts(model: unknown): ModelFacts {
  const name = String(model).replace(/-20\d{6}$/, "");
  return { ...newest, ...(Object.hasOwn(facts, name) ? facts[name] : {}) };
}
