/** The page for a client that the host does not know: how to get access. */
import { KeyRound, Smartphone } from "lucide-react";
import { useHost } from "../store/hooks";
import { t } from "../text";
import { Empty } from "../ui/Empty";

export function Locked() {
  const { client } = useHost();
  const again = (
    <button type="button" className="btn" onClick={() => client.connect()}>
      {t("link.retry")}
    </button>
  );
  return (
    <main className="locked">
      {client.remote ? (
        <Empty icon={Smartphone} title={t("pair.none")} action={again}>
          {t("pair.none.more")}
        </Empty>
      ) : (
        <Empty icon={KeyRound} title={t("locked.title")} action={again}>
          {t("locked.more")}
          <code className="mono locked-command">deputy open</code>
        </Empty>
      )}
    </main>
  );
}
