import { expect, test } from "vitest";
import type { Model } from "../types/model.ts";
import { apiOfModel, type SelectableApi, selectModel } from "./select.ts";

function made(api: string): (name: string) => Model {
  return (name) => ({
    api,
    name,
    capabilities: { toolResultImages: false, offline: api === "offline" },
    async *stream() {},
  });
}

function selectable(keys: { readonly anthropic: boolean; readonly openrouter: boolean }) {
  const api = (name: string, ready: boolean): SelectableApi => ({
    keyVariable: `${name.toUpperCase()}_API_KEY`,
    ready,
    make: made(name),
  });
  return {
    apis: {
      anthropic: api("anthropic", keys.anthropic),
      openrouter: api("openrouter", keys.openrouter),
      ollama: api("ollama", true),
    },
    offline: () => made("offline")("offline"),
  };
}

const all = selectable({ anthropic: true, openrouter: true });
const none = selectable({ anthropic: false, openrouter: false });
const nameOf = ({ api, name }: Model): string => `${api} ${name}`;

test("a model is named by its API and a name that may hold slashes and colons", () => {
  expect(nameOf(selectModel("anthropic/claude-opus-5", all))).toBe("anthropic claude-opus-5");
  expect(nameOf(selectModel("claude-opus-5", all))).toBe("anthropic claude-opus-5");
  expect(nameOf(selectModel("openrouter/qwen/qwen3:free", all))).toBe("openrouter qwen/qwen3:free");
  expect(apiOfModel("ollama/hf.co/a/b:Q4_K_M")).toEqual({ api: "ollama", model: "hf.co/a/b:Q4_K_M" });
});

test("without a name Claude answers when there is a key, and else the offline model", () => {
  expect(selectModel(undefined, all).api).toBe("anthropic");
  expect(selectModel(undefined, none).api).toBe("offline");
  expect(selectModel("offline", all).api).toBe("offline");
});

test("a server of one's own is used only when it is named, without a key", () => {
  expect(nameOf(selectModel("ollama/qwen3", none))).toBe("ollama qwen3");
});

test("a slip in the name of an API is told with what was meant", () => {
  expect(() => selectModel("olama/qwen3", all)).toThrow(
    /^There is no model "olama\/qwen3"\. Known are .*, and offline\. Did you mean "ollama\/qwen3"\?$/,
  );
  expect(() => selectModel("other/qwen3", all)).toThrow('There is no model "other/qwen3". Known');
});

test("a model that needs a key says which variable, and one of no API names those there are", () => {
  expect(() => selectModel("openrouter/a/b", none)).toThrow("set OPENROUTER_API_KEY");
  for (const name of ["gpt-4o", "constructor/x", "__proto__/x", "ollama/", "/x", "x y/z"]) {
    expect(() => selectModel(name, all)).toThrow("Known are anthropic/NAME, openrouter/NAME, ollama/NAME");
  }
});
