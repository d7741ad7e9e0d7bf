/** What tokens of one model cost, US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Default: that of input. */
  readonly cacheRead?: number;
  /** For entries of the shortest life that the API has. Default: that of input. */
  readonly cacheWrite?: number;
}

/** The prices of one model. */
export interface ModelPrice extends TokenPrices {
  /** For all tokens of a request whose prompt, with what the cache held, is longer than this. */
  readonly long?: TokenPrices & { readonly overTokens: number };
}

/** A published price with where and when it was read. */
export interface ListedPrice extends ModelPrice {
  /** `YYYY-MM` */
  readonly asOf: string;
  readonly source: string;
}

/** What a run cost. */
export interface RunCost {
  /** US dollars, of the requests whose price is known. */
  readonly usd: number;
  /** Requests whose price is not known: they are not in `usd`. */
  readonly unpriced: number;
}
