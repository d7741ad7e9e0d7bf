import { cutToColumns } from "../../../util/columns.ts";
import { visibleLine } from "../../../util/visible.ts";
import { routeText } from "../../show/render-events.ts";
import type { ChatCommandSpec } from "./command.ts";

const mostShown = 20;

export const auditCommand: ChatCommandSpec = {
  name: "/audit",
  summary: "the last decisions about calls, and where the log is",
  run(_argument, { session, paint, columns, print }) {
    const { decisions, host } = session;
    if (decisions.length === 0) print("No call was decided in this conversation yet.");
    for (const { route, decided } of decisions.slice(-mostShown)) {
      const mark = decided.decision === "allow" ? paint("green", "✓") : paint("red", "✗");
      print(`${mark} ${cutToColumns(`${routeText(route)} · ${visibleLine(decided.reason)}`, columns - 2)}`);
    }
    if (decisions.length > mostShown) print(paint("dim", `  (the last ${mostShown} of ${decisions.length})`));
    const { auditLocation } = host;
    if (auditLocation === null) return undefined;
    print(paint("dim", `Audit log: ${visibleLine(auditLocation)}`));
    print(paint("dim", "To check that nobody changed it: drawbridge audit verify"));
    return undefined;
  },
};
