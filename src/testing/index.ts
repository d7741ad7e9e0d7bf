export {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  type SimulatedRequest,
  startAnthropicSimulator,
} from "./anthropic/simulator.ts";
export type { SimulatedBlock, SimulatedFault, SimulatedStep, SimulatedTurn } from "./anthropic/turns.ts";
export { type RequestRefusal, validateMessagesRequest } from "./anthropic/validate.ts";
export { createTestClock, type TestClock } from "./clock.ts";
export {
  type RecordedRequest,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
  type ScriptedTurn,
  scriptedModel,
} from "./scripted-model.ts";
