import { test } from "vitest";
import { playConversations, playLimitMs } from "./played.ts";

test(
  "anthropic refuses nothing of arbitrary conversations",
  () => playConversations("anthropic"),
  playLimitMs,
);
