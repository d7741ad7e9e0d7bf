import { test } from "vitest";
import { playConversations, playLimitMs } from "./played.ts";

test(
  "openai-responses refuses nothing of arbitrary conversations",
  () => playConversations("openai-responses"),
  playLimitMs,
);
