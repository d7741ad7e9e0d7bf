import { expect, test } from "vitest";
import { noUsage } from "../../util/usage.ts";
import { type AnswerReader, readAnswer } from "./answer.ts";

test("what stands behind the end of an answer is not read", async () => {
  const taken: string[] = [];
  const response = { message: { role: "assistant", content: [] }, stopReason: "end_turn" } as const;
  const answer: AnswerReader = {
    take(payload) {
      taken.push(payload);
      return [];
    },
    get ended() {
      return taken.includes("end");
    },
    usage: () => noUsage,
    response: () => ({ ...response, rawStopReason: "end_turn", usage: noUsage }),
  };
  const body = new Blob(["data: one\n\ndata: end\n\ndata: [DONE]\n\n"]).stream();
  const read = readAnswer(body, answer, {
    emit: () => {},
    onActivity: () => {},
    patience: async (end) => void (await end),
    onUsage: () => {},
  });
  expect((await read).stopReason).toBe("end_turn");
  expect(taken).toEqual(["one", "end"]);
});
