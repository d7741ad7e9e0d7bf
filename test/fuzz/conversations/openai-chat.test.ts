import { test } from "vitest";
import { playConversations, playLimitMs } from "./played.ts";

test(
  "openai-chat refuses nothing of arbitrary conversations",
  () => playConversations("openai-chat"),
  playLimitMs,
);
