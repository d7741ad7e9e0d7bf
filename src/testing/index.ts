export {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  type SimulatedRequest,
  startAnthropicSimulator,
} from "./anthropic/simulator.ts";
export type { SimulatedBlock, SimulatedFault, SimulatedStep, SimulatedTurn } from "./anthropic/turns.ts";
export { type RequestRefusal, validateMessagesRequest } from "./anthropic/validate.ts";
export type {
  FakeAuthClient,
  FakeAuthServer,
  FakeAuthServerOptions,
  SeenAuthorization,
  SeenTokenRequest,
} from "./auth-server/options.ts";
export { startFakeAuthServer } from "./auth-server/server.ts";
export { createTestClock, type TestClock } from "./clock.ts";
export { type FakeCall, type FakeServer, type FakeTool, fakeServer, textTool } from "./fake-server.ts";
export type { GeminiRefusal } from "./gemini/rules/request-view.ts";
export { type GeminiSimulatorOptions, startGeminiSimulator } from "./gemini/simulator.ts";
export type {
  SimulatedGeminiCall,
  SimulatedGeminiFault,
  SimulatedGeminiPart,
  SimulatedGeminiStep,
  SimulatedGeminiTurn,
} from "./gemini/turns.ts";
export { type GeminiValidationSettings, validateGeminiRequest } from "./gemini/validate.ts";
export {
  type HostileServerCommand,
  type HostileServerOptions,
  hostileServerCommand,
} from "./hostile/command.ts";
export { expandGenerated } from "./hostile/generate.ts";
export { type HostileHttpServer, startHostileHttpServer } from "./hostile/http-server.ts";
export type {
  HostileError,
  HostileScript,
  HostileStep,
  Notification,
  RawPart,
  Seen,
  ServerRequest,
} from "./hostile/script.ts";
export type { HostileCase } from "./hostile/script-of-case.ts";
export { type ContractBehaviour, modelContract } from "./model-contract/contract.ts";
export type {
  ContractCall,
  ContractFault,
  ContractSetup,
  ContractStart,
  ContractStep,
  ContractTurn,
  SeenMessage,
  StartedModel,
} from "./model-contract/setup.ts";
export type { RuleRefusal } from "./openai-chat/rules/request-view.ts";
export type { ChatServerKind } from "./openai-chat/server-kind.ts";
export { type OpenAiChatSimulatorOptions, startOpenAiChatSimulator } from "./openai-chat/simulator.ts";
export type {
  SimulatedChatCall,
  SimulatedChatFault,
  SimulatedChatStep,
  SimulatedChatTurn,
} from "./openai-chat/turns.ts";
export { type ChatValidationSettings, validateChatRequest } from "./openai-chat/validate.ts";
export {
  type OpenAiResponsesSimulatorOptions,
  startOpenAiResponsesSimulator,
} from "./openai-responses/simulator.ts";
export type {
  SimulatedResponseFault,
  SimulatedResponseItem,
  SimulatedResponseStep,
  SimulatedResponseTurn,
} from "./openai-responses/turns.ts";
export { type ResponsesValidationSettings, validateResponsesRequest } from "./openai-responses/validate.ts";
export {
  type RecordedRequest,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
  type ScriptedTurn,
  scriptedModel,
} from "./scripted-model.ts";
export type { NeutralCall, NeutralFault, NeutralStep, NeutralTurn } from "./simulate/neutral-turn.ts";
export { readScript } from "./simulate/read-script.ts";
export {
  type NamedSimulator,
  type NamedSimulatorOptions,
  namedSimulators,
} from "./simulate/simulators.ts";
export type { Simulator, SimulatorOptions } from "./wire-server/server.ts";
