import { test } from "vitest";
import { playConversations, playLimitMs } from "./played.ts";

test("gemini refuses nothing of arbitrary conversations", () => playConversations("gemini"), playLimitMs);
