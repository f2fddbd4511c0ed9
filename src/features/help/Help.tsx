/** All shortcuts, by where they work. */
import { type Key, t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import "./help.css";

const GROUPS: readonly { words: Key; keys: readonly (readonly [string, Key])[] }[] = [
  {
    words: "help.anywhere",
    keys: [
      ["Ctrl K", "help.palette"],
      ["N", "help.new"],
      ["/", "help.search"],
      ["I", "help.inbox"],
      ["T", "help.tasks"],
      ["F", "help.files"],
      ["M", "help.memory"],
      ["R", "help.rules"],
      ["V", "help.devices"],
      ["U", "help.usage"],
      [",", "help.settings"],
      ["?", "help.help"],
    ],
  },
  {
    words: "help.task",
    keys: [
      ["J", "help.next"],
      ["K", "help.previous"],
      ["+  −", "help.queue"],
      ["S", "help.steer"],
      ["P", "help.pause"],
      ["X", "help.stop"],
      ["Z", "help.undo"],
      ["L", "help.follow"],
      ["A", "help.aside"],
    ],
  },
  {
    words: "help.request",
    keys: [
      ["⏎", "help.approve"],
      ["D", "help.deny"],
      ["1 … 5", "help.lifetime"],
      ["J  K", "help.next_request"],
      ["O", "request.goto"],
      ["W", "help.view"],
    ],
  },
  {
    words: "help.memories",
    keys: [
      ["/", "memory.search"],
      ["J  K", "help.next_memory"],
      ["O", "help.memory_task"],
      ["E", "memory.edit"],
      ["X", "memory.forget"],
      ["Z", "help.memory_undo"],
      ["N", "memory.remember"],
    ],
  },
];

export default function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t("help.title")} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="dialog-body help" tabIndex={0} aria-label={t("help.title")}>
        {GROUPS.map((group) => (
          <section key={group.words}>
            <h3 className="lbl">{t(group.words)}</h3>
            <dl>
              {group.keys.map(([key, words]) => (
                <div key={key} className="row">
                  <dt className="grow">{t(words)}</dt>
                  <dd>
                    <kbd className="kbd">{key}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  );
}
