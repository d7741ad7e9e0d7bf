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
  firstRefusal(cacheable(request), ({ path, item }) => {
    const control = item.cache_control;
    if (control === undefined || control === null) return null;
    if (!isObject(control)) return `${path}.cache_control: Input should be a valid dictionary`;
    if (control.type !== "ephemeral") return `${path}.cache_control.type: Input should be 'ephemeral'`;
    if (control.ttl !== undefined && control.ttl !== "5m" && control.ttl !== "1h") {
      return `${path}.cache_control.ttl: Input should be '5m' or '1h'`;
    }
    const extra = Object.keys(control).find((name) => name !== "type" && name !== "ttl");
    return extra === undefined ? null : `${path}.cache_control.${extra}: Extra inputs are not permitted`;
  });

/** Rule 19: at most four breakpoints. */
export const fewBreakpoints: Rule = (request) => {
  const found = cacheable(request).filter(({ item }) => isObject(item.cache_control)).length;
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : null;
};
