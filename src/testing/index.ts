export { createTestClock, type TestClock } from "./clock.ts";
export {
  type RecordedRequest,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
  type ScriptedTurn,
  scriptedModel,
} from "./scripted-model.ts";
