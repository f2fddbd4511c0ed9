/** A request, in the order of the decision: risk, action, place, the content itself, the reason, and the buttons. */
import { Clock, Folder, Globe, Hourglass, ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { armKeys, useArmed } from "../../app/armed";
import type { Offer, PermissionRequest } from "../../protocol";
import { useConsent, useMay, useStore } from "../../store/hooks";
import { requestedSteps } from "../../store/journal";
import { relative, t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Diff } from "../../ui/Diff";
import { HostText } from "../../ui/HostText";
import { RiskPill } from "../../ui/StatePill";
import { CommandText } from "./CommandText";
import { Decision } from "./Decision";
import { firstOffer } from "./FirstAnswer";
import { GrantPreviewBox } from "./GrantPreviewBox";
import { OfferPicker } from "./OfferPicker";
import { PartList } from "./PartList";
import { PlanBody } from "./PlanBody";
import {
  heading,
  headline,
  notKept,
  onceBecause,
  otherReasons,
  reach,
  runsCommand,
  unusual,
} from "./requestWords";
import { leftOut, Settled } from "./Settled";
import { StepList } from "./StepList";
import { Unsent } from "./Unsent";
import { useDropped } from "./useDropped";
import "./request.css";

interface Props {
  request: PermissionRequest;
  /** The planner's own explanation. */
  why: string | undefined;
  /** Whether keys go to this card. */
  active: boolean;
  /** Called after it was answered here. */
  onDone?: () => void;
}

export function RequestCard({ request, why, active, onDone }: Props) {
  const now = useNow();
  const armed = useArmed();
  const settled = useStore((state) => state.settled.get(request.id));
  const open = useStore((state) => state.requests.has(request.id));
  const [chosen, setOffer] = useState<Offer | undefined>(request.offered[0]);
  const { dropped, drop } = useDropped(request);
  const steps = requestedSteps(request);
  const leavesOut = dropped.length > 0;
  // An answer that leaves out some steps applies only once; one that leaves out all of them is a denial.
  // The first answer has a button of its own.
  const first = firstOffer(request);
  const offers = request.offered.filter((each) => each !== first);
  const once = request.offered.find((each) => each.lifetime.for === "once");
  const offer = leavesOut ? (dropped.length < steps.length ? once : undefined) : chosen;
  const card = useRef<HTMLElement>(null);
  const { details } = request;
  const { wanted } = details;
  const kind = wanted
    ? "access"
    : details.plan
      ? "plan"
      : details.command !== null
        ? "command"
        : runsCommand(request)
          ? "steps"
          : details.diff || steps.length > 0
            ? "change"
            : "call";
  const lost = notKept(request);
  const differs = unusual(request);
  const mayAnswer = useMay("approve");
  useEffect(() => {
    if (active) card.current?.scrollIntoView({ block: "nearest" });
  }, [active]);

  return (
    <article
      className="request card"
      data-risk={request.risk}
      data-active={active}
      ref={card}
      onPointerDownCapture={open ? armKeys : undefined}
      onFocusCapture={open ? armKeys : undefined}
      aria-label={headline(request)}
    >
      <header className="row wrap">
        <RiskPill risk={request.risk} />
        <span className="muted small grow">
          {t(`request.kind.${kind}`)}
          {!lost &&
            !wanted &&
            details.confinement !== "open" &&
            details.confinement !== "workspace_net" &&
            ` · ${t("request.undoable")}`}
        </span>
        <span className="faint small row request-expiry">
          <Clock className="ic" aria-hidden="true" />
          {t("request.expires", { when: relative(request.expires_at_ms, now) })}
        </span>
      </header>
      <h2 className="request-head">{heading(request)}</h2>
      {wanted && (
        <p className="muted">
          {t("request.wanted.waits")} <HostText text={wanted.of} className="mono" />.{" "}
          {t("request.wanted.yes")}
        </p>
      )}
      {details.plan && (
        <p className="muted">
          {t("request.plan.inside")}{" "}
          <span className="mono">{details.plan.plan.scope.map(shortPath).join(", ")}</span>.{" "}
          {t("request.plan.safe")}
        </p>
      )}
      <div className="request-thing">
        {details.command !== null && <CommandText command={details.command} />}
        {details.diff && !details.plan && (
          <Diff text={details.diff} label={t("request.kind.change")} isShort />
        )}
        {details.plan ? (
          <PlanBody plan={details.plan} />
        ) : steps.length > 0 ? (
          <StepList
            request={request}
            dropped={open ? dropped : leftOut(settled)}
            onDrop={open && mayAnswer ? drop : undefined}
          />
        ) : (
          <PartList details={details} />
        )}
      </div>
      {differs.length > 0 && <p className="request-unusual">{differs.join(" ")}</p>}
      {otherReasons(request).map((reason) => (
        <p key={reason} className="request-unusual">
          {reason}
        </p>
      ))}
      {lost && <p className="request-lost">{lost}</p>}
      {!wanted && !details.plan && <Reach request={request} />}
      {why && (
        <div>
          <p className="lbl">{t("request.said")}</p>
          <p className="muted">{visible(why)}</p>
        </div>
      )}
      {open && !mayAnswer && <p className="muted">{t("request.not_yours")}</p>}
      {open && mayAnswer && (
        <>
          {offers.length > 1 && chosen && !leavesOut && (
            <OfferPicker offers={offers} chosen={chosen} onChange={setOffer} active={active && armed} />
          )}
          {leavesOut && (
            <p className="faint small" role="status">
              {t(offer ? "request.only_once.left_out" : "request.all_left_out")}
            </p>
          )}
          {request.offered.length === 1 && !leavesOut && !details.plan && (
            <p className="faint small">{t(`request.only_once.${onceBecause(request)}`)}</p>
          )}
          {offer?.rule && <GrantPreviewBox request={request.id} offer={offer} />}
          <Decision request={request} offer={offer} dropped={dropped} active={active} onDone={onDone} />
        </>
      )}
      {!open && (
        <>
          <Settled settled={settled} />
          <Unsent id={request.id} task={request.task} draft={`deny.${request.id}`}>
            {t("unsent.reason")}
          </Unsent>
        </>
      )}
    </article>
  );
}

/** Where the call runs and how far it reaches, a line each with an icon. */
function Reach({ request }: { request: PermissionRequest }) {
  const { details } = request;
  const consent = useConsent(request.task);
  const isOnline = details.confinement === "workspace_net" || details.confinement === "open";
  const Icon = isOnline ? Globe : ShieldCheck;
  return (
    <ul className="reach">
      <li>
        <Folder className="ic" aria-hidden="true" />
        <span>
          {t("request.in")} <span className="mono">{shortPath(details.cwd)}</span>
        </span>
      </li>
      <li>
        <Icon className="ic" aria-hidden="true" />
        <span>{reach(request, consent).join(" ")}</span>
      </li>
      {details.background && (
        <li>
          <Hourglass className="ic" aria-hidden="true" />
          <span>{t("request.background")}</span>
        </li>
      )}
    </ul>
  );
}
