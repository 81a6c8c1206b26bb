/** What a query can ask of the public site. */
import { type DeskTable, earliest, ownColumn, type QueryDesk, recordTable } from '../../desk/query.ts';
import { SITE } from '../../desk/site-seen.ts';
import { certificateSchema, historyLine, nameSchema, site as record } from '../../records/site.ts';

/** What is known now: a query probes nothing. */
async function siteRecord(desk: QueryDesk) {
  const state = desk.latest() ?? (await desk.state());
  const known = record.assemble({ ...desk.use(SITE).known(), state });
  const notProbed = known.configured && known.probed === null;
  return {
    known,
    gaps: notProbed ? ['the site was not probed yet: desk public probes it'] : [],
    notes: known.configured ? [] : ['no site is configured'],
  };
}

const { shape } = record;
const meaning = (name: keyof typeof shape): string => (shape[name] as { readonly meaning: string }).meaning;

const SITE_COLUMNS = (
  [
    ['name', 'text'],
    ['configured', 'boolean'],
    ['url', 'text'],
    ['status', 'number'],
    ['ok', 'boolean'],
    ['reason', 'text'],
    ['redirect', 'text'],
    ['ms', 'number'],
    ['probed', 'time'],
  ] as const
).map(([name, type]) => ownColumn(name, type, meaning(name), { unit: name === 'ms' ? 'ms' : '' }));

const site = recordTable({
  name: 'site',
  meaning: 'the public site as it was last probed: one row',
  noun: ['site', 'sites'],
  key: ['name'],
  label: 'name',
  columns: SITE_COLUMNS,
  read: async (desk) => {
    const { known, gaps } = await siteRecord(desk);
    // Before the first probe nothing is known of its answer; the embedded page is not probed.
    const before = gaps.length > 0 ? { status: null, ok: null, reason: null, redirect: null } : {};
    const embedded = known.configured ? {} : { ms: undefined, probed: undefined };
    return { rows: [{ ...known, ...before, ...embedded }] };
  },
});

const names = recordTable({
  name: 'site_names',
  meaning: 'names of the public site',
  noun: ['name of the site', 'names of the site'],
  key: ['name'],
  label: 'name',
  columns: [nameSchema],
  read: async (desk) => {
    const { known, gaps, notes } = await siteRecord(desk);
    return { rows: known.names, gaps, notes };
  },
});

const certificates = recordTable({
  name: 'certificates',
  meaning: 'the certificate that the public site showed',
  noun: ['certificate', 'certificates'],
  key: ['subject'],
  label: 'subject',
  columns: [certificateSchema],
  hints: { times: ['valid_to'], units: { days: 'days' } },
  read: async (desk) => {
    const { known, gaps, notes } = await siteRecord(desk);
    const silent = known.configured && known.status === 0 && gaps.length === 0;
    return {
      rows: known.certificate === null ? [] : [known.certificate],
      gaps: silent ? [`the site did not answer: ${known.reason}`] : gaps,
      notes,
    };
  },
});

const history = recordTable({
  name: 'site_history',
  meaning: 'probes of the public site: one row for each change, and one every hour, the newest first',
  noun: ['line of the history of the site', 'lines of the history of the site'],
  key: ['at'],
  label: 'changed',
  time: 'at',
  columns: [historyLine],
  hints: { times: ['at'], units: { ms: 'ms' } },
  read: async (desk) => {
    const { known, gaps, notes } = await siteRecord(desk);
    return { rows: known.history, gaps, notes, fromMs: earliest(known.history.map(({ at }) => at)) };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [site, names, certificates, history];
