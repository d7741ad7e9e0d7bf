import type { KeySchema } from "./key-schema.ts";

const variable = `\`\${VAR}\``;

const text = (description: string): KeySchema => ({ type: "string", minLength: 1, description });

/** `auth` of a server with a URL. */
export const authSchema: KeySchema = {
  type: "object",
  description: `OAuth 2.1, for a server that asks for it; nothing here is needed where the authorization server registers clients by itself. ${variable} is replaced from the environment.`,
  additionalProperties: false,
  properties: {
    grant: {
      type: "string",
      enum: ["authorization_code", "client_credentials"],
      default: "authorization_code",
      description: "client_credentials: the host acts for itself, and nobody is asked to log in.",
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
