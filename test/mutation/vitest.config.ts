import { defineConfig, type ViteUserConfigExport } from "vitest/config";

/** The tests that look at decisions and their records, in one process: thousands of changes are tried. */
const config: ViteUserConfigExport = defineConfig({
  test: {
    include: ["src/{consent,audit}/**/*.test.ts", "test/{attacks,consent,audit}/**/*.test.ts"],
    // Whoever starts programs looks at what was built, which is never changed.
    exclude: ["test/attacks/processes/**"],
    globalSetup: ["test/support/sealed-home.ts"],
    testTimeout: 30_000,
  },
});

export default config;
