// A Messages API as fast as it can be: it answers by count and checks nothing, so that only the host is measured.
// Turn k of a conversation proposes `parallel` calls until `turns` are over; then it answers with text. With
// `conversations` there are many at once: how far each is stands in its request.
import { createServer } from "node:http";

const settings = JSON.parse(process.argv[2]);
const { turns, parallel, tool, input, conversations = false } = settings;
const tools = [tool].flat();
let turn = 0;
let answeredAt = null;
const gaps = [];

function content(done) {
  if (done === turns) return [{ type: "text", text: "done" }];
  const call = (_, index) => ({
    ...{ type: "tool_use", id: `toolu_${turn}_${index}`, name: tools[index % tools.length], input },
  });
  return Array.from({ length: parallel }, call);
}

function message(blocks) {
  const usage = {
    input_tokens: 10,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const stop_reason = blocks[0].type === "text" ? "end_turn" : "tool_use";
  const common = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: "fake",
    stop_sequence: null,
    usage,
  };
  return { ...common, content: blocks, stop_reason };
}

const event = (body) => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;

function stream(whole) {
  let text = event({ type: "message_start", message: { ...whole, content: [], stop_reason: null } });
  whole.content.forEach((block, index) => {
    const start = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
    const delta =
      block.type === "text"
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    text += event({ type: "content_block_start", index, content_block: start });
    text += event({ type: "content_block_delta", index, delta });
    text += event({ type: "content_block_stop", index });
  });
  const { stop_reason, usage } = whole;
  text += event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
  return text + event({ type: "message_stop" });
}

const server = createServer((request, response) => {
  const arrivedAt = performance.now();
  if (request.url === "/gaps") {
    response.end(JSON.stringify(gaps));
    return;
  }
  if (answeredAt !== null) gaps.push(arrivedAt - answeredAt);
  if (turn === 0) process.send({ firstRequestAt: Date.now() });
  // The flag stands before the messages or after them.
  let head = "";
  let tail = "";
  const body = [];
  request.on("data", (chunk) => {
    if (conversations) body.push(chunk);
    if (head === "") head = chunk.subarray(0, 4096).toString("latin1");
    tail = (tail + chunk.subarray(-4096).toString("latin1")).slice(-4096);
  });
  request.on("end", () => {
    turn += 1;
    const done = conversations
      ? Buffer.concat(body).toString().split('"role":"assistant"').length - 1
      : (turn - 1) % (turns + 1);
    const whole = message(content(done));
    const streamed = /"stream":\s*true/.test(head) || /"stream":\s*true/.test(tail);
    response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
    response.end(streamed ? stream(whole) : JSON.stringify(whole), () => {
      answeredAt = performance.now();
    });
  });
});
server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on("disconnect", () => process.exit(0));
