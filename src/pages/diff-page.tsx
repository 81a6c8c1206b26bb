/** The page about changes: what changed in a day, three days or a week, and of what that is not known. */

import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { plural } from '../base/plural.ts';
import type { Diff, DiffChange, DiffGroup } from '../records/diff.ts';
import { countsText, detailOf, eventWord, GROUP_TITLES, split, unknownOf } from '../records/diff-words.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';
import { FindingLinks, Listed, Said } from './listed.tsx';
import { Clip } from './long.tsx';
import { Choice, Link, Section, Soft, State, Time, type Tone } from './parts.tsx';

type Since = '24h' | '3d' | '7d';

const PERIODS = [
  ['24h', '24 hours'],
  ['3d', '3 days'],
  ['7d', '7 days'],
] as const;

const COLUMNS = [
  { head: 'When', class: 'whole' },
  { head: 'Kind' },
  { head: 'Change' },
  { head: 'What' },
  { head: 'Details' },
] as const;

/** Where more of a group is shown. */
const PLACES: Readonly<Record<DiffGroup['id'], string>> = {
  findings: '/#findings',
  startup: '/startup.html#starts',
  accounts: '/startup.html#accounts',
  listeners: '/#listeners',
  programs: '/#processes',
  packages: '/startup.html#packages',
  certificates: '/site',
  blind: '/#notes',
};

interface Row {
  readonly group: DiffGroup['id'];
  readonly change: DiffChange;
}

/** One row for each change, by group. */
export const rowsOf = ({ groups }: Diff): readonly Row[] =>
  groups.flatMap(({ id, changes }) => changes.map((change) => ({ group: id, change })));

const TONES: Readonly<Partial<Record<DiffChange['event'], Tone>>> = {
  opened: 'bad',
  severity: 'warn',
  ends: 'warn',
  off: 'warn',
  unseen: 'warn',
  resolved: 'good',
  seen: 'good',
};

const cellsOf = ({ group, change }: Row): readonly ComponentChildren[] => {
  const { at, from, event, name, severity, finding, times } = change;
  return [
    <>
      {from !== null && [<Time key="from" at={from} />, ' – ']}
      <Time at={at} />
    </>,
    GROUP_TITLES[group],
    <>
      <State key="event" tone={TONES[event] ?? 'calm'}>
        {eventWord(group, event)}
      </State>
      {times > 2 && <Soft> {times} times</Soft>}
    </>,
    <>
      {severity !== null && <Soft>{severity} </Soft>}
      <Clip text={name} />
    </>,
    finding === '' ? <Clip text={detailOf(change)} /> : <FindingLinks ids={[finding]} />,
  ];
};

/** What a group shows beside its rows; the word alone carries the meaning. */
export function stateOf(group: DiffGroup, since: string): { readonly tone: Tone; readonly word: string } {
  const counts = countsText(group);
  if (counts !== '') return { tone: 'calm', word: counts };
  return unknownOf(group, since) === ''
    ? { tone: 'good', word: 'nothing has changed' }
    : { tone: 'warn', word: 'nothing seen' };
}

/** In place of rows. */
export function noneOf(record: Diff): string {
  if (split(record).shown.length === 0) return 'Nothing has changed.';
  return record.groups.every(({ whole }) => whole)
    ? 'There is nothing to list; what was only counted is below.'
    : 'No change was seen, but not all is known: see below.';
}

/** All groups: how much, what is not known, and where more is. */
function Groups({ record }: { record: Diff | null }) {
  return (
    <ul class="lined diff-groups">
      {(Object.keys(GROUP_TITLES) as DiffGroup['id'][]).map((id) => {
        const group = record?.groups.find((one) => one.id === id);
        const state = group && stateOf(group, record?.since ?? '');
        const unknown = group === undefined ? '' : unknownOf(group, record?.since ?? '');
        return (
          <li key={id}>
            <Link to={PLACES[id]}>{GROUP_TITLES[id]}</Link>{' '}
            {state === undefined ? <Soft>not read</Soft> : <State tone={state.tone}>{state.word}</State>}
            <div class="soft small">
              <Clip text={unknown} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Changes() {
  const { actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const [since, setSince] = useState<Since>('24h');
  const { record, trouble, busy, ask } = useAsked('/diff', { since }, box);
  const rows = useMemo(() => record && rowsOf(record), [record]);
  const none = record === null ? '' : noneOf(record);
  const off = actions === null || record === null;
  const table = useMemo(
    () => (
      <Listed
        name="diff"
        box={box}
        caption="Changes by kind: findings the most severe first, the rest the newest first"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ group, change }) => `${group} ${JSON.stringify(change)}`}
        cells={cellsOf}
        busy={busy}
        trouble={trouble}
        none={none}
        note={record?.booted ? ['The machine started at ', <Time key="at" at={record.booted} />, '.'] : null}
        path="/diff"
        command="desk diff"
      />
    ),
    [rows, busy, trouble, actions === null, none],
  );
  return (
    <Section
      id="changes"
      title="Changes"
      aside={<Said at={record?.ts ?? null}>{rows !== null && plural(rows.length, 'change')}</Said>}
    >
      <div class="row table-tools listed-tools">
        <Choice
          legend="Since when"
          name="diff-since"
          options={PERIODS}
          value={since}
          disabled={off}
          choose={(value) => {
            setSince(value);
            ask({ since: value });
          }}
        />
        <button
          type="button"
          class="button"
          disabled={actions === null || busy}
          onClick={() => ask({ since })}
        >
          {busy ? 'Reading' : 'Read again'}
        </button>
      </div>
      {table}
      <Groups record={record} />
      <p class="soft small">
        Counted, not listed: what packages changed in startup places, what lasted less than a minute,
        listeners that closed and opened again, and low findings that were resolved. Programs count once they
        have run for five minutes.
      </p>
    </Section>
  );
}

export const DiffPage = () => (
  <DeskFrame path="/diff.html">
    <div class="page-head">
      <h1>What has changed</h1>
      <p class="soft">
        Findings, startup places, accounts, listeners, programs, packages and certificates, and when the desk
        could not see. Read when you open the page and when you ask.
      </p>
    </div>
    <Changes />
  </DeskFrame>
);
