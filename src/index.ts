export { priceList } from "./budget/price-list.ts";
export { parseCommand, serverIdFromCommand } from "./config/command.ts";
export type { AddedServers, AddServersOptions } from "./config/edit/add-servers.ts";
export { holdsSecret } from "./config/import/secret-text.ts";
export { defaultLimits } from "./config/limits.ts";
export { describeConditions } from "./consent/argument-conditions.ts";
export { type RenderSettings, renderArguments, renderQuestion } from "./consent/render.ts";
export { checkPolicy } from "./consent/replay.ts";
export { HostError, type HostErrorData } from "./errors.ts";
export { openAgreements } from "./host/agreements.ts";
export {
  type AuditedCall,
  type AuditFinding,
  type AuditQuery,
  auditedCalls,
  findAudit,
} from "./host/audit-query.ts";
export {
  type AuditHead,
  auditHeads,
  createAuditKey,
  type VerifyAuditOptions,
  verifyAudit,
} from "./host/audit-report.ts";
export type { LocalModels } from "./host/diagnose/local-models.ts";
export type { ClockFacts, StateFacts } from "./host/diagnose/machine.ts";
export type { ServerDiagnosis, ServersDiagnosis } from "./host/diagnose/servers.ts";
export { type AuditFacts, type DiagnoseOptions, type Diagnosis, diagnose } from "./host/diagnose.ts";
export { checkElicitation } from "./host/elicit-check.ts";
export { type ExplainOptions, explainOffline } from "./host/explain-offline.ts";
export {
  type GrantList,
  listGrants,
  type RevokeGrantsOptions,
  type RevokeReport,
  revokeGrants,
} from "./host/grants.ts";
export { hostOptions } from "./host/host-options.ts";
export {
  addServers,
  configFile,
  createConfigFile,
  findServers,
  importHosts,
} from "./host/import-servers.ts";
export { type LoadConfigOptions, loadConfig } from "./host/load-config.ts";
export {
  type LogInOptions,
  type Login,
  type LoginOptions,
  type LogOutReport,
  listLogins,
  logIn,
  logOut,
  logOutEverywhere,
} from "./host/logins.ts";
export {
  checkPolicyLog,
  type PolicyLogChange,
  type PolicyLogOptions,
  type PolicyLogReport,
} from "./host/policy-log.ts";
export { allowRulesOf } from "./host/rules-of-server.ts";
export { settingsPaths } from "./host/settings-paths.ts";
export {
  type ListConversationsOptions,
  listConversations,
  type PurgeConversationsOptions,
  purgeConversations,
  type StateOptions,
} from "./host/stored-conversations.ts";
export { createHost } from "./host.ts";
export {
  fromLanguageModel,
  type LanguageModelSettings,
} from "./models/language-model/from-language-model.ts";
export type {
  LanguageModel,
  LanguageModelCall,
  LanguageModelStream,
} from "./models/language-model/language-model.ts";
export type { AuditRecord, LogOpened } from "./stores/audit-record.ts";
export type { StoredConversation } from "./stores/journal-list.ts";
export type { PurgeReport } from "./stores/purge.ts";
export type { AuditFileReport, AuditReport } from "./stores/verify.ts";
export type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalRequest,
  ApprovalScope,
  Approver,
} from "./types/approval.ts";
export type { AuditEntry, AuditOptions, AuditSink } from "./types/audit.ts";
export type {
  AuthorizationRequest,
  Authorize,
  IdentityProvider,
  ProofKey,
  ServerAuth,
  StoredClient,
  StoredLogin,
  StoredTokens,
  TokenStore,
} from "./types/auth.ts";
export type {
  HostOptions,
  HostTransport,
  HttpServerConfig,
  Limits,
  PolicyConfig,
  ServerConfig,
  ServerSecret,
  StdioServerConfig,
  TransportServerConfig,
} from "./types/config.ts";
export type {
  DefinitionStore,
  DefinitionsKind,
  DefinitionsOf,
  DefinitionsReading,
  DefinitionThen,
  KeptDefinitions,
  KeptTool,
} from "./types/definitions.ts";
export type { DriftOptions, HostDrift, ServerDrift, ToolDrift } from "./types/drift.ts";
export type {
  AskingCall,
  ElicitationAnswer,
  ElicitationAsked,
  ElicitationField,
  ElicitationOption,
  ElicitationRequest,
  Elicitor,
} from "./types/elicitation.ts";
export type { ErrorSummary, HostErrorCode } from "./types/error.ts";
export type { EventVersion, RunEvent, RunResult, ServerLog, ServerStatus, Stop } from "./types/events.ts";
export type {
  FindServersOptions,
  FoundServer,
  FoundServers,
  ImportHost,
  ServerSource,
  WrittenServer,
} from "./types/found-servers.ts";
export type {
  ArgumentCondition,
  GrantBinding,
  GrantedTool,
  GrantStore,
  StoredGrant,
} from "./types/grants.ts";
export type {
  CallResult,
  Conversation,
  ConversationOptions,
  Host,
  Run,
  RunInput,
  RunOptions,
} from "./types/host.ts";
export type {
  CompleteOptions,
  HostOffers,
  OfferListOptions,
  OfferOptions,
  ReadOptions,
} from "./types/host-offers.ts";
export type { Journal, JournalReading, JournalRecord, JournalVersion } from "./types/journal.ts";
export type { Json, JsonObject } from "./types/json.ts";
export type {
  AssistantMessage,
  ImageBlock,
  ImageMediaType,
  Message,
  NativeTurn,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserMessage,
} from "./types/message.ts";
export type {
  Model,
  ModelCapabilities,
  ModelEvent,
  ModelRequest,
  ModelResponse,
  StopReason,
  Usage,
} from "./types/model.ts";
export type { DecisionSource } from "./types/outcome.ts";
export type {
  CallFacts,
  PolicyChange,
  PolicyCheck,
  PolicyCheckSettings,
  PolicyExplanation,
  PolicyRules,
  PolicyStep,
  ReadSource,
  ResultLabels,
  RuleReading,
  RunReads,
  ShadowVerdict,
} from "./types/policy.ts";
export type { ListedPrice, ModelPrice, RunCost, TokenPrices } from "./types/price.ts";
export type {
  ArgumentCompletion,
  CompletionReference,
  FilledPrompt,
  PromptMessage,
  ServerPrompt,
  ServerPromptArgument,
} from "./types/prompt.ts";
export type {
  LeftOutEntry,
  ResourceContents,
  ResourceReading,
  ServerListing,
  ServerResource,
  ServerResourceTemplate,
} from "./types/resource.ts";
export type {
  Agreement,
  Agreements,
  ConfigFile,
  ConfiguredServer,
  LoadedConfig,
  PolicySettings,
  Setting,
  SettingOrigin,
  SettingsPaths,
  VariableUse,
} from "./types/settings.ts";
export type { Memo, SpillStore, Stores } from "./types/stores.ts";
export type {
  SpanAttributes,
  SpanIdentity,
  SpanValue,
  TelemetryOptions,
  TelemetrySpan,
  TelemetryTracer,
  TraceContext,
} from "./types/telemetry.ts";
export type {
  CatalogTool,
  CatalogWarning,
  QuarantinedTool,
  ReadMethod,
  ServerTool,
  ToolAnnotations,
  ToolCall,
  ToolRoute,
  ToolSnapshot,
  ToolsBehindSearch,
} from "./types/tool.ts";
