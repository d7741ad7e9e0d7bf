import type { KeySchema } from "./key-schema.ts";

const variable = `\`\${VAR}\``;

const text = (description: string): KeySchema => ({ type: "string", minLength: 1, description });

const providerSchema: KeySchema = {
  type: "object",
  description:
    "The employer's identity provider, which vouches for the person (jwt_bearer, enterprise-managed authorization). Not in a project's file.",
  additionalProperties: false,
  required: ["issuer", "clientId"],
  properties: {
    issuer: text("Its issuer; the token endpoint is in its metadata."),
    clientId: text("The host's client there."),
    clientSecret: text(`Its secret, only as ${variable}.`),
    idToken: text(`The person's identity token, only as ${variable}.`),
    idTokenFile: text("The absolute path of the file that holds it, read anew for each token."),
  },
};

/** `auth` of a server with a URL. */
export const authSchema: KeySchema = {
  type: "object",
  description: `OAuth 2.1, for a server that asks for it; nothing here is needed where the authorization server registers clients by itself. ${variable} is replaced from the environment.`,
  additionalProperties: false,
  properties: {
    grant: {
      type: "string",
      enum: ["authorization_code", "client_credentials", "jwt_bearer"],
      default: "authorization_code",
      description:
        "client_credentials: the host acts for itself. jwt_bearer: with an assertion, or what an identity provider gives for the person. Nobody is asked to log in in either.",
    },
    clientId: text("A client that was registered at the authorization server before."),
    clientSecret: text(`Its secret, only as ${variable}.`),
    privateKey: text(
      `Its key in the place of a secret (private_key_jwt): PKCS #8 in PEM, only as ${variable}.`,
    ),
    algorithm: {
      type: "string",
      enum: ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
      default: "ES256",
      description: "What the key signs with.",
    },
    assertion: text(`A JWT that vouches for this workload (jwt_bearer), only as ${variable}.`),
    assertionFile: text(
      "The absolute path of the file that holds it, read anew for each token. Not in a project's file.",
    ),
    identityProvider: providerSchema,
    dpop: {
      type: "boolean",
      description:
        "Whether tokens are bound to a key of the host (DPoP). true: no others are taken. Default: where the server asks for it and the authorization server offers it.",
    },
    clientMetadataUrl: text("An https URL with a client metadata document that stands for the host."),
    scopes: {
      type: "array",
      description: "Asked for beside what the server asks for.",
      items: { type: "string", minLength: 1, description: "A scope." },
    },
    issuer: text("The only authorization server that gets the client's credentials."),
    redirectUri: text(
      "Where the browser is sent back to, for a program that reads it there. Default: a port of this machine.",
    ),
    allowPrivateNetwork: {
      type: "boolean",
      default: false,
      description:
        "Whether the server's metadata may lead into a private network although the server is not in one. Not in a project's file.",
    },
  },
};
