/** A request for the thumb: what will happen and how far above, the thing itself below it, the deciding buttons at the bottom. */
import { Folder, type LucideIcon, ShieldAlert, Timer, Undo2, Waypoints } from "lucide-react";
import { useState } from "react";
import { hrefOf } from "../../../src/app/route";
import { CommandText } from "../../../src/features/request/CommandText";
import { FirstAnswerNote, firstOffer } from "../../../src/features/request/FirstAnswer";
import { GrantPreviewBox } from "../../../src/features/request/GrantPreviewBox";
import { OfferPicker } from "../../../src/features/request/OfferPicker";
import { PartList } from "../../../src/features/request/PartList";
import {
  heading,
  headline,
  notKept,
  onceBecause,
  otherReasons,
  reach,
  unusual,
} from "../../../src/features/request/requestWords";
import { leftOut, Settled } from "../../../src/features/request/Settled";
import { StepList } from "../../../src/features/request/StepList";
import { Unsent } from "../../../src/features/request/Unsent";
import { useDropped } from "../../../src/features/request/useDropped";
import { reasonBefore } from "../../../src/features/task/reason";
import type { Offer, PermissionRequest } from "../../../src/protocol";
import { useConsent, useJournal, useMay, useStore } from "../../../src/store/hooks";
import { placeOf, requestedSteps } from "../../../src/store/journal";
import { relative, t } from "../../../src/text";
import { shortPath, visible } from "../../../src/text/visible";
import { useNow } from "../../../src/ui/clock";
import { Diff } from "../../../src/ui/Diff";
import { HostText } from "../../../src/ui/HostText";
import { RiskPill } from "../../../src/ui/StatePill";
import { lazily } from "../lazily";
import { TopBar } from "../TopBar";
import { Decide } from "./Decide";
import { Next } from "./Next";
import "../../../src/features/request/request.css";

const Plan = lazily(() => import("./Plan"));

export function RequestPage({ request }: { request: PermissionRequest }) {
  const now = useNow();
  const goal = useStore((state) => state.tasks.get(request.task)?.goal);
  const isOpen = useStore((state) => state.requests.has(request.id));
  const settled = useStore((state) => state.settled.get(request.id));
  const mayAnswer = useMay("approve");
  const { journal } = useJournal(request.task);
  const [chosen, setChosen] = useState<Offer | undefined>(request.offered[0]);
  const { dropped, drop } = useDropped(request);
  const steps = requestedSteps(request);
  const first = firstOffer(request);
  const offers = request.offered.filter((each) => each !== first);
  const once = request.offered.find(({ lifetime }) => lifetime.for === "once");
  // What leaves something out holds for this time alone, and what leaves out everything is a no.
  const offer = dropped.length === 0 ? chosen : dropped.length < steps.length ? once : undefined;
  const why = journal && reasonBefore(journal, placeOf(journal, request.call));
  const { details } = request;
  return (
    <>
      <TopBar>
        <a className="grow clip muted" href={hrefOf({ screen: "task", task: request.task })}>
          {goal ? visible(goal) : t("request.goto")}
        </a>
        <RiskPill risk={request.risk} />
      </TopBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <article className="phone-scroll phone-request" aria-label={headline(request)} tabIndex={0}>
        <h1>{heading(request)}</h1>
        <section className="card phone-card">
          {details.command !== null && <CommandText command={details.command} />}
          {details.diff && !details.plan && (
            <Diff text={details.diff} label={t("request.kind.change")} isShort />
          )}
          {details.plan ? (
            <Plan plan={details.plan} />
          ) : steps.length > 0 ? (
            <StepList
              request={request}
              dropped={isOpen ? dropped : leftOut(settled)}
              onDrop={isOpen && mayAnswer ? drop : undefined}
            />
          ) : (
            <PartList details={details} />
          )}
          <Facts request={request} />
        </section>
        {why && (
          <section className="card phone-card">
            <h2 className="lbl">{t("request.said")}</h2>
            <p>{visible(why)}</p>
          </section>
        )}
        {isOpen && mayAnswer && (
          <section className="card phone-card">
            {offers.length > 1 && chosen && dropped.length === 0 && (
              <OfferPicker offers={offers} chosen={chosen} onChange={setChosen} active={false} />
            )}
            {dropped.length > 0 && (
              <p className="muted small" role="status">
                {t(offer ? "request.only_once.left_out" : "request.all_left_out")}
              </p>
            )}
            {request.offered.length === 1 && dropped.length === 0 && !details.plan && (
              <p className="muted small">{t(`request.only_once.${onceBecause(request)}`)}</p>
            )}
            {first && dropped.length === 0 && <FirstAnswerNote request={request.id} offer={first} />}
            {offer?.rule && <GrantPreviewBox request={request.id} offer={offer} />}
          </section>
        )}
      </article>
      <footer className="phone-decide">
        {isOpen && mayAnswer && <Decide request={request} offer={offer} dropped={dropped} />}
        {isOpen && !mayAnswer && <p className="muted">{t("request.not_yours")}</p>}
        {!isOpen && (
          <>
            <Settled settled={settled} />
            <Unsent id={request.id} task={request.task} draft={`deny.${request.id}`}>
              {t("unsent.reason")}
            </Unsent>
            <Next except={request.id} />
          </>
        )}
        {isOpen && (
          <p className="faint small phone-when">
            {t("phone.asked", {
              when: relative(request.created_at_ms, Math.max(now, request.created_at_ms)),
            })}{" "}
            · {t("request.expires", { when: relative(request.expires_at_ms, now) })}
          </p>
        )}
      </footer>
    </>
  );
}

/** Where and how far, a line each. */
function Facts({ request }: { request: PermissionRequest }) {
  const { details } = request;
  const consent = useConsent(request.task);
  const lost = notKept(request);
  return (
    <ul className="phone-facts">
      {details.wanted ? (
        <Fact icon={Waypoints}>
          {t("request.wanted.waits")} <HostText text={details.wanted.of} className="mono" />.{" "}
          {t("request.wanted.yes")}
        </Fact>
      ) : (
        <>
          <Fact icon={Folder}>
            {t("request.in")} <span className="mono">{shortPath(details.cwd)}</span>
          </Fact>
          <Fact icon={Waypoints}>{reach(request, consent).join(" ")}</Fact>
        </>
      )}
      {details.background && <Fact icon={Timer}>{t("request.background")}</Fact>}
      {[...unusual(request), ...otherReasons(request)].map((words) => (
        <Fact key={words} icon={ShieldAlert} tone="mid">
          {words}
        </Fact>
      ))}
      {lost && (
        <Fact icon={Undo2} tone="mid">
          {lost}
        </Fact>
      )}
    </ul>
  );
}

function Fact({ icon: Icon, tone, children }: { icon: LucideIcon; tone?: "mid"; children: React.ReactNode }) {
  return (
    <li data-tone={tone}>
      <Icon className="ic" aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}
