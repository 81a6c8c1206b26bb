/** The desk status record: the whole desk at one moment. */
import { z } from 'zod';
import { localTime } from '../engine/time.ts';
import { chargeReport } from './charge-report.ts';
import { count, embed, field, group, prose, type RecordOf, record } from './define.ts';
import { deskPorts } from './derive.ts';
import { constellation, scarField } from './groups/constellation.ts';
import { identity } from './groups/identity.ts';
import { iron } from './groups/iron.ts';
import * as links from './links.ts';
import type { Moment } from './moment.ts';
import { deskIssues } from './problems.ts';
import * as texts from './texts.ts';
import { GRADES, verdictOf } from './verdict.ts';

const text = z.string();
const grade = z.enum(GRADES);
const link = (meaning: string, from: (moment: Moment) => string) => field(text, meaning, from);

export const isDeskOk = (moment: Moment): boolean => verdictOf(moment).ok;

export const deskStatus = record('DeskStatus', 'Status of the whole desk at one moment', {
  ts: field(text, 'local time of the snapshot, without offset', (m) => localTime(m.snapshot.at)),
  ok: field(
    z.boolean(),
    'no scar, the gate is open, the loop and every configured duty run, enough could be seen, every required port is up, the control port is served, the configured site answers 2xx or 3xx, the configuration file is in force, and port 8766 is down',
    isDeskOk,
  ),
  grade: field(
    grade,
    'lead when port 8766 is up; else bronze with a critical scar, silver with any scar, a duty that fails or too much that could not be seen, else gold; ports and site do not change it',
    (m) => verdictOf(m).grade,
  ),
  issues: field(
    z.array(text),
    'one sentence per reason for not being ok, with its remedy; empty exactly when ok',
    (m) => [...deskIssues(m)],
  ),
  atomic: group('Probe of the public site', {
    https: field(
      z.int().min(0).max(999),
      'HTTP status of the last probe; 0 unreachable',
      (m) => m.desk.site.status,
    ),
    url: link('what was probed; the embedded public page when no site is configured', (m) => m.desk.site.url),
    role: prose('public-site', 'what the probed address is to the desk'),
  }),
  scar_count: scarField,
  ports_up: field(count, 'desk ports with a TCP listener', (m) => deskPorts(m).filter(({ up }) => up).length),
  ports_n: field(
    count,
    'desk ports: [[ports]], else the enabled listeners of the service',
    (m) => deskPorts(m).length,
  ),
  nav: group('Links for people; "" = not configured or nothing answers there', {
    claws: link('mail client page from [links]', (m) => m.desk.config.links.claws),
    employee: link(
      'the employee desk; its pages on the control listener while the office is not bound',
      (m) => links.office(m, '/'),
    ),
    magazine: link('the magazine', links.magazine),
    themed_local_optional: link('the themed page, while it is served', links.themed),
    links: link(
      '[links] links, else the links page of the office',
      (m) => m.desk.config.links.links || links.office(m, '/links.html'),
    ),
    source_desk: link('source of the desk from [links]', (m) => m.desk.config.links.source_desk),
    join: link('where to join, from [links]', (m) => m.desk.config.links.join),
    issue7: link('issue 7 from [links]', (m) => m.desk.config.links.issue7),
    hostess7: link('the hostess page', (m) => links.office(m, '/hostess7.html')),
    h7_charge: link('the charge report', (m) => links.control(m, '/h7/charge')),
    email: link('mailto link to the address of [identity]', links.mailto),
    provider_webmail: link('webmail from [links] or [identity]', links.webmail),
  }),
  cli: group('Commands that run as printed', {
    boot: prose('desk boot', 'starts the service'),
    scar: prose('desk scar check', 'runs the scar gate'),
    web: prose('desk web check', 'looks at the desk ports'),
    stats: prose('desk stats', 'counts, times and sizes'),
    mail: prose('desk mail', 'mail identity and its checks'),
    public: prose('desk public', 'site probe and links'),
  }),
  constellation,
  identity,
  hostess_charge: embed(chargeReport, 'the charge report of the same moment'),
  iron,
  whole_stick: group(
    'Everything the desk is made of, as links; "" = not configured or nothing answers there',
    {
      public_site: link('the public site', (m) => links.publicSite(m, '/')),
      magazine: link('the magazine', links.magazine),
      hostess7_public: link(
        'the public hostess page from [links]',
        (m) => m.desk.config.links.hostess7_public,
      ),
      source_desk: link('source of the desk from [links]', (m) => m.desk.config.links.source_desk),
      issue7: link('issue 7 from [links]', (m) => m.desk.config.links.issue7),
      wp_admin: link('administration of the site from [links]', (m) => m.desk.config.links.wp_admin),
      email: link('the mail page', (m) => links.publicSite(m, '/email/')),
      provider_webmail: link('webmail from [links] or [identity]', links.webmail),
      claws_local: link('the mail page of the office', (m) => links.office(m, '/email/')),
      office_local: link('the employee desk, as nav.employee', (m) => links.office(m, '/')),
      h7_charge: link('the charge report', (m) => links.control(m, '/h7/charge')),
      law: prose(texts.law, 'what judging goes by'),
    },
  ),
  law: prose(texts.law, 'what judging goes by'),
});

export type DeskStatus = RecordOf<typeof deskStatus>;
