/** Where alerts go: what is on its way, what failed, quiet time; and on request what was sent. */

import { useRef } from 'preact/hooks';
import { plural } from '../base/plural.ts';
import type { Page } from '../records/page.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { Severity } from './findings.tsx';
import { Clip, KeptOpen } from './long.tsx';
import { Empty, Section, Soft, State, Time } from './parts.tsx';

type Alerts = Page['alerts'];
type Target = Alerts['targets'][number];

/** Messages that are listed. */
const LATEST = 10;

function stateOf({ reason, tries, waiting }: Target) {
  if (reason !== '') return <State tone="bad">{`failed ${plural(tries, 'time')}`}</State>;
  return waiting === '' ? <State tone="good">ok</State> : <State tone="warn">on its way</State>;
}

const TargetRow = ({ target }: { target: Target }) => {
  const { name, kind, least, sent, reason, waiting, reported, pending } = target;
  return (
    <li data-target={name}>
      <p>
        {stateOf(target)} <strong>{name}</strong>{' '}
        <Soft>
          {kind}, {least === 'low' ? 'every finding' : `from ${least} on`},{' '}
          {sent === null ? 'nothing sent yet' : ['last sent ', <Time key="sent" at={sent} />, ' UTC']}
        </Soft>
      </p>
      {reason !== '' && (
        <p class="tile-trouble">
          <Clip text={reason} />
        </p>
      )}
      {waiting !== '' && (
        <p>
          On its way: <Clip text={waiting} />
        </p>
      )}
      <p class="soft small">
        {plural(reported, 'open problem')} reported{pending > 0 && `, ${pending} new and not sent yet`}
      </p>
    </li>
  );
};

/** The last messages that arrived, read when this is opened. */
function Sent() {
  const box = useRef<HTMLDivElement>(null);
  const { actions } = useDesk();
  const { record, trouble } = useAsked('/alerts', {}, box);
  const sent = record?.deliveries.slice(0, LATEST) ?? [];
  return (
    <div ref={box}>
      {sent.length > 0 ? (
        <ul class="lined">
          {sent.map(({ at, target, kind, severity, title, message }) => (
            <li key={`${message} ${target}`}>
              {severity === 'none' ? <State tone="good">{kind}</State> : <Severity of={severity} />}{' '}
              <Clip text={title} />{' '}
              <Soft>
                to {target}, <Time at={at} /> UTC ({kind})
              </Soft>
            </li>
          ))}
        </ul>
      ) : (
        <Empty>
          {actions === null ? (
            <>
              The list needs scripts. The same as a record: <a href="/alerts">/alerts</a>; in a terminal:{' '}
              <code>desk alert</code>.
            </>
          ) : (
            trouble || (record === null ? 'Reading.' : 'No message has been sent yet.')
          )}
        </Empty>
      )}
    </div>
  );
}

function figureOf({ targets, heartbeats, quiet }: Alerts) {
  const failing = [...targets, ...heartbeats].filter(({ reason }) => reason !== '').length;
  if (failing > 0) return <State tone="bad">{`${failing} not delivered`}</State>;
  if (quiet !== null) return <State tone="warn">quiet time</State>;
  if (targets.length + heartbeats.length === 0) return <State tone="calm">not started</State>;
  return <State tone="good">{targets.length > 0 ? plural(targets.length, 'target') : 'heartbeat'}</State>;
}

/** Nothing where no alert and no heartbeat is configured. */
export function AlertsSection() {
  const { alerts, not_set_up: notSetUp } = useDesk().page;
  const { targets, heartbeats, quiet } = alerts;
  if (notSetUp.includes('alerts') && notSetUp.includes('heartbeat')) return null;
  return (
    <Section id="alerts" title="Alerts" aside={figureOf(alerts)}>
      {quiet !== null && (
        <p>
          <State tone="warn">quiet time</State> Only critical findings alert until <Time at={quiet.until} />{' '}
          UTC: <Clip text={quiet.why} />
        </p>
      )}
      {targets.length + heartbeats.length === 0 && (
        <Empty>The service has not started to send yet: it waits until its listeners are open.</Empty>
      )}
      <ul class="lined">
        {targets.map((target) => (
          <TargetRow key={target.name} target={target} />
        ))}
        {heartbeats.map(({ name, every_sec: everySec, sent, reason }) => (
          <li key={`heartbeat ${name}`} data-heartbeat={name}>
            <p>
              {reason !== '' ? (
                <State tone="bad">failed</State>
              ) : (
                <State tone={sent === null ? 'calm' : 'good'}>{sent === null ? 'waits' : 'ok'}</State>
              )}{' '}
              <strong>{name}</strong>{' '}
              <Soft>
                heartbeat every {everySec} s,{' '}
                {sent === null ? 'none sent yet' : ['last sent ', <Time key="sent" at={sent} />, ' UTC']}
              </Soft>
            </p>
            {reason !== '' && (
              <p class="tile-trouble">
                <Clip text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {targets.length > 0 && (
        <KeptOpen name="alerts sent" summary="What was sent">
          <Sent />
        </KeptOpen>
      )}
      <p class="soft small">
        A test message: <code>desk alert test</code>. Quiet time: <code>desk quiet 30m --why "…"</code>.
      </p>
    </Section>
  );
}
