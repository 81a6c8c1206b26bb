/** The answers of a desk in this process (`--local`), by method and path, assembled from the same records. */
import { AVENUE_IDS, type AvenueId } from '../checks/check.ts';
import { type Desk, DeskError } from '../desk.ts';
import { acceptanceFor } from '../features/law/accept.ts';
import { now } from '../now.ts';
import { SEVERITIES } from '../policy/severity.ts';
import { baselineDiff } from '../records/baseline-diff.ts';
import { chargeReport } from '../records/charge-report.ts';
import { cook } from '../records/cook.ts';
import { deskHygiene } from '../records/desk-hygiene.ts';
import { deskStatus } from '../records/desk-status.ts';
import { detection } from '../records/detection.ts';
import { findingDetail } from '../records/finding-detail.ts';
import { liveView } from '../records/live.ts';
import { mailCheck, mailState, mailTest } from '../records/mail.ts';
import { page } from '../records/page.ts';
import { type Quarantined, quarantine } from '../records/quarantine.ts';
import { scar, scarCheck } from '../records/scar.ts';
import { readyz, version } from '../records/service.ts';
import { site } from '../records/site.ts';
import { think } from '../records/talk.ts';

type Answering = (desk: Desk, url: URL, body: unknown) => Promise<unknown>;

const oneOf = <T extends string>(known: readonly T[], value: string | null, what: string): T | undefined => {
  if (value === null) return undefined;
  const match = known.find((one) => one === value);
  if (match === undefined)
    throw new DeskError('usage', `There is no ${what} "${value}".`, `Use one of ${known.join(', ')}.`);
  return match;
};

const quarantined = (desk: Desk, action: 'list' | 'restore' | 'purge', files: readonly Quarantined[]) =>
  quarantine.assemble({
    ts: now(),
    action,
    folder: desk.quarantine.folder,
    files,
  });

/** Whether such a request touches anything beside the records. */
export const changes = (request: string, body: unknown): boolean =>
  request === 'POST /cook'
    ? (body as { mode: 'check' | 'cook' }).mode === 'cook'
    : /^POST \/(?:av|field|quarantine)\//.test(request);

export const localAnswers: Readonly<Record<string, Answering>> = {
  'GET /status': async (desk) => deskStatus.assemble(await desk.moment()),
  'GET /h7/page': async (desk) => page.assemble(await desk.moment()),
  'GET /h7/charge': async (desk) => chargeReport.assemble(await desk.moment()),
  'GET /av': async (desk) => deskHygiene.assemble(await desk.moment()),
  'GET /h7/live': async (desk) => liveView.assemble({ moment: await desk.moment(), ageMs: 0, before: null }),
  'GET /version': async (desk) => version.assemble({ ...desk.facts(), moment: await desk.moment() }),
  'GET /readyz': async (desk) => readyz.assemble(desk.readiness()),
  'GET /site': async (desk) => site.assemble(await desk.site()),
  'GET /scar': async (desk) => scar.assemble(await desk.moment()),
  'POST /scar/check': async (desk) => scarCheck.assemble(await desk.scarCheck()),
  'POST /cook': async (desk, _url, body) =>
    cook.assemble(await desk.cook((body as { mode: 'check' | 'cook' }).mode)),
  'POST /av/close': async (desk) => cook.assemble(await desk.avClose('cook')),
  'POST /field/clear': async (desk, _url, body) =>
    cook.assemble(await desk.fieldClear((body as { mode: 'soft' | 'resolute' }).mode)),
  'GET /quarantine': async (desk) => quarantined(desk, 'list', desk.quarantine.list()),
  'POST /quarantine/restore': async (desk, _url, body) =>
    quarantined(desk, 'restore', [desk.quarantine.restore((body as { id: string }).id)]),
  'POST /quarantine/purge': async (desk, _url, body) => {
    const { id, older_than_sec: olderThanSec = 0 } = body as { id?: string; older_than_sec?: number };
    return quarantined(desk, 'purge', desk.quarantine.purge(id === undefined ? { olderThanSec } : { id }));
  },
  'GET /mail': async (desk) => mailState.assemble(await desk.moment()),
  'POST /mail/check': async (desk) => mailCheck.assemble({ ts: now(), ...(await desk.mail.check()) }),
  'POST /mail/test': async (desk, _url, body) =>
    mailTest.assemble({ ts: now(), ...(await desk.mail.test((body as { to?: string }).to)) }),
  'GET /baseline/diff': async (desk) => baselineDiff.assemble(await desk.baseline.difference()),
  'GET /detection': async (desk, url) => {
    const since = url.searchParams.get('since') ?? undefined;
    if (since !== undefined && Number.isNaN(Date.parse(since)))
      throw new DeskError(
        'usage',
        `"${since}" is no RFC 3339 time.`,
        'Write e.g. 2025-01-31T08:00:00+01:00.',
      );
    return detection.assemble({
      moment: await desk.moment(),
      avenue: oneOf<AvenueId>(AVENUE_IDS, url.searchParams.get('avenue'), 'avenue'),
      severity: oneOf(SEVERITIES, url.searchParams.get('severity'), 'severity'),
      since,
    });
  },
  'GET /findings/:id': async (desk, url) => {
    const id = decodeURIComponent(url.pathname.slice('/findings/'.length));
    const moment = await desk.moment();
    const found = desk.finding(id);
    if (found === undefined)
      throw new DeskError('not-found', `There is no finding ${id}.`, 'List them with "desk findings".');
    return findingDetail.assemble({ moment, ...found, acceptance: acceptanceFor(found.finding) });
  },
  'POST /h7/think': async (desk, _url, body) => {
    const { message } = body as { message: string };
    return think.assemble({ message, ...(await desk.think(message, { mayKnowPeople: true })) });
  },
};
