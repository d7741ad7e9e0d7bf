import { randomBytes } from "node:crypto";
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
}

interface IssuedToken {
  readonly clientId: string;
  readonly scope: string | null;
  /** Refresh tokens that came from one another: using one twice ends them all. */
  readonly family: number;
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
    authorizations: [],
    tokenRequests: [],
    registrations: [],
    requests: [],
    revoked: [],
    secrets: (options.clients ?? []).flatMap(({ secret }) => secret ?? []),
    breaches: [],
  };
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
