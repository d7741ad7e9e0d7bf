import { expect, test } from "vitest";
import { serverEnvironment } from "./environment.ts";

test("only names on the list pass, and what the configuration adds wins", () => {
  const host = {
    PATH: "/bin",
    LC_TIME: "C",
    https_proxy: "http://proxy",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    SHELL: "() { echo code; }",
    OPENAI_API_KEY: "key",
    NODE_OPTIONS: "--inspect",
    TZ: undefined,
  };
  expect(serverEnvironment(host, { PATH: "/own", EXTRA: "1" }, "linux")).toEqual({
    PATH: "/own",
    LC_TIME: "C",
    https_proxy: "http://proxy",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    EXTRA: "1",
  });
});

test("on Windows names are the same in any spelling, and the configuration's replaces the host's", () => {
  const host = { Path: "C:\\bin", SystemRoot: "C:\\Windows", GITHUB_TOKEN: "token" };
  expect(serverEnvironment(host, { PATH: "C:\\own" }, "win32")).toEqual({
    SystemRoot: "C:\\Windows",
    PATH: "C:\\own",
  });
});
