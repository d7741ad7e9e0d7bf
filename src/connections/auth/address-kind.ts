import { BlockList, isIP } from "node:net";

/** Where an address leads: `special` addresses (link-local, multicast, documentation, …) belong to no server. */
export type AddressKind = "public" | "private" | "loopback" | "special";

/** Address blocks by kind (IANA special-purpose registries, RFC 6890). */
const blocks: readonly (readonly [kind: AddressKind, block: string])[] = [
  ["loopback", "127.0.0.0/8"],
  ["loopback", "::1/128"],
  ["private", "10.0.0.0/8"],
  ["private", "172.16.0.0/12"],
  ["private", "192.168.0.0/16"],
  ["private", "100.64.0.0/10"],
  ["private", "fc00::/7"],
  ["special", "0.0.0.0/8"],
  ["special", "169.254.0.0/16"],
  ["special", "192.0.0.0/24"],
  ["special", "192.0.2.0/24"],
  ["special", "192.88.99.0/24"],
  ["special", "198.18.0.0/15"],
  ["special", "198.51.100.0/24"],
  ["special", "203.0.113.0/24"],
  ["special", "224.0.0.0/3"],
  ["special", "::/96"],
  ["special", "64:ff9b:1::/48"],
  ["special", "100::/64"],
  ["special", "2001::/23"],
  ["special", "2001:db8::/32"],
  ["special", "2002::/16"],
  ["special", "3fff::/20"],
  ["special", "fe80::/9"],
  ["special", "ff00::/8"],
];

/** Where a gateway puts IPv4 addresses into IPv6 (RFC 6052): the blocks of IPv4 hold there too. */
const gatewayPrefix = "64:ff9b::";
const gatewayBits = 96;

const lists = new Map<AddressKind, BlockList>();
for (const [kind, block] of blocks) {
  const list = lists.get(kind) ?? new BlockList();
  lists.set(kind, list);
  const [network = "", bits = ""] = block.split("/");
  if (network.includes(":")) {
    list.addSubnet(network, Number(bits), "ipv6");
    continue;
  }
  list.addSubnet(network, Number(bits), "ipv4");
  list.addSubnet(gatewayPrefix + hexPairs(network), gatewayBits + Number(bits), "ipv6");
}

function hexPairs(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** The kind of an IP address in text, IPv4 inside IPv6 included. What is no address is `special`. */
export function addressKind(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0) return "special";
  for (const [kind, list] of lists) if (list.check(address, family === 4 ? "ipv4" : "ipv6")) return kind;
  return "public";
}

/** What surely is this machine: a name below `localhost` is one that a name server may be asked about. */
const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether nobody else can listen in on the way to the URL, whatever its scheme (RFC 8252, section 8.3). `hostKind` is for
 * what must not be reached, and takes more for this machine than this, which is for what may be sent there.
 */
export function isThisMachine({ hostname }: URL): boolean {
  return thisMachine.has(hostname);
}

/** The kind of a URL's host when it can be told without asking anybody; null for a name. */
export function hostKind({ hostname }: URL): AddressKind | null {
  const bare = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (bare === "localhost" || bare.endsWith(".localhost")) return "loopback";
  return isIP(bare) === 0 ? null : addressKind(bare);
}
