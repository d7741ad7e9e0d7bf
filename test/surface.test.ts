import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as library from "../src/index.ts";
import * as testing from "../src/testing/index.ts";
import { version } from "../src/version.ts";

const root = join(import.meta.dirname, "..");

interface Surface {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** What an index file exports by name. It may hold nothing but lists of names, or this would not see all of it. */
function surfaceOf(path: string): Surface {
  const source = readFileSync(join(root, path), "utf8");
  const lists = /export (type )?\{([^}]*)\} from "[^"]+";\n/g;
  expect(source.replace(lists, "").trim()).toBe("");
  const names = [...source.matchAll(lists)].flatMap(([, onlyTypes, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (onlyTypes === undefined ? name : `type ${name}`)),
  );
  const isType = (name: string) => name.startsWith("type ");
  return {
    values: names.filter((name) => !isType(name)).sort(),
    types: names
      .filter(isType)
      .map((name) => name.slice("type ".length))
      .sort(),
  };
}

const words = (text: string) => text.trim().split(/\s+/).sort();

test("drawbridge-mcp exports these names and no others", () => {
  const { values, types } = surfaceOf("src/index.ts");
  expect(values).toEqual(
    words(`
      HostError addServers allowRulesOf auditHeads auditedCalls checkElicitation checkPolicy checkPolicyLog explainOffline configFile createAuditKey createConfigFile createHost defaultLimits diagnose fromLanguageModel
      findAudit findServers holdsSecret hostOptions importHosts listConversations listGrants loadConfig openAgreements parseCommand
      listLogins logIn logOut logOutEverywhere
      priceList purgeConversations revokeGrants describeConditions renderArguments renderQuestion serverIdFromCommand settingsPaths verifyAudit
    `),
  );
  expect(types).toEqual(
    words(`
      AuthorizationRequest Authorize IdentityProvider ProofKey ServerAuth StoredClient StoredLogin StoredTokens TokenStore Login LoginOptions LogInOptions LogOutReport
      AskingCall ElicitationAnswer ElicitationAsked ElicitationField ElicitationOption ElicitationRequest Elicitor ServerLog
      AddServersOptions AddedServers Agreement Agreements ApprovalAnswer ApprovalQuestion ApprovalRequest
      ApprovalScope Approver AssistantMessage AuditEntry AuditFacts AuditFileReport AuditFinding AuditQuery
      AuditHead AuditOptions AuditRecord AuditReport AuditSink AuditedCall CallResult CatalogTool CatalogWarning ClockFacts ConfigFile
      ConfiguredServer Conversation ConversationOptions DecisionSource DefinitionStore DefinitionThen DefinitionsKind DefinitionsOf DefinitionsReading KeptDefinitions KeptTool DriftOptions HostDrift ServerDrift ToolDrift DiagnoseOptions Diagnosis ErrorSummary
      EventVersion FindServersOptions FoundServer FoundServers Host ArgumentCondition GrantBinding GrantList GrantStore GrantedTool RevokeGrantsOptions RevokeReport StateOptions StoredGrant HostErrorCode HostErrorData HostOptions
      HostTransport HttpServerConfig ImageBlock ImageMediaType ImportHost Journal JournalReading JournalRecord
      LanguageModel LanguageModelCall LanguageModelSettings LanguageModelStream
      SpanAttributes SpanIdentity SpanValue TelemetryOptions TelemetrySpan TelemetryTracer TraceContext
      JournalVersion Json JsonObject Limits ListConversationsOptions ListedPrice ModelPrice RunCost TokenPrices LoadConfigOptions LoadedConfig
      LocalModels LogOpened Memo Message Model ModelCapabilities ModelEvent ModelRequest ModelResponse
      NativeTurn CallFacts PolicyChange PolicyCheck PolicyCheckSettings PolicyLogChange PolicyLogOptions PolicyLogReport PolicySettings ExplainOptions PolicyConfig PolicyExplanation PolicyRules PolicyStep ReadSource ResultLabels RuleReading RunReads ShadowVerdict
      PurgeConversationsOptions PurgeReport QuarantinedTool RenderSettings Run
      RunEvent RunInput RunOptions RunResult ServerConfig ServerDiagnosis ServerSecret ServerSource
      ServerStatus ServerTool ServersDiagnosis Setting SettingOrigin SettingsPaths SpillStore StateFacts
      StdioServerConfig Stop StopReason StoredConversation Stores TextBlock ThinkingBlock ToolAnnotations
      ToolCall ToolCallBlock ToolResultBlock ToolRoute ToolSnapshot ToolsBehindSearch TransportServerConfig VerifyAuditOptions Usage UserMessage
      ArgumentCompletion CompleteOptions CompletionReference FilledPrompt HostOffers LeftOutEntry OfferListOptions
      OfferOptions PromptMessage ReadMethod ReadOptions ResourceContents ResourceReading ServerListing ServerPrompt
      ServerPromptArgument ServerResource ServerResourceTemplate
      VariableUse WrittenServer
    `),
  );
});

test("drawbridge-mcp/testing exports these names and no others", () => {
  const { values, types } = surfaceOf("src/testing/index.ts");
  expect(values).toEqual(
    words(`
      createTestClock expandGenerated fakeServer hostileServerCommand modelContract scriptedModel startAnthropicSimulator
      namedSimulators readScript startOpenAiChatSimulator validateChatRequest startOpenAiResponsesSimulator validateResponsesRequest
      startGeminiSimulator validateGeminiRequest
      startFakeAuthServer startHostileHttpServer textTool validateMessagesRequest
    `),
  );
  expect(types).toEqual(
    words(`
      FakeAuthClient FakeAuthServer FakeAuthServerOptions SeenAuthorization SeenTokenRequest
      GeminiRefusal GeminiSimulatorOptions GeminiValidationSettings SimulatedGeminiCall SimulatedGeminiFault
      SimulatedGeminiPart SimulatedGeminiStep SimulatedGeminiTurn
      OpenAiResponsesSimulatorOptions ResponsesValidationSettings SimulatedResponseFault SimulatedResponseItem
      SimulatedResponseStep SimulatedResponseTurn
      AnthropicSimulator AnthropicSimulatorOptions ChatServerKind ChatValidationSettings ContractBehaviour
      ContractCall ContractFault ContractSetup ContractStart ContractStep ContractTurn OpenAiChatSimulatorOptions
      RuleRefusal SeenMessage SimulatedChatCall SimulatedChatFault SimulatedChatStep SimulatedChatTurn Simulator
      SimulatorOptions StartedModel FakeCall FakeServer FakeTool HostileCase HostileError
      HostileHttpServer HostileScript HostileServerCommand HostileServerOptions HostileStep Notification RawPart
      NamedSimulator NamedSimulatorOptions NeutralCall NeutralFault NeutralStep NeutralTurn
      RecordedRequest RequestRefusal ScriptedCall ScriptedModel ScriptedStep ScriptedTurn Seen ServerRequest
      SimulatedBlock SimulatedFault SimulatedRequest SimulatedStep SimulatedTurn TestClock
    `),
  );
});

test("the names that are listed as values are there when the package is loaded", () => {
  expect(Object.keys(library).sort()).toEqual(surfaceOf("src/index.ts").values);
  expect(Object.keys(testing).sort()).toEqual(surfaceOf("src/testing/index.ts").values);
});

test("the version in the code is the one of the package", () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "drawbridge-mcp", version });
});

test("a program can import these paths of the package and no others", () => {
  const manifest: { readonly exports: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(Object.keys(manifest.exports)).toEqual([".", "./testing", "./package.json"]);
});
