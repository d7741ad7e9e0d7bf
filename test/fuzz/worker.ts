import { type Order, runBatch } from "./batch.ts";
import { neighbourhoods } from "./neighbourhoods/all.ts";

/** Rules that nothing comes near, with their reasons. */
const never = Object.fromEntries(
  Object.entries(neighbourhoods).map(([api, rules]) => [
    api,
    Object.entries(rules).flatMap(([rule, near]) => ("never" in near ? [[rule, near.never] as const] : [])),
  ]),
);

process.on("message", (order: Order) => {
  runBatch(order).then(
    (result) => process.send?.(result),
    (thrown: unknown) => {
      console.error(thrown);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.({ never });
