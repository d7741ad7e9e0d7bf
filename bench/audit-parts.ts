// What the benchmark of the audit log measures, in one bundle.
export { createRecorder } from "../src/audit/recorder.ts";
export { createSecrets } from "../src/audit/secrets.ts";
export { openFileStores } from "../src/stores/file-stores.ts";
export { systemClock } from "../src/util/clock.ts";
export { keyedHashHex } from "../src/util/hash.ts";
