import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";

/** A schema document: the root, or a part with an id of its own. */
interface SchemaResource {
  readonly root: Json;
  readonly id: string;
  readonly anchors: Map<string, Json>;
}

/** Where the parts of one schema are, so that references are followed inside it and nowhere else. */
export interface SchemaIndex {
  /** What a reference that stands in `from` points to, or undefined when this schema does not hold it. */
  follow(from: JsonObject, reference: string): Json | undefined;
}

/** Keywords whose values are plain JSON, never schemas: an `$id` in them names nothing. */
const plainValues = new Set(["const", "enum", "default", "examples", "example"]);

/** Finds every id and anchor of a schema in one pass. */
export function indexSchema(schema: JsonObject): SchemaIndex {
  const main: SchemaResource = { root: schema, id: "", anchors: new Map() };
  const resources = new Map<string, SchemaResource>([["", main]]);
  const resourceOf = new WeakMap<object, SchemaResource>();
  visit(schema, main);

  function visit(node: Json, parent: SchemaResource): void {
    if (typeof node !== "object" || node === null) return;
    const resource = isObject(node) ? enter(node, parent, resources) : parent;
    resourceOf.set(node, resource);
    for (const [key, member] of Object.entries(node)) {
      if (!plainValues.has(key)) visit(member, resource);
    }
  }

  return {
    follow(from, reference) {
      const here = resourceOf.get(from) ?? main;
      const [uri = "", ...rest] = reference.split("#");
      const fragment = rest.join("#");
      const there = uri === "" ? here : (resources.get(resolveUri(uri, here.id)) ?? resources.get(uri));
      if (there === undefined || fragment === "") return there?.root;
      return fragment.startsWith("/") ? pointed(there.root, fragment) : there.anchors.get(fragment);
    },
  };
}

function enter(
  node: JsonObject,
  parent: SchemaResource,
  resources: Map<string, SchemaResource>,
): SchemaResource {
  const id = own(node, "$id") ?? own(node, "id");
  let resource = parent;
  if (typeof id === "string" && id.startsWith("#")) parent.anchors.set(id.slice(1), node);
  else if (typeof id === "string") {
    const absolute = resolveUri(id.replace(/#$/, ""), parent.id);
    resource = { root: node, id: absolute, anchors: new Map() };
    for (const name of [absolute, id]) if (!resources.has(name)) resources.set(name, resource);
  }
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const anchor = own(node, keyword);
    if (typeof anchor === "string") resource.anchors.set(anchor, node);
  }
  return resource;
}

function resolveUri(uri: string, base: string): string {
  if (base === "") return uri;
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function pointed(root: Json, pointer: string): Json | undefined {
  let node: Json | undefined = root;
  for (const part of pointer.slice(1).split("/")) {
    if (typeof node !== "object" || node === null) return undefined;
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    node = Array.isArray(node) ? node[Number(key)] : isObject(node) ? own(node, key) : undefined;
  }
  return node;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
