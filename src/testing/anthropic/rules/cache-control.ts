import { isObject } from "../../../util/own.ts";
import { allBlocksOf, firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

/** Everything that can hold a breakpoint, in the order in which the API reads it. */
function cacheable(request: WireObject): { readonly path: string; readonly item: WireObject }[] {
  return [
    ...objectsOf(request.tools).map((item, index) => ({ path: `tools.${index}`, item })),
    ...objectsOf(request.system).map((item, index) => ({ path: `system.${index}`, item })),
    ...allBlocksOf(request).map(({ path, block }) => ({ path, item: block })),
  ];
}

/** A breakpoint is `{"type": "ephemeral"}`, with a `ttl` of 5m or 1h, and not on a block of thinking. */
export const cacheControlShapes: Rule = (request) =>
  controlShape("", request.cache_control) ??
  firstRefusal(cacheable(request), ({ path, item }) => controlShape(`${path}.`, item.cache_control));

function controlShape(path: string, control: unknown): string | null {
  if (control === undefined || control === null) return null;
  if (!isObject(control)) return `${path}cache_control: Input should be a valid dictionary`;
  if (control.type !== "ephemeral") return `${path}cache_control.type: Input should be 'ephemeral'`;
  if (control.ttl !== undefined && control.ttl !== "5m" && control.ttl !== "1h") {
    return `${path}cache_control.ttl: Input should be '5m' or '1h'`;
  }
  const extra = Object.keys(control).find((name) => name !== "type" && name !== "ttl");
  return extra === undefined ? null : `${path}cache_control.${extra}: Extra inputs are not permitted`;
}

/** Rule 19: at most four breakpoints. */
export const fewBreakpoints: Rule = (request) => tooMany(breakpoints(request).length);

/** Rule 20: breakpoints that last an hour come before those that last five minutes. */
export const breakpointOrder: Rule = (request) => {
  let short = false;
  return firstRefusal(breakpoints(request), ({ path, ttl }) => {
    if (ttl === "1h" && short) {
      return (
        `${path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control ` +
        "block. Note that blocks are processed in the following order: tools, system, messages."
      );
    }
    short ||= ttl === "5m";
    return null;
  });
};

/** Rule 21: the automatic breakpoint lasts as long as one that its block has already. */
export const automaticLifetime: Rule = (request) => {
  const last = cacheable(request).at(-1)?.item.cache_control;
  if (!isObject(request.cache_control) || !isObject(last)) return null;
  const [automatic, explicit] = [lifetime(request.cache_control), lifetime(last)];
  return automatic === explicit
    ? null
    : `Top-level cache_control has ttl='${automatic}' but the target block already has cache_control with ttl='${explicit}'`;
};

/** Rule 21: the automatic breakpoint needs one of the four places, unless its block has one already. */
export const automaticPlace: Rule = (request) => {
  const last = cacheable(request).at(-1)?.item.cache_control;
  if (!isObject(request.cache_control) || isObject(last)) return null;
  return tooMany(breakpoints(request).length + 1);
};

function breakpoints(request: WireObject): { readonly path: string; readonly ttl: string }[] {
  return cacheable(request).flatMap(({ path, item }) =>
    isObject(item.cache_control) ? [{ path, ttl: lifetime(item.cache_control) }] : [],
  );
}

function lifetime(control: WireObject): string {
  return String(control.ttl ?? "5m");
}

function tooMany(found: number): string | null {
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : null;
}
