/** All shortcuts, grouped by where they work. */
import { ALL, type Group, keyOf } from "../../app/shortcuts";
import { type Key, t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import "./help.css";

const GROUPS: readonly [Group, Key][] = [
  ["anywhere", "help.anywhere"],
  ["task", "help.task"],
  ["request", "help.request"],
  ["memories", "help.memories"],
];

export default function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t("help.title")} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="dialog-body help" tabIndex={0} aria-label={t("help.title")}>
        {GROUPS.map(([group, words]) => (
          <section key={group}>
            <h3 className="lbl">{t(words)}</h3>
            <dl>
              {ALL.filter(([name, shortcut]) => shortcut.in === group && keyOf(name)).map(
                ([name, shortcut]) => (
                  <div key={name} className="row">
                    <dt className="grow">{t(shortcut.words)}</dt>
                    <dd>
                      <kbd className="kbd">{keyOf(name)}</kbd>
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  );
}
