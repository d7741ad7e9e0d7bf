import { expect, test } from "vitest";
import type { RunEvent } from "../types/events.ts";
import { createCatalogNews } from "./catalog-news.ts";
import type { DefinitionWatch } from "./definition-watch.ts";
import type { DefinitionNews } from "./watched-definitions.ts";

const read = { server: "notes", tool: "read" };
const changes = { added: [], removed: [], changed: [read] };
const news = { since: "2026-11-29T08:00:00.000Z", added: [], changed: [read] };

/** The events of a conversation whose looks find this, one after another. */
function telling(...found: readonly (readonly DefinitionNews[])[]) {
  const events: RunEvent[] = [];
  const left = [...found];
  const definitions = { look: async () => left.shift() ?? [] } as unknown as DefinitionWatch;
  return {
    events,
    ...createCatalogNews(
      definitions,
      (event) => void events.push(event),
      () => [],
    ),
  };
}

test("what the first list shows to have changed since an earlier run is told with that list, as no list was before it", async () => {
  const { look, events } = telling([news]);
  await look([]);
  expect(events).toEqual([{ type: "tools_changed", ...changes, ...news }]);
});

test("where the first list was a remembered one, the change is told once: with the list that takes its place", async () => {
  const { look, changed, events } = telling([], [news]);
  await look([]);
  await look([]);
  expect(events).toEqual([]);
  changed(changes);
  expect(events).toEqual([{ type: "tools_changed", since: news.since, ...changes }]);
});
