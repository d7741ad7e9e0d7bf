import type { DoctorCommand } from "../../commands/doctor.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const doctorSpec: CommandEntry = defineCommand<DoctorCommand>({
  name: "doctor",
  section: "Set up",
  summary: "look at everything that is needed here, and say what to do",
  words: [],
  options: [{ name: "json", help: "write the report as one JSON document" }, ...serverOptions],
  about: [
    "Looks at Node, the config files, the model keys and local model servers, the clock and the disk; starts every server once and says how long that took, what it speaks, and, when it failed, its exit code and last words. It changes nothing.",
  ],
  example: "drawbridge doctor",
  exits: { answered: "all is well", failed: true, usage: true, serverDown: true, interrupted: true },
  read: (words) => ({ json: words.has("json"), flags: readHostFlags(words) }),
  load: async () => (await import("../../commands/doctor.ts")).runDoctor,
});
