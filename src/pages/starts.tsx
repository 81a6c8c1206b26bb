/** What starts by itself: what nothing vouches for, or everything; by user, kind of place, time and words. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StartupAnswer } from '../records/startup.ts';
import { vouchedWords } from '../records/startup-words.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { Severity } from './findings.tsx';
import { FindingLinks, Listed, matches, NotRead, OfContainer, Said } from './listed.tsx';
import { Clip } from './long.tsx';
import { Choice, number, Section, Soft, State, Time } from './parts.tsx';
import { Search, Select } from './table-tools.tsx';

type Entry = StartupAnswer['entries'][number];
type Show = 'unvouched' | 'all';

const SHOWS = [
  ['unvouched', 'no package vouches'],
  ['all', 'everything'],
] as const;

const DAY_MS = 86_400_000;
/** Of the last change, in days. */
const TIMES = [
  ['', 'changed at any time'],
  ['1', 'in the last day'],
  ['7', 'in the last 7 days'],
  ['30', 'in the last 30 days'],
] as const;

function What({ entry, show }: { entry: Entry; show: Show }) {
  const { severity, vouched, runs, path, link, name } = entry;
  const known = show === 'all' && (vouched === 'package' || vouched === 'earlier');
  return (
    <>
      {!known && <Severity of={severity} />}{' '}
      <code class="starts-runs">
        <Clip text={runs} />
      </code>
      <span class="path soft">
        {path}
        {link !== '' && ` → ${link}`}
        {name !== '' && `, ${name}`}
      </span>
    </>
  );
}

const COLUMNS = [
  { head: 'What' },
  { head: 'As', class: 'whole' },
  { head: 'When' },
  { head: 'Vouched for by' },
  { head: 'Changed', class: 'whole' },
  { head: 'Finding' },
] as const;

function cellsOf(entry: Entry, show: Show) {
  const { user, title, when, changed, findings } = entry;
  const { tone, word, more } = vouchedWords(entry, show);
  return [
    <What key="what" entry={entry} show={show} />,
    user,
    <>
      {title}: <Soft>{when}</Soft>
    </>,
    <>
      <State tone={tone}>{word}</State> <Soft>{more}</Soft>
    </>,
    <Time key="changed" at={changed} part="day" />,
    findings.length > 0 ? <FindingLinks ids={findings} /> : null,
  ];
}

/** Values that occur, each with its count, behind "any". */
function options(
  any: string,
  entries: readonly Entry[],
  of: (entry: Entry) => readonly [value: string, label: string],
): readonly (readonly [string, string])[] {
  const counts = new Map<string, { label: string; count: number }>();
  for (const entry of entries) {
    const [value, label] = of(entry);
    counts.set(value, { label, count: (counts.get(value)?.count ?? 0) + 1 });
  }
  const listed = [...counts].map(
    ([value, { label, count }]) => [value, `${label} (${number(count)})`] as const,
  );
  return [['', any], ...listed.sort(([, one], [, other]) => (one < other ? -1 : 1))];
}

interface Filter {
  readonly query: string;
  readonly user: string;
  readonly place: string;
  readonly days: string;
}

/** `now`: RFC 3339. */
export const filtered = (entries: readonly Entry[], now: string, by: Filter): readonly Entry[] => {
  const since = by.days === '' ? 0 : Date.parse(now) - Number(by.days) * DAY_MS;
  return entries.filter(
    (entry) =>
      (by.user === '' || entry.user === by.user || entry.user === 'each user') &&
      (by.place === '' || entry.place === by.place) &&
      Date.parse(entry.changed) >= since &&
      matches(by.query, [entry.runs, entry.path, entry.link, entry.user, entry.title, entry.package]),
  );
};

const noteOf = ({ packaged, files }: StartupAnswer): string =>
  `${packaged > 0 ? `A package vouches for ${number(packaged)} more that are not listed. ` : ''}${number(files)} files were read. ` +
  'An entry without a finding was learned or accepted, or is not judged yet.';

const NO_FILTER: Filter = { query: '', user: '', place: '', days: '' };

export function Starts() {
  const { actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const [show, setShow] = useState<Show>('unvouched');
  const [by, filterBy] = useState(NO_FILTER);
  useEffect(() => {
    // An address that names a file shows what that starts, vouched for or not.
    const find = new URLSearchParams(location.search).get('find') ?? '';
    if (find === '') return;
    setShow('all');
    filterBy({ ...NO_FILTER, query: find });
  }, []);
  const { record, trouble, busy, ask } = useAsked('/startup', { show, fresh: 'false' }, box);
  const entries = record?.entries ?? [];
  const users = useMemo(() => options('any user', entries, ({ user }) => [user, user]), [record]);
  const places = useMemo(() => options('any place', entries, ({ place, title }) => [place, title]), [record]);
  // What was chosen may occur no more.
  const [user, place] = [
    [users, by.user],
    [places, by.place],
  ].map(([listed, value]) =>
    (listed as typeof users).some(([one]) => one === value) ? (value as string) : '',
  );
  const rows = useMemo(
    () => record && filtered(record.entries, record.ts, { ...by, user: user ?? '', place: place ?? '' }),
    [record, by],
  );
  const off = actions === null || record === null;
  const set = (change: Partial<Filter>) => filterBy({ ...by, ...change });
  const choose = (value: Show) => {
    setShow(value);
    // What is chosen may not occur there.
    set({ user: '', place: '' });
    ask({ show: value, fresh: 'false' });
  };
  const table = useMemo(
    () => (
      <Listed
        name="starts"
        box={box}
        caption="What starts by itself, the most severe first"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ place, path, name, runs, when }) => [place, path, name, runs, when].join('\n')}
        cells={(entry) => cellsOf(entry, show)}
        busy={busy}
        trouble={trouble}
        none={
          by !== NO_FILTER && entries.length > 0
            ? 'No entry matches the filter.'
            : record !== null &&
                (record.unread.length > 0 || record.packages !== '' || record.container !== '')
              ? 'Nothing was found, and not everything could be read.'
              : 'Nothing starts here that a package does not vouch for.'
        }
        note={record === null ? null : noteOf(record)}
        path="/startup"
        command="desk startup"
      />
    ),
    [rows, show, busy, trouble, actions === null],
  );
  return (
    <Section
      id="starts"
      title="Starts by itself"
      term="startup"
      aside={
        <Said at={record?.read ?? null}>
          {rows !== null && `${number(rows.length)} of ${number(entries.length)} entries`}
        </Said>
      }
    >
      <search class="table-tools listed-tools">
        <Search
          label="Filter entries"
          hint="Filter by command, file, package"
          value={by.query}
          disabled={off}
          search={(query) => set({ query })}
        />
        <Choice
          legend="Which entries"
          name="starts-show"
          options={SHOWS}
          value={show}
          disabled={off}
          choose={choose}
        />
        <button
          type="button"
          class="button"
          disabled={actions === null || busy}
          onClick={() => ask({ show, fresh: 'true' })}
        >
          {busy ? 'Reading' : 'Read again'}
        </button>
        <div class="picks">
          <Select
            label="User"
            options={users}
            value={by.user}
            disabled={off}
            choose={(user) => set({ user })}
          />
          <Select
            label="Kind of place"
            options={places}
            value={by.place}
            disabled={off}
            choose={(place) => set({ place })}
          />
          <Select
            label="Last change of the file"
            options={TIMES}
            value={by.days}
            disabled={off}
            choose={(days) => set({ days })}
          />
        </div>
      </search>
      {table}
      <div class="listed-notes">
        <OfContainer why={record?.container} />
        {record !== null && record.packages !== '' && (
          <p>
            <State tone="warn">not vouched for</State> Packages do not vouch for all files: {record.packages}.
          </p>
        )}
        {record !== null && record.unwatched !== '' && (
          <p>
            <State tone="warn">not watched</State> Some or all changes are found only by the scheduled scan:{' '}
            {record.unwatched}.
          </p>
        )}
        {record !== null && <NotRead all={record.unread} what="not read" />}
      </div>
    </Section>
  );
}
