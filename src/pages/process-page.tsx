/** Everything that is known of one process, as it was read when the page was asked for, or asked again. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plural } from '../base/plural.ts';
import type { ProcessAsked } from '../desk/context.ts';
import { alike } from '../records/finding-words.ts';
import type { ProcessDetail, Relative } from '../records/process-detail.ts';
import { cellText, NOT_KNOWN, namespaceText, returnsText, userText } from '../records/process-words.ts';
import { bytesText } from '../records/vitals-words.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { Findings } from './findings.tsx';
import { DeskFrame } from './frame.tsx';
import { ProcessLink, StartedBy } from './links-to.tsx';
import { Clip, Folded } from './long.tsx';
import { Empty, number, percent, Section, Soft, State, Time } from './parts.tsx';

type Rows = [string, ComponentChildren][];

/** Why there is no command line. */
function withheld(why: ProcessDetail['command']): ComponentChildren {
  if (why === 'only-findings')
    return (
      <>
        read only of processes with a finding; <code>[privacy] command_lines = "asked"</code> shows it here
        too
      </>
    );
  if (why === 'never')
    return (
      <>
        not read: <code>[privacy] command_lines = "never"</code>
      </>
    );
  return why === 'unread' ? 'it could not be read' : 'it has none';
}

function baselineOf(baseline: ProcessDetail['baseline']): ComponentChildren {
  if (baseline === 'learned') return <State tone="good">known</State>;
  if (baseline === 'nothing-learned') return <Soft>nothing has been learned yet</Soft>;
  if (baseline === 'not-judged') return <Soft>not judged by the baseline</Soft>;
  return (
    <>
      <State tone="warn">unknown</State> it is not in the baseline
    </>
  );
}

function ownerOf({ package: name, package_reason: reason }: ProcessDetail): ComponentChildren {
  if (name !== '') return name;
  return reason === '' ? <State tone="warn">no package has it</State> : <Soft>not known: {reason}</Soft>;
}

function whatRows(record: ProcessDetail): Rows {
  const { row, about, unit, control_group: group } = record;
  const { executable, start } = row;
  return [
    [
      'executable',
      executable === '' ? <Soft>none, or it could not be read</Soft> : <code>{executable}</code>,
    ],
    ['package', ownerOf(record)],
    ['baseline', baselineOf(record.baseline)],
    ['user', userText(record)],
    ['command line', about?.command ? <code>{about.command}</code> : <Soft>{withheld(record.command)}</Soft>],
    ['started', start === null ? NOT_KNOWN : <Time at={start} />],
    ['directory', about?.directory || <Soft>{NOT_KNOWN}</Soft>],
    ['unit', unit || <Soft>none</Soft>],
    ['control group', group || <Soft>{NOT_KNOWN}</Soft>],
  ];
}

const Relatives = ({ all, none }: { all: readonly Relative[]; none: string }) =>
  all.length === 0 ? (
    <Soft>{none}</Soft>
  ) : (
    <Folded
      items={all}
      first={8}
      more={(count) => `${count} more`}
      list={(part) => (
        <ul class="plain">
          {part.map((one) => (
            <li key={one.pid}>
              <ProcessLink of={one}>
                {one.name} (pid {one.pid})
              </ProcessLink>
            </li>
          ))}
        </ul>
      )}
    />
  );

const rate = (bytes: number | null): ComponentChildren =>
  bytes === null ? <Soft>not read: it needs root, or CAP_SYS_PTRACE</Soft> : `${bytesText(bytes)}/s`;

function useRows({ uses, row }: ProcessDetail): Rows {
  const always: Rows = [
    ['state', cellText(row, 'state')],
    ['threads', cellText(row, 'threads')],
  ];
  if (uses === null) return [...always, ['use', <Soft key="use">it could not be measured</Soft>]];
  return [
    ...always,
    ['CPU', `${percent(uses.cpu_percent)} of one processor`],
    ['memory', bytesText(uses.resident_bytes)],
    ['reads from disks', rate(uses.read_per_sec)],
    ['writes to disks', rate(uses.written_per_sec)],
  ];
}

function confinementRows({ row, namespaces, container, capabilities, tracer }: ProcessDetail): Rows {
  const { by, wrap } = row;
  const tone = wrap === 'wrapped' ? 'good' : wrap === 'blind' ? 'warn' : 'calm';
  return [
    [
      'confined',
      <>
        <State tone={tone}>{wrap}</State> {by}
      </>,
    ],
    ['container', container ? 'its mount or pid namespace differs from that of the machine' : 'no'],
    ...namespaces.map((one): [string, ComponentChildren] => [`${one.kind} namespace`, namespaceText(one)]),
    ['capabilities', capabilities === '' ? <Soft>{NOT_KNOWN}</Soft> : <code>{capabilities}</code>],
    // Both are in the same file.
    [
      'traced by',
      capabilities === '' ? (
        <Soft>{NOT_KNOWN}</Soft>
      ) : tracer === 0 ? (
        'nothing'
      ) : (
        <ProcessLink of={{ pid: tracer }} />
      ),
    ],
  ];
}

const Listeners = ({ record }: { record: ProcessDetail }) => {
  const sockets = record.listeners;
  return (
    <Section id="sockets" title="Listens on" aside={<span class="tile-figure">{sockets.length}</span>}>
      {sockets.length > 0 && (
        <ul class="lined">
          {sockets.map(({ protocol, address, port, inode, scope, allowed }) => (
            <li key={inode}>
              <State tone={scope === 'public' ? 'warn' : 'calm'}>{scope}</State> {protocol} {address} port{' '}
              {port}
              <Soft>, allowed by {allowed || 'nothing'}</Soft>
            </li>
          ))}
        </ul>
      )}
      {sockets.length === 0 && record.listeners_known && <Empty>No listening socket.</Empty>}
      {!record.listeners_known && (
        <p>
          <State tone="warn">not all known</State> Not all sockets and their holders could be read.
        </p>
      )}
    </Section>
  );
};

function Known({ record }: { record: ProcessDetail }) {
  const { findings, explained, starts } = record;
  return (
    <>
      <Section id="findings" title="Findings" aside={<span class="tile-figure">{findings.length}</span>}>
        {findings.length === 0 ? (
          <Empty>No open finding is about it.</Empty>
        ) : (
          <Findings findings={findings} total={findings.length} listed />
        )}
      </Section>
      <div class="grid">
        <Section id="what" title="What it is" rows={whatRows(record)} />
        <Section id="now" title="Right now" rows={useRows(record)}>
          <p class="soft small">
            {record.uses !== null && `Measured over ${record.uses.interval_ms} ms. `}Read{' '}
            <Time at={record.ts} />.
          </p>
        </Section>
        <Section
          id="family"
          title="Parents and children"
          rows={[
            ['parents', <Relatives key="parents" all={record.parents} none="none that still runs" />],
            [
              record.children_total > record.children.length
                ? `children (${number(record.children_total)})`
                : 'children',
              <Relatives key="children" all={record.children} none="none" />,
            ],
          ]}
        />
        <Section id="confinement" title="Confinement" term="wrapped" rows={confinementRows(record)} />
        <Listeners record={record} />
        <Section id="starts" title="What would start it again">
          {starts.length > 0 ? <StartedBy starts={starts} /> : <Empty>{returnsText(record)}</Empty>}
        </Section>
      </div>
      {explained.length > 0 && (
        <Section id="explained" title="Explained, so not counted" term="explained">
          <ul class="lined">
            {alike(explained, ({ check, source, why }) => `${check} ${source} ${why}`).map((same) => {
              const [{ check, source, why, summary }] = same;
              return (
                <li key={`${check} ${source} ${why}`}>
                  <Clip text={summary} />{' '}
                  <Soft>
                    <code>{check}</code>, {source}
                    {why !== '' && `: ${why}`}
                    {same.length > 1 && `, ${plural(same.length, 'time')}`}
                  </Soft>
                </li>
              );
            })}
          </ul>
        </Section>
      )}
    </>
  );
}

/** In place of a process that has ended. */
const Gone = ({ pid, now }: { pid: number; now: Relative | null }) => (
  <section class="card" aria-labelledby="gone">
    <h2 id="gone">It has ended</h2>
    {now === null ? (
      <p>No process has the pid {pid} now.</p>
    ) : (
      <p>
        The pid {pid} belongs to another process now:{' '}
        <ProcessLink of={now}>
          {now.name} (pid {now.pid})
        </ProcessLink>
        .
      </p>
    )}
    <p class="soft">
      Findings about it, and when they were open: <code>desk history --since yesterday</code>. All that runs:{' '}
      <a href="/#processes">the process table</a>.
    </p>
  </section>
);

export function ProcessPage() {
  const { process: asked = null, page, actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const { record, trouble, busy, ask } = useAsked('/h7/processes/{pid}', inputOf(asked), box, asked?.record);
  const again = () => ask(inputOf(asked));
  const before = useRef(page.findings_total);
  useEffect(() => {
    if (before.current !== page.findings_total && asked?.now === undefined) again();
    before.current = page.findings_total;
  }, [page.findings_total]);
  const name = record?.row.comm ?? '';
  return (
    <DeskFrame path="">
      <div ref={box} class="row apart page-head">
        <h1>
          {name || 'Process'} {asked !== null && <Soft>pid {asked.pid}</Soft>}
        </h1>
        {asked?.now === undefined && (
          <button type="button" class="button" disabled={actions === null || busy} onClick={again}>
            {busy ? 'Reading' : 'Read again'}
          </button>
        )}
      </div>
      {trouble !== '' && (
        <p role="alert">
          <State tone="warn">not read again</State> {trouble}
        </p>
      )}
      {record !== null ? (
        <Known record={record} />
      ) : (
        asked?.now !== undefined && <Gone pid={asked.pid} now={asked.now} />
      )}
    </DeskFrame>
  );
}

const inputOf = (asked: ProcessAsked | null) => ({
  pid: String(asked?.pid ?? 0),
  ...(asked?.start === undefined ? {} : { start: asked.start }),
});
