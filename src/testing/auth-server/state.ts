import { generateKeyPairSync, randomBytes } from "node:crypto";
import type {
  FakeAuthClient,
  FakeAuthServerOptions,
  SeenAuthorization,
  SeenTokenRequest,
} from "./options.ts";

/** What was agreed to at the authorization endpoint. */
interface IssuedCode {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string | null;
  /** The key that it is for alone (RFC 9449 section 10). */
  readonly thumbprint: string | null;
}

interface IssuedToken {
  readonly clientId: string;
  readonly scope: string | null;
  /** Refresh tokens that came from one another: using one twice ends them all. */
  readonly family: number;
  /** The key that it is bound to; null: to none. */
  readonly thumbprint: string | null;
}

/** The identity provider, and the workload platform: both are believed by the authorization server. */
interface FakeProvider {
  issuer: string;
  /** The host's client there. */
  readonly clientId: string;
  /** The client that its grants are for, at the authorization server. */
  readonly grantsTo: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Everything that the two fake servers know. */
export interface FakeAuthState {
  readonly options: FakeAuthServerOptions;
  /** Origins, once the servers listen. */
  issuer: string;
  resource: string;
  readonly clients: Map<string, FakeAuthClient>;
  readonly codes: Map<string, IssuedCode>;
  readonly access: Map<string, IssuedToken>;
  readonly refresh: Map<string, IssuedToken>;
  readonly spentRefresh: Map<string, number>;
  families: number;
  readonly provider: FakeProvider;
  /** Unique ids of the proofs that were seen. */
  readonly proofs: Set<string>;
  /** What proofs have to hold at each side; null: nothing. */
  readonly nonces: { issuer: string | null; resource: string | null };
  readonly authorizations: SeenAuthorization[];
  readonly tokenRequests: SeenTokenRequest[];
  readonly registrations: string[];
  readonly requests: string[];
  readonly revoked: string[];
  readonly secrets: string[];
  readonly breaches: string[];
}

export function createAuthState(options: FakeAuthServerOptions): FakeAuthState {
  return {
    options,
    issuer: "",
    resource: "",
    clients: new Map((options.clients ?? []).map((client) => [client.id, client])),
    codes: new Map(),
    access: new Map(),
    refresh: new Map(),
    spentRefresh: new Map(),
    families: 0,
    provider: createProvider(options),
    proofs: new Set(),
    nonces: { issuer: null, resource: null },
    authorizations: [],
    tokenRequests: [],
    registrations: [],
    requests: [],
    revoked: [],
    secrets: (options.clients ?? []).flatMap(({ secret }) => secret ?? []),
    breaches: [],
  };
}

function createProvider({ clients = [] }: FakeAuthServerOptions): FakeProvider {
  const pair = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { issuer: "", clientId: "host-at-provider", grantsTo: clients[0]?.id ?? "", ...pair };
}

/** An unguessable value, remembered as a secret. */
export function mint(state: FakeAuthState, kind: string): string {
  const value = `${kind}-${randomBytes(18).toString("base64url")}`;
  state.secrets.push(value);
  return value;
}

export const allAuthMethods: readonly string[] = [
  "none",
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
];
