/** Hand-made probe results of the public site. By default the site is healthy. */
import type { SiteLine, SiteProbe } from '../../src/records/site-probe.ts';

/** 2026-01-02T03:04:05Z. */
export const PROBED_MS = 1_767_323_045_000;

export const siteProbe = (parts: Partial<SiteProbe> = {}): SiteProbe => ({
  atMs: PROBED_MS,
  url: 'https://example.org',
  status: 200,
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
