import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAgreementsFolder } from "../../src/stores/agreements-file.ts";
import { openFileStores } from "../../src/stores/file-stores.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { StoredLogin } from "../../src/types/auth.ts";
import type { GrantBinding } from "../../src/types/grants.ts";
import type { Stores } from "../../src/types/stores.ts";
import { systemClock } from "../../src/util/clock.ts";

// Somebody put a link where a file of the host was, to something of the person's or to something of their own. What is
// behind it is not written, and not believed.

const binding: GrantBinding = {
  principal: "ann",
  server: "s",
  tool: "t",
  configHash: "c",
  definitionHash: "d",
  rule: "",
};
const tool = { name: "t", description: "", inputSchema: {}, annotations: {} };
const entry: AuditEntry = { kind: "run_ended", run: "r", stop: "answered", turns: 1 };
const login: StoredLogin = {
  version: 1,
  principal: "ann",
  server: "https://mcp.example/mcp",
  issuer: "https://as.example",
  resource: "https://mcp.example/mcp",
  tokenEndpoint: "https://as.example/token",
  authMethods: ["none"],
  client: { origin: "registration", id: "c", redirectUri: "http://127.0.0.1:1/callback" },
  tokens: { access: "a", refresh: "r", expiresAt: 2, obtainedAt: 1, scope: "read" },
};
const of = { principal: "ann", server: "s", configHash: "c" };
const agreement = {
  configHash: "a".repeat(64),
  server: "s",
  file: "/x",
  agreedAt: "2026-01-01",
  annotations: false,
};

/** Windows lets few programs make links, and has no such modes. */
const linked = test.skipIf(process.platform === "win32");

let root = "";
let state = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "drawbridge-linked-"));
  state = join(root, "state");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function withStores<T>(use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = openFileStores(state, { clock: systemClock });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

const agreements = () => openAgreementsFolder(join(state, "agreements"));

/** How each store is used, and whether it believes that what was put in is there. */
const stores: Readonly<
  Record<string, { readonly put: () => Promise<unknown>; readonly believes: () => Promise<boolean> }>
> = {
  grants: {
    put: () => withStores(async ({ openGrants }) => (await openGrants?.())?.add(binding, tool)),
    believes: () => withStores(async ({ openGrants }) => (await openGrants?.())?.find(binding) != null),
  },
  agreements: {
    put: () => agreements().put(agreement),
    believes: async () => (await agreements().list()).length > 0,
  },
  logins: {
    put: () => withStores(async ({ tokens }) => tokens?.write("https://a.example.com", login)),
    believes: () => withStores(async ({ tokens }) => (await tokens?.read("https://a.example.com")) != null),
  },
  definitions: {
    put: () =>
      withStores(async ({ openDefinitions }) =>
        (await openDefinitions?.())?.update(of, "pinned", () => ({ at: "2026-01-02", tools: [] })),
      ),
    believes: () =>
      withStores(async ({ openDefinitions }) => {
        const read = await (await openDefinitions?.())?.read(of, "pinned");
        return read?.type === "kept";
      }),
  },
};

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const isKey = (path: string) => path.endsWith("hash-key");

/** Puts a link in the place of every file below the state folder but the key; what stood there is what it leads to. */
function linkAll(folder = state): readonly string[] {
  return filesBelow(folder)
    .filter((path) => !isKey(path))
    .map((path, index) => {
      const elsewhere = join(root, `elsewhere-${index}`);
      renameSync(path, elsewhere);
      symlinkSync(elsewhere, path);
      return elsewhere;
    });
}

const textsOf = (paths: readonly string[]) => paths.map((path) => readFileSync(path, "utf8"));

linked.each(Object.entries(stores))(
  "%s behind a link are none, and nothing is written through it",
  async (_, store) => {
    await store.put();
    expect(await store.believes()).toBe(true);
    const behind = linkAll();
    expect(behind.length).toBeGreaterThan(0);
    const before = textsOf(behind);
    expect(await store.believes()).toBe(false);
    await store.put().catch(() => {});
    expect(textsOf(behind)).toEqual(before);
  },
);

const appendTwice = () =>
  withStores(async ({ openAudit }) => {
    const sink = await openAudit("ann");
    await sink.append(entry);
    await sink.append(entry);
  });

linked("the audit log writes through no link: neither its files nor their heads", async () => {
  await appendTwice();
  const behind = linkAll();
  const before = textsOf(behind);
  await appendTwice().catch(() => {});
  expect(textsOf(behind)).toEqual(before);
});

linked(
  "a link that leads nowhere makes no file where it leads, and what needs the log does not run",
  async () => {
    await appendTwice();
    const victim = join(root, "victim");
    for (const path of filesBelow(state).filter((path) => !isKey(path))) {
      rmSync(path);
      symlinkSync(victim, path);
    }
    await expect(appendTwice()).rejects.toMatchObject({ code: "audit_failed" });
    expect(existsSync(victim)).toBe(false);
  },
);

linked("a conversation's journal is not cut or gone on with behind a link", async () => {
  const record = { kind: "run_started" } as never;
  await withStores(async ({ openJournal }) => {
    const journal = await openJournal("conv_0123456789abcdef", "ann");
    await journal.append(record);
  });
  const [path = ""] = filesBelow(join(state, "runs"));
  const victim = join(root, "victim");
  rmSync(path);
  // A last line without its end: what looks like a record that was cut off would be removed.
  writeFileSync(victim, "the person's own\nnotes");
  symlinkSync(victim, path);
  for (const end of [undefined, 17]) {
    await withStores(async ({ openJournal }) => {
      const journal = await openJournal("conv_0123456789abcdef", "ann", end);
      await journal.append(record);
    }).catch(() => {});
  }
  expect(readFileSync(victim, "utf8")).toBe("the person's own\nnotes");
});

linked(
  "the key of the state folder is not taken from behind a link: whoever knows the key can forge what is bound by it",
  async () => {
    const known = join(root, "known");
    writeFileSync(known, Buffer.alloc(32, 7), { mode: 0o600 });
    await withStores(({ hashKey }) => hashKey());
    const [path = ""] = filesBelow(state).filter(isKey);
    rmSync(path);
    symlinkSync(known, path);
    await expect(withStores(({ hashKey }) => hashKey())).rejects.toMatchObject({ code: "store_failed" });
  },
);

linked("what is written is for the owner alone, whatever the account makes of new files", async () => {
  const mask = process.umask(0);
  try {
    for (const { put } of Object.values(stores)) await put();
    await appendTwice();
  } finally {
    process.umask(mask);
  }
  const modes = filesBelow(state).map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(new Set(modes)).toEqual(new Set(["600"]));
});
