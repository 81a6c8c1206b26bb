/** What was found, what was explained, and what could not be seen. */
import {
  cellOf,
  type DeskTable,
  ownColumn,
  type QueryDesk,
  type Reach,
  recordTable,
  schemaColumns,
} from '../../desk/query.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Span } from '../../query/time.ts';
import type { Cell, Column, Source } from '../../query/types.ts';
import { titleOf } from '../../records/about.ts';
import { gapsOf } from '../../records/coverage.ts';
import { findingSchema, noteSchema, suppressedSchema } from '../../records/finding.ts';
import { subjectText } from '../../records/finding-words.ts';
import type { DeskState } from '../../records/state.ts';
import { HISTORY } from '../history/api.ts';
import { newestOf } from './machine-tables.ts';

/** Findings that are read of the store, the last changed ones. */
const MOST_STORED = 5_000;

const SUBJECT = ownColumn('subject', 'text', 'what it is about, in words');

const FINDING_HINTS = {
  times: ['first_seen', 'last_seen'],
  ranked: ['severity'],
  // Of an open finding, and where its line was dropped.
  noneWhenNull: ['closed'],
};
const [ID, ...OTHERS] = schemaColumns(findingSchema, FINDING_HINTS);
const FINDING_COLUMNS = [
  ID as (typeof OTHERS)[number],
  ownColumn('state', 'text', 'open, or closed', { values: ['open', 'closed'] }),
  ...OTHERS,
  SUBJECT,
  ownColumn('kind', 'text', 'what kind of thing it is about', {
    values: ['process', 'listener', 'file', 'host', 'desk'],
  }),
  ownColumn('pid', 'number', 'pid of the process that it is about; none for other subjects'),
  ownColumn('port', 'number', 'port of the listener that it is about; none for other subjects'),
  ownColumn('path', 'text', 'path of the file that it is about, or of the executable of its process'),
  ownColumn(
    'program',
    'text',
    'what runs, in a few words that the process chooses; unknown while that was not read',
  ),
  ownColumn('user', 'text', 'user of its process; unknown where that was not read'),
  ownColumn('members', 'number', 'equal fails of the same program and user'),
  { ...ownColumn('closed', 'text', 'when it closed last; none of an open one'), type: 'time' as const },
];

const FIELD_NAMES: Readonly<Record<string, keyof Finding>> = {
  evidence_class: 'evidenceClass',
  first_seen: 'firstSeen',
  last_seen: 'lastSeen',
};

/** Columns that are not fields of a finding. */
const DERIVED: Readonly<Record<string, (row: FindingRow) => Cell>> = {
  title: ({ finding }) => titleOf(finding),
  subject: ({ finding: { subject } }) => subjectText(subject as Parameters<typeof subjectText>[0]),
  kind: ({ finding }) => finding.subject.kind,
  pid: ({ finding: { subject } }) => (subject.kind === 'process' ? subject.pid : undefined),
  port: ({ finding: { subject } }) => (subject.kind === 'listener' ? subject.port : undefined),
  path: ({ finding: { subject } }) => {
    if (subject.kind === 'file') return subject.path;
    return subject.kind === 'process' ? subject.executable || null : undefined;
  },
  program: ({ finding }) => ofProcess(finding, finding.about?.program),
  user: ({ finding }) => ofProcess(finding, finding.about?.user),
  members: ({ finding }) => finding.members.count,
  state: ({ state }) => state,
  closed: ({ state, closedAt }) => (state === 'open' ? undefined : closedAt),
};

interface FindingRow {
  readonly finding: Finding;
  readonly state: 'open' | 'closed';
  readonly closedAt: string | null;
}

/** Of a file or the host there is no process. */
const ofProcess = ({ subject: { kind } }: Finding, value: string | undefined): Cell =>
  kind === 'process' || kind === 'listener' ? value || null : undefined;

/** Cells are made when they are read: titles cost more than everything else. */
function findingSource(rows: readonly FindingRow[], more: Reach): Source {
  return {
    ...more,
    length: rows.length,
    read(name) {
      const column = FINDING_COLUMNS.find((one) => one.name === name) as Column;
      const derived = DERIVED[name];
      const field = FIELD_NAMES[name] ?? (name as keyof Finding);
      return (at) => {
        const row = rows[at] as FindingRow;
        return cellOf(derived === undefined ? row.finding[field] : derived(row), column, FINDING_HINTS);
      };
    },
  };
}

const openRows = ({ judgement }: DeskState): FindingRow[] =>
  judgement.findings.map((finding) => ({ finding, state: 'open', closedAt: null }));

/** Findings of now, those of the store too, or those that were open at a time. */
async function findingRows(
  desk: QueryDesk,
  { atMs, ever, sinceMs }: Span,
): Promise<{ readonly rows: readonly FindingRow[] } & Reach> {
  const state = (await newestOf(desk))();
  // What a check could not judge may be a finding.
  const unseen = gapsOf(state).map(({ reason }) => reason);
  const { length: blind } = state.judgement.notes;
  const judged =
    blind === 0
      ? []
      : [`${blind} ${blind === 1 ? 'check' : 'checks'} could not judge everything: see "blind"`];
  if (!ever && atMs === null) {
    const notes = sinceMs === null ? [] : ['those that are closed by now are not among them: add "ever"'];
    return { rows: openRows(state), gaps: unseen, notes: [...judged, ...notes] };
  }
  const history = desk.find(HISTORY);
  const stored = history?.stored(MOST_STORED, atMs === null ? null : Math.floor(atMs / 1000)) ?? null;
  if (history === null || stored === null)
    return {
      rows: ever ? openRows(state) : [],
      gaps: ['the history of findings could not be read', ...unseen],
    };
  const open = new Set(state.judgement.findings.map(({ id }) => id));
  const past = stored
    .filter(({ finding, wasOpen }) => (atMs === null ? !open.has(finding.id) : wasOpen))
    .map(
      ({ finding, closedAt }): FindingRow => ({
        finding,
        closedAt,
        state: open.has(finding.id) ? 'open' : 'closed',
      }),
    );
  const dropped = Object.values(state.desk.dropped.findings).reduce((sum, count) => sum + count, 0);
  const first = history.firstEvent();
  return {
    rows: atMs === null ? [...openRows(state), ...past] : past,
    gaps: [
      ...(atMs === null ? unseen : []),
      ...(dropped > 0 ? [`${dropped} closed findings are no longer kept`] : []),
      ...(stored.length >= MOST_STORED ? [`only the last ${MOST_STORED} findings are read`] : []),
    ],
    fromMs: first === null ? null : Date.parse(first),
    notes: atMs === null ? [] : ['of a finding that opened and closed many times, not every change is kept'],
  };
}

const findings: DeskTable = {
  table: {
    name: 'findings',
    meaning: 'what fails a check: open findings, with "ever" closed ones too',
    noun: ['finding', 'findings'],
    columns: FINDING_COLUMNS,
    key: ['id'],
    label: 'title',
    time: 'first_seen',
    past: ['at', 'ever'],
    shown: ['id', 'severity', 'check', 'state', 'title', 'first_seen'],
  },
  needs: null,
  async open(desk, span) {
    const { rows, ...more } = await findingRows(desk, span);
    return () => findingSource(rows, more);
  },
};

const excused = recordTable({
  name: 'excused',
  meaning: 'fails that count as passed, because law, baseline or an accepted finding explains them',
  noun: ['explained fail', 'explained fails'],
  key: ['check', 'subject'],
  shown: ['check', 'severity', 'subject', 'source', 'why'],
  columns: [suppressedSchema, SUBJECT],
  hints: { ranked: ['severity'] },
  read: async (desk) => {
    const { suppressed } = (await newestOf(desk))().judgement;
    const text = (subject: Finding['subject']) => subjectText(subject as Parameters<typeof subjectText>[0]);
    return { rows: suppressed.map((one) => ({ ...one, subject: text(one.subject) })) };
  },
});

const blind = recordTable({
  name: 'blind',
  meaning: 'what checks could not judge, and what would cure that',
  noun: ['blind check', 'blind checks'],
  key: ['check', 'reason'],
  label: 'check',
  columns: [noteSchema],
  read: async (desk) => ({ rows: (await newestOf(desk))().judgement.notes }),
});

export const REPORT_TABLES: readonly DeskTable[] = [findings, excused, blind];
