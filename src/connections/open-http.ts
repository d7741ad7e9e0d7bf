import { HostError } from "../errors.ts";
import type { HttpServerConfig } from "../types/config.ts";
import { linkAbort } from "../util/abort.ts";
import { createAccess } from "./auth/authorized-fetch.ts";
import { type CarriedAnswers, createCarriedAnswers } from "./carried-answers.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createEraMemo } from "./era-memo.ts";
import { codeOf } from "./error-members.ts";
import { httpStatus, networkReason } from "./failure.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { type HeardEvents, openEvents } from "./open-events.ts";
import { openNegotiated } from "./open-transport.ts";
import { probeLimitMs } from "./probe-limit.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { createSessionTransport } from "./session.ts";
import { keepStandingStream } from "./standing-stream.ts";
import { withinMs } from "./wait.ts";

const farewellMs = 1_000;
const closeMs = 5_000;

/** Statuses with which a server that only knows the older transport turns the newer one down. */
const turnedDown: readonly unknown[] = [400, 404, 405];

/**
 * Connects to a server at a URL over Streamable HTTP, or over HTTP+SSE where it turns that down (MCP 2025-03-26,
 * backwards compatibility).
 */
export async function openHttp(config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  try {
    const sdk = await loadSdk();
    const access = createAccess(sdk, config, context);
    if (access === null) return await openRemembered(sdk, config, context);
    const authorized = { ...context, fetch: access.fetch };
    for (;;) {
      try {
        const connection = await openRemembered(sdk, config, authorized);
        access.opened();
        return connection;
      } catch (thrown) {
        if (context.signal.aborted) throw thrown;
        // A person takes longer than any probe may: they are asked in between, and the server is opened anew.
        if (!(await context.untimed(() => access.askIfWanted(context.signal)))) throw thrown;
      }
    }
  } catch (thrown) {
    throw context.failures.fromThrown(thrown);
  }
}

/** A server that is known for the older era is not asked for it, which some hold for long; any other is asked. */
async function openRemembered(sdk: Sdk, config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  if ((config.protocol ?? "auto") !== "auto") return openEitherWay(sdk, config, context);
  const memo = createEraMemo(config, context);
  const known = memo.get();
  // A discovery that was kept is newer than any verdict: with one, the server was modern.
  const opened = known === "legacy" && context.discovery === undefined ? await openLegacy() : null;
  const { isGuessed, ...connection } = opened ?? (await openEitherWay(sdk, config, context));
  return {
    ...connection,
    confirm() {
      // A remembered verdict keeps its date, so that it is checked again one day.
      if (isGuessed !== true && connection.era !== known) memo.set(connection.era);
    },
  };

  async function openLegacy(): Promise<Opened | null> {
    const { signal, abort, end } = linkAbort(context.signal);
    const silence = new Error("It did not answer as it did before.");
    const cancel = context.clock.after(probeLimitMs(context.limits), () => abort(silence));
    try {
      return await openEitherWay(sdk, { ...config, protocol: "legacy" }, { ...context, signal });
    } catch (thrown) {
      if (isAboutAccess(thrown) || networkReason(thrown) !== null) throw thrown;
      memo.forget();
      if (context.signal.aborted) throw thrown;
      return null;
    } finally {
      cancel();
      end();
    }
  }
}

/** That somebody may not come in says nothing of the server's era. */
function isAboutAccess(thrown: unknown): boolean {
  const status = httpStatus(thrown);
  const refused = thrown instanceof HostError && thrown.code === "server_unauthorized";
  return refused || status === 401 || status === 403;
}

/** `isGuessed`: the server failed at the question for its era, which it may not do the next time. */
type Opened = Connection & { readonly isGuessed?: boolean };

async function openEitherWay(sdk: Sdk, config: HttpServerConfig, context: OpenContext): Promise<Opened> {
  const mode = config.protocol ?? "auto";
  try {
    return await openStreamable(sdk, config, mode, context);
  } catch (thrown) {
    const other = mode === "modern" || context.signal.aborted ? null : otherWay(thrown, mode);
    if (other === null) throw thrown;
    const heard = { stream: false, endpoint: false };
    const opened = await other(sdk, config, context, heard).catch((next: unknown) => {
      // Its stream names it as one of the oldest kind; that of a newer one, which refused the handshake, is for its news.
      if (heard.stream && !(context.signal.aborted && httpStatus(thrown) === 400))
        throw heard.endpoint ? next : lateBecause(next, context.signal, noEndpoint);
      // Where the other way does not work either, the first error says more, but for one that says nothing.
      throw isSilence(thrown) ? lateBecause(next, context.signal, noDiscovery) : thrown;
    });
    return { ...opened, isGuessed: (httpStatus(thrown) ?? 0) >= 500 };
  }
}

/** The server has not answered the probe at all. */
function isSilence(thrown: unknown): boolean {
  return codeOf(thrown) === "REQUEST_TIMEOUT";
}

/** A server that answers `initialize` late has had only what the probe left of its start. */
const noDiscovery = 'it did not answer server/discover either, which "protocol": "legacy" leaves out';
const noEndpoint = "its event stream has not said where messages go";

/** A start that took too long, with what was seen of it. */
function lateBecause(thrown: unknown, { aborted, reason }: AbortSignal, why: string): unknown {
  if (!aborted || !(reason instanceof HostError) || reason.code !== "server_start_timeout") return thrown;
  return new HostError(reason.code, `${reason.message}; ${why}`, { cause: thrown });
}

type Way = (
  sdk: Sdk,
  config: HttpServerConfig,
  context: OpenContext,
  heard: HeardEvents,
) => Promise<Connection>;

/** What else may work with a server that failed like this: older servers meet a probe that they do not know in many ways. */
function otherWay(thrown: unknown, mode: "auto" | "legacy"): Way | null {
  const status = httpStatus(thrown);
  if (turnedDown.includes(status)) return openEvents;
  const unreachable = networkReason(thrown) !== null;
  const refused = status !== null && status < 500;
  if (mode === "legacy" || unreachable || refused) return null;
  return (sdk, config, context) => openStreamable(sdk, config, "legacy", context);
}

function hostFetch(
  context: OpenContext,
  answers: CarriedAnswers,
  onDocument?: (id: string | number) => void,
): typeof fetch {
  const { fetch, clock, limits } = context;
  const telling = onDocument === undefined ? {} : { onDocument };
  return createMcpFetch({ fetch, clock, messageBytes: limits.messageBytes, answers, ...telling });
}

async function openStreamable(
  sdk: Sdk,
  config: HttpServerConfig,
  mode: "auto" | "modern" | "legacy",
  context: OpenContext,
): Promise<Connection> {
  const onMissed = () => {
    context.onToolsChanged();
    context.onOffersChanged();
  };
  const answers = createCarriedAnswers();
  const documents = new Set<string | number>();
  const fetching = hostFetch(context, answers, (id) => void documents.add(id));
  let absent: number | null = null;
  const watched: typeof fetch = async (input, init) => {
    const response = await fetching(input, init);
    if (response.status === 404 || response.status === 405) absent ??= response.status;
    return response;
  };
  const http = new sdk.StreamableHTTPClientTransport(new URL(config.url), {
    fetch: keepStandingStream(mode === "modern" ? watched : fetching, { clock: context.clock, onMissed }),
    requestInit: { headers: { ...config.headers } },
  });
  try {
    const session = createSessionTransport(answers.unpack(http), documents, onMissed);
    const connection = await openNegotiated(sdk, session, mode, context);
    return {
      ...connection,
      sessionId: () => http.sessionId,
      close: async () => {
        // A legacy server keeps a session until it is told (MCP 2025-11-25, session management).
        if (http.sessionId !== undefined) await withinMs(http.terminateSession(), farewellMs);
        await connection.close();
      },
    };
  } catch (thrown) {
    await withinMs(http.close(), closeMs);
    throw absent === null ? thrown : withStatus(thrown, absent);
  }
}

/** Where no other era may be tried, the SDK says that the server does not speak this one, also when there is none. */
function withStatus(cause: unknown, status: number): Error {
  return Object.assign(new Error(`HTTP ${status}`, { cause }), { data: { status } });
}
