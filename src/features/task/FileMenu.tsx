/** A menu for a path: open it, show it in its folder, copy it. Files open on the desktop of the host. */
import { Copy, FileSymlink, FolderOpen } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import type { OpenWhat } from "../../protocol";
import { useHost, useIsLocal } from "../../store/hooks";
import { t } from "../../text";
import { pathIn, shortPath } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

/** Opens a path of a task, if this page is on the host's own desktop. */
export function useOpen(task: string) {
  const { client } = useHost();
  const local = useIsLocal();
  const open = useAction((path: string, what: OpenWhat) =>
    client.command({ command: "open", task, path, what }),
  );
  return { ...open, can: local };
}

interface Props {
  task: string;
  workspace: string;
  path: string;
  /** Whether the file no longer exists. */
  isGone?: boolean;
}

export function FileMenu({ task, workspace, path, isGone = false }: Props) {
  const open = useOpen(task);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="file-link mono clip" title={shortPath(path)}>
          {pathIn(workspace, path)}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
            {open.can && !isGone && (
              <>
                <DropdownMenu.Item onSelect={() => void open.run(path, "file")}>
                  {t("file.open")}
                </DropdownMenu.Item>
                <DropdownMenu.Item onSelect={() => void open.run(path, "folder")}>
                  {t("file.folder")}
                </DropdownMenu.Item>
              </>
            )}
            <DropdownMenu.Item onSelect={() => void navigator.clipboard?.writeText(path)}>
              {t("file.copy")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {open.error && <ErrorNote error={open.error} onDismiss={open.clear} />}
    </>
  );
}

/** The same actions as buttons, for dialogs, because a menu cannot appear above a dialog. */
export function FileButtons({ task, workspace, path, isGone = false }: Props) {
  const open = useOpen(task);
  const name = pathIn(workspace, path);
  return (
    <>
      {open.can && !isGone && (
        <>
          <Button label={t("file.open_of", { path: name })} onClick={() => void open.run(path, "file")}>
            <FileSymlink className="ic" aria-hidden="true" />
          </Button>
          <Button label={t("file.folder_of", { path: name })} onClick={() => void open.run(path, "folder")}>
            <FolderOpen className="ic" aria-hidden="true" />
          </Button>
        </>
      )}
      <Button
        label={t("changes.copy", { path: name })}
        onClick={() => void navigator.clipboard?.writeText(path)}
      >
        <Copy className="ic" aria-hidden="true" />
      </Button>
      {open.error && <ErrorNote error={open.error} onDismiss={open.clear} />}
    </>
  );
}

function Button({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) {
  return (
    <button type="button" className="btn ghost icon" aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
