/** A dialog with our look; focus, escape and labels are Radix's business. */
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { t } from "../text";
import "./ui.css";

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** A dialog that needs no title to be seen. */
  bare?: boolean;
}

export function Dialog({ title, onClose, children, bare }: Props) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className="dialog" aria-describedby={undefined}>
          <div className={bare ? "sr" : "dialog-head row"}>
            <Radix.Title className="grow">{title}</Radix.Title>
            {!bare && (
              <Radix.Close className="btn ghost icon" aria-label={t("undo.close")}>
                <X className="ic" />
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
