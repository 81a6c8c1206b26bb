/** Hand-made probe results of sites. By default they are healthy. */
import { daysOf } from '../../src/features/site/site-report.ts';
import type { SiteLine, SiteProbe } from '../../src/records/site-probe.ts';
import { type UptimePage, uptimePage, type WatchedSite } from '../../src/records/sites.ts';

/** 2026-01-02T03:04:05Z. */
export const PROBED_MS = 1_767_323_045_000;

export const siteProbe = (parts: Partial<SiteProbe> = {}): SiteProbe => ({
  atMs: PROBED_MS,
  url: 'https://example.org',
  status: 200,
  asked: true,
  ms: 41.27,
  reason: '',
  redirect: '',
  names: [
    { name: 'example.org', resolves: true, addresses: 2, reason: '' },
    { name: 'www.example.org', resolves: true, addresses: 1, reason: '' },
  ],
  certificate: {
    verified: true,
    problem: '',
    subject: 'example.org',
    issuer: 'Example Trust',
    names: ['example.org', 'www.example.org'],
    validTo: '2026-03-13T00:00:00.000Z',
    daysLeft: 69,
    chain: 3,
  },
  magazine: { url: 'https://example.org/magazine/', status: 301, reason: '' },
  ...parts,
});

export const siteLine = (parts: Partial<SiteLine> = {}): SiteLine => ({
  atMs: PROBED_MS,
  ms: 41.27,
  changed: 'first probe',
  state: {
    url: 'https://example.org',
    status: 200,
    reason: '',
    names: 2,
    unresolved: [],
    validTo: '2026-03-13T00:00:00.000Z',
    problem: '',
    magazine: 301,
  },
  ...parts,
});

const DAY_MS = 86_400_000;
const all = { up: 1, known: 1 };

export const watchedSite = (parts: Partial<WatchedSite> = {}): WatchedSite => ({
  name: 'shop',
  main: false,
  url: 'https://shop.example/health',
  state: 'up',
  since: '2026-01-01T00:10:00.000Z',
  failing: false,
  reason: '',
  status: 200,
  ms: 12.5,
  probed: '2026-01-02T03:04:05.000Z',
  everySec: 60,
  certificateEnds: '2026-03-13T00:00:00.000Z',
  certificateDays: 69,
  advice: [],
  uptime: { day: { up: 0.9998, known: 0.5 }, week: all, month: all, quarter: { up: null, known: 0 } },
  downs: [
    {
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-01T00:10:00.000Z',
      seconds: 600,
      reason: 'nothing listens there, start the server',
    },
  ],
  ...parts,
});

/** Known for 30 days, with ten minutes down on the last but one. */
const spans = [
  { state: 'up' as const, fromMs: PROBED_MS - 30 * DAY_MS, toMs: PROBED_MS - DAY_MS, reason: '' },
  { state: 'down' as const, fromMs: PROBED_MS - DAY_MS, toMs: PROBED_MS - DAY_MS + 600_000, reason: 'x' },
  { state: 'up' as const, fromMs: PROBED_MS - DAY_MS + 600_000, toMs: PROBED_MS, reason: '' },
];

/** What the status page shows of sites. */
export const statusPage = (title = 'Services', sites: readonly WatchedSite[] = [watchedSite()]): UptimePage =>
  uptimePage.assemble({
    title,
    sites: sites.map((site) => ({ ...site, days: daysOf(spans, PROBED_MS) })),
  });
