import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { referenceServer } from "../../fixtures/connections/connect.ts";
import { ofType, runCalls } from "./ask-host.ts";

const everything = { config: { ...referenceServer("everything", "stdio"), sampling: true, roots: ["docs"] } };
const call = (name: string, input: object = {}) => ({ calls: [{ name: `s__${name}`, input }] });

test("the reference server asks for a form of every kind of field, an address, the model and the roots", async () => {
  const asked: ElicitationRequest[] = [];
  const { told, events } = await runCalls(
    everything as never,
    [],
    {
      // Its tools say that they reach outside.
      policy: { rules: ["allow s/*", 'allow s/"sampling/createMessage"'], flows: "off" },
      elicit(request) {
        asked.push(request);
        return request.mode === "url"
          ? { action: "accept" }
          : { action: "accept", content: { name: "Ada", email: "ada@example.com", birthdate: "1815-12-10" } };
      },
    },
    [
      call("trigger-elicitation-request"),
      call("trigger-url-elicitation", { url: "https://example.com/a" }),
      call("trigger-sampling-request", { prompt: "Say something." }),
      { text: "Something." },
      call("get-roots-list"),
    ],
  );
  const [form, url] = asked;
  expect(form?.mode === "form" && form.fields.map(({ name, type }) => [name, type])).toEqual([
    ["name", "string"],
    ["check", "boolean"],
    ["firstLine", "string"],
    ["email", "string"],
    ["homepage", "string"],
    ["birthdate", "string"],
    ["integer", "integer"],
    ["number", "number"],
    ["untitledSingleSelectEnum", "choice"],
    ["untitledMultipleSelectEnum", "choices"],
    ["titledSingleSelectEnum", "choice"],
    ["titledMultipleSelectEnum", "choices"],
    ["legacyTitledEnum", "choice"],
  ]);
  expect(url).toMatchObject({ mode: "url", url: "https://example.com/a" });
  // With the defaults of the fields that were left out.
  expect(told).toContain('"titledMultipleSelectEnum": [\n      "fish-1"\n    ]');
  expect(told).toContain("- Name: Ada");
  expect(told).toContain("User completed the URL elicitation flow");
  expect(told).toContain("Something.");
  expect(told).toMatch(/file:\/\/\/.*\/docs/);
  expect(ofType(events, "elicitation_answered").map(({ action }) => action)).toEqual(["accept", "accept"]);
});

test("the reference server's call that needs an address opened first goes on once it was", async () => {
  const input = { url: "https://example.com/a", errorPath: true };
  const { told, events } = await runCalls(everything as never, [], { elicit: () => ({ action: "accept" }) }, [
    call("trigger-url-elicitation", input),
  ]);
  expect(told).toContain("User completed the URL elicitation flow");
  // First the one that stands before the call, then the call's own.
  expect(ofType(events, "elicitation_requested").map(({ mode }) => mode)).toEqual(["url", "url"]);
}, 20_000);

test("a task of the reference server asks for what it needs in the middle of its work, and goes on with the answer", async () => {
  const asked: ElicitationRequest[] = [];
  const { told } = await runCalls(
    everything as never,
    [],
    {
      elicit(request) {
        asked.push(request);
        return { action: "accept", content: { interpretation: "snake" } };
      },
    },
    [call("simulate-research-query", { topic: "python", ambiguous: true })],
  );
  expect(asked.map(({ mode }) => mode)).toEqual(["form"]);
  expect(told).toContain("Research Report: python (snake)");
});
