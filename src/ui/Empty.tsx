/** The placeholder of an empty page or list: what that means, and what to do. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import "./ui.css";

interface Props {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function Empty({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="empty">
      <span className="empty-mark">
        <Icon className="ic" aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      {children && <p className="muted">{children}</p>}
      {action}
    </div>
  );
}
