import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Resolves once a record in a state folder has this text: what is gathered is written within a moment. */
export async function untilWritten(state: string, text: string): Promise<void> {
  for (;;) {
    const names = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("l"),
    );
    if (names.some((name) => readFileSync(join(state, name), "utf8").includes(text))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
