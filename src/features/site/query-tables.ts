/** What a query can ask of the public site, and of all sites that are watched. */
import { type DeskTable, earliest, ownColumn, type QueryDesk, recordTable } from '../../desk/query.ts';
import { SITE } from '../../desk/site-seen.ts';
import { SITES } from '../../desk/sites-seen.ts';
import { certificateSchema, historyLine, nameSchema, site as record } from '../../records/site.ts';
import { siteDown, type WatchedSite, watchedSite } from '../../records/sites.ts';

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

const UPTIMES = [
  ['day', 'the last 24 hours'],
  ['week', 'the last 7 days'],
  ['month', 'the last 30 days'],
  ['quarter', 'the last 90 days'],
] as const;

/** Per cent, so that they read like other shares. */
const uptimeColumns = UPTIMES.flatMap(([key, words]) => [
  ownColumn(`up_${key}`, 'number', `time up within ${words}, of the time that is known`, { unit: '%' }),
  ownColumn(`known_${key}`, 'number', `how much of ${words} is known`, { unit: '%' }),
]);

const hundredfold = (share: number | null): number | null => share && Math.floor(share * 1e6) / 1e4;

const uptimeCells = ({ uptime }: WatchedSite) =>
  Object.fromEntries(
    UPTIMES.flatMap(([key]) => [
      [`up_${key}`, hundredfold(uptime[key].up)],
      [`known_${key}`, hundredfold(uptime[key].known)],
    ]),
  );

const NO_SITES = 'no site is configured';

const watched = recordTable({
  name: 'sites',
  meaning: 'every site that is watched: the public site, and those of [[sites]]',
  noun: ['watched site', 'watched sites'],
  key: ['name'],
  label: 'name',
  columns: [watchedSite, ...uptimeColumns],
  hints: {
    times: ['since', 'probed', 'certificate_ends'],
    units: { ms: 'ms', every_sec: 's', certificate_days: 'days' },
    unknownAs: { state: 'unknown' },
    noneWhenNull: ['certificate_ends', 'certificate_days'],
  },
  read: (desk) => {
    const known = desk.use(SITES).known();
    const rows = known.map((one) => {
      const { everySec, certificateEnds, certificateDays, ...rest } = one;
      const certificate = { certificate_ends: certificateEnds, certificate_days: certificateDays };
      // Before the first probe nothing is known of its answer.
      const before = one.probed === null ? { status: null, reason: null, failing: null } : {};
      return { ...rest, ...certificate, ...uptimeCells(one), ...before, every_sec: everySec };
    });
    const unprobed = known.filter(({ probed }) => probed === null).map(({ name }) => name);
    return {
      rows,
      gaps: unprobed.length === 0 ? [] : [`not probed yet: ${unprobed.join(', ')}`],
      notes: known.length === 0 ? [NO_SITES] : [],
    };
  },
});

const downs = recordTable({
  name: 'site_downs',
  meaning: 'when sites were down within 90 days',
  noun: ['time a site was down', 'times a site was down'],
  key: ['site', 'from'],
  label: 'site',
  time: 'from',
  columns: [ownColumn('site', 'text', 'name of the site'), siteDown],
  hints: { times: ['from', 'to'], units: { seconds: 's' }, noneWhenNull: ['to'] },
  read: (desk) => {
    const known = desk.use(SITES).known();
    return {
      rows: known.flatMap((one) => one.downs.map((down) => ({ site: one.name, ...down }))),
      gaps: known
        .filter(({ uptime }) => uptime.quarter.known < 0.995)
        .map(({ name, uptime }) => `${name}: ${hundredfold(uptime.quarter.known)} % of 90 days are known`),
      notes: known.length === 0 ? [NO_SITES] : [],
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [site, names, certificates, history, watched, downs];
