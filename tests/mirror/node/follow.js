// Starts a task, allows what it asks, and prints how it ended: a client over Node's `ws`.
import process from "node:process";
import WebSocket from "ws";

const [base, session, workspace] = process.argv.slice(2);
const socket = new WebSocket(`${base.replace("http", "ws")}/ws`, { origin: base, perMessageDeflate: true });
const send = (message) => socket.send(JSON.stringify(message));
const command = (id, command) => send({ type: "command", envelope: { id, command } });
let goal;

socket.on("message", (data) => {
  const message = JSON.parse(data);
  if (message.type === "challenge") {
    send({ type: "hello", protocol: 1, follow: true, proof: { proof: "session", session } });
  } else if (message.type === "snapshot") {
    command("node-1", { command: "start", goal: "from node", workspace });
  } else if (message.type === "error") {
    throw new Error(message.error.message);
  } else if (message.type === "event") {
    const { event } = message.record;
    if (event.type === "created") goal = event.spec.goal;
    if (event.type === "permission_requested") {
      const { id, digest } = event.request;
      const choice = { choice: "allow", lifetime: { for: "once" } };
      const answer = { request: id, digest, choice, by: { by: "local", screen: "node" } };
      command("node-2", { command: "answer_permission", answer });
    }
    if (event.type === "stopped") {
      console.log(JSON.stringify({ goal, stopped: event.reason }));
      socket.close();
    }
  }
});
