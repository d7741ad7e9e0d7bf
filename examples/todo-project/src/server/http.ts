import { createServer } from "node:http";
import { handle } from "./routes.ts";

const port = 8080;

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: string) => {
    // TODO: refuse bodies of more than 1 MB
    body += chunk;
  });
  request.on("end", () => {
    const answer = handle(request.method ?? "GET", request.url ?? "/", body);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
});

server.listen(port, () => console.log(`Tasks are served on http://localhost:${port}/`));
