/** The transport of a paired device: signs the host's challenge and each answer. */
import type { ClientMessage, Lifetime, PermissionAnswer, Proof } from "../protocol";
import { englishOf } from "../text";
import { freshNonce, type OwnDevice, sign } from "./keys";
import type { Line, LineEvents, Transport } from "./transport";
import { openLine } from "./websocket";

/** The validity of a signed answer. The host accepts at most two minutes. */
const ANSWER_MS = 60_000;

export function deviceTransport(address: string, device: OwnDevice): Transport {
  let proof: Proof | null = null;
  return {
    screen: "phone",
    remote: true,
    device: device.id,
    proof: () => proof,
    open: (events: LineEvents): Line => {
      // The offset to the host's clock, which decides when an answer expires.
      let ahead = 0;
      const line = openLine(address, {
        // The hello is sent after the challenge has arrived.
        opened: () => {},
        closed: () => events.closed(),
        message: (message) => {
          if (message.type !== "challenge") {
            events.message(message);
            return;
          }
          ahead = message.now_ms - Date.now();
          const { id, pin, keys } = device;
          void sign(keys, "deputy-connect-1", pin, id, message.challenge).then((signature) => {
            proof = { proof: "device", device: id, signature };
            events.opened();
          });
        },
      });
      return {
        send: (message) => {
          if (message.type !== "command") line.send(message);
          else void signed(message, device, Date.now() + ahead).then((ready) => line.send(ready));
        },
        close: () => line.close(),
      };
    },
  };
}

/** Signs the answer in a command, if it contains one. It is signed again each time it is sent. */
async function signed(message: ClientMessage, device: OwnDevice, now: number): Promise<ClientMessage> {
  if (message.type !== "command" || message.envelope.command.command !== "answer_permission") return message;
  const { envelope } = message;
  const { answer } = message.envelope.command;
  const by = await signature(answer, device, now);
  return {
    ...message,
    envelope: { ...envelope, command: { command: "answer_permission", answer: { ...answer, by } } },
  };
}

async function signature(
  { request, digest, choice }: PermissionAnswer,
  { id, keys }: OwnDevice,
  now: number,
): Promise<PermissionAnswer["by"]> {
  const expires_at_ms = Math.round(now) + ANSWER_MS;
  const nonce = freshNonce();
  const reason = choice.choice === "deny" ? englishOf(choice.reason) : "";
  const lines = [id, request, digest, choiceWords(choice), expires_at_ms, nonce, reason];
  const signature = await sign(keys, "deputy-answer-1", ...lines);
  return { by: "device", device: id, name: "", expires_at_ms, nonce, signature };
}

/** Returns the text of a choice that is signed. */
export function choiceWords(choice: PermissionAnswer["choice"]): string {
  if (choice.choice === "deny") return choice.change ? "change" : "deny";
  const allow = choice.wider ? "allow wider" : "allow";
  const without = choice.dropped.length > 0 ? ` without ${choice.dropped.join(",")}` : "";
  return `${allow} ${howLong(choice.lifetime)}${without}`;
}

function howLong(lifetime: Lifetime): string {
  switch (lifetime.for) {
    case "task":
      return `task ${lifetime.task}`;
    case "session":
      return `session ${lifetime.session}`;
    case "minutes":
      return `minutes ${lifetime.minutes}`;
    default:
      return lifetime.for;
  }
}
