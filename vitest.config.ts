import { defineConfig, type ViteUserConfigExport } from "vitest/config";

const config: ViteUserConfigExport = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/support/sealed-home.ts"],
    setupFiles: ["test/support/nothing-left.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // Files of one worker share what they import, which halves the time of all: each puts back what it changed.
    isolate: false,
    // Most tests wait for processes that they started, so one worker more than cores.
    maxWorkers: 3,
  },
});

export default config;
