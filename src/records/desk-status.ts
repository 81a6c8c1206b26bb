/** The desk status record: the whole desk at one time. */
import { z } from 'zod';
import { localTime } from '../engine/time.ts';
import { chargeReport } from './charge-report.ts';
import { constant, count, embed, field, flag, group, prose, type RecordOf, record, text } from './define.ts';
import { deskPorts, portsUp, scarCount } from './derive.ts';
import { live } from './desk-hygiene.ts';
import { antivirus, securityLearn } from './groups/antivirus.ts';
import { iron } from './groups/iron.ts';
import * as links from './links.ts';
import { deskIssues } from './problems.ts';
import type { DeskState } from './state.ts';
import * as texts from './texts.ts';
import { GRADES, verdictOf } from './verdict.ts';

const grade = z.enum(GRADES);
const link = (meaning: string, from: (state: DeskState) => string) => field(text, meaning, from);
const own = (on: typeof links.office, path: string, meaning: string) => link(meaning, (m) => on(m, path));
const configuredLink = (name: keyof DeskState['desk']['config']['links'], meaning: string) =>
  link(meaning, (m) => m.desk.config.links[name]);

const configured = (name: keyof DeskState['desk']['config']['identity'], meaning: string) =>
  field(text, meaning, (m) => m.desk.config.identity[name]);
const date = z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/);

/** The password is not a field. */
const identity = group('Mail and social identity from [identity]; "" where not configured', {
  from_name: configured('from_name', 'display name of the desk mailbox'),
  address: configured('address', 'mail address of the desk'),
  user: configured('user', 'mail address used as the user name'),
  imap_host: configured('imap_host', 'IMAP server'),
  imap_port: constant(993, 'IMAP over TLS'),
  imap_user: configured('imap_user', 'user name at the IMAP server'),
  smtp_host: configured('smtp_host', 'SMTP server'),
  smtp_port: constant(465, 'SMTP over TLS'),
  smtp_user: configured('smtp_user', 'user name at the SMTP server'),
  ssl_mode: constant('ssl', 'TLS from the first byte; STARTTLS is not used'),
  provider: configured('provider', 'name of the mail provider'),
  webmail: configured('webmail', 'link to the webmail'),
  notes: configured('notes', 'notes of the configuration'),
  updated: field(date, 'local date of the configuration file; "" without a file', (m) => m.desk.configDate),
  social_handle: configured('social_handle', 'handle of the social account'),
  social_did: configured('social_did', 'decentralised identifier of the social account'),
  social_url: configured('social_url', 'link to the social account'),
});

/** The scar count of the desk status, explained again under `atoms_adjoin.SCAR`. */
const scarField = field(
  count,
  'findings of severity medium or above that neither baseline nor law explains; 0 is clean',
  scarCount,
);

/** The meaning of another field, said by that field itself. */
const meaningOf = ({ meaning }: { readonly meaning: string }, path: string) =>
  prose(meaning, `what ${path} measures, generated from its own line`);
const { bgs } = iron.shape;
const words = texts.constellation;
const { gate, language, sliders } = words;

const constellation = group('The interface\u2019s own words and what they mean', {
  foundation: constant(words.foundation, 'the seven words of the foundation'),
  kit: constant(texts.KIT, 'name of the gate kit'),
  sliders: group('How a verdict is ranked and in which order', {
    NO: prose(sliders.NO, 'what a no is'),
    NOT: prose(sliders.NOT, 'what neither yes nor no is'),
    rank: prose(sliders.rank, 'the ranks of severity'),
    order: prose(sliders.order, 'the order of the pipeline'),
  }),
  line: prose(words.line, 'the rule behind the records'),
  atoms_adjoin: group('What each atom measures', {
    SOUL: meaningOf(live.shape.atoms.shape.SOUL, 'live.atoms.SOUL'),
    EZZIE: meaningOf(iron.shape.EZZIE, 'iron.EZZIE'),
    ESSIE: meaningOf(iron.shape.ESSIE, 'iron.ESSIE'),
    PHI: meaningOf(iron.shape.PHI, 'iron.PHI'),
    THERMO: meaningOf(iron.shape.THERMO, 'iron.THERMO'),
    ADJOIN: meaningOf(iron.shape.adjoin, 'iron.adjoin'),
    ARE: meaningOf(live.shape.pids, 'live.pids'),
    IS: meaningOf(bgs.shape.know_her, 'iron.bgs.know_her'),
    SCAR: meaningOf(scarField, 'scar_count'),
  }),
  scar: prose(words.scar, 'what a scar is'),
  c_is_flaw: constant(true, 'C, the unexplained residue, is a flaw'),
  c_is_not_god: constant(true, 'C is never the authoritative generation'),
  baphomet_speech: prose(words.speech, 'how the gate answers'),
  baphomet_plus: prose(words.plus, 'what it keeps beside the answer'),
  baphomet_word: prose(words.word, 'what the word names'),
  baphomet_meaning: prose(words.meaning, 'what is meant and what is not'),
  baphomet_gate: group('The scar gate', {
    kit: constant(texts.KIT, 'name of the gate kit'),
    clean_path: prose(gate.clean, 'what happens without scars'),
    dirty_path: prose(gate.dirty, 'what happens with scars'),
    rest: prose(gate.rest, 'when it does not run'),
    pipeline: prose(gate.pipeline, 'its steps in order'),
  }),
  flat: prose(words.flat, 'the shape of the data'),
  linear: prose(words.linear, 'the cost of a recheck'),
  language: group('How to read the records', {
    travel: prose(language.travel, 'the way facts travel'),
    read: prose(language.read, 'where to begin'),
    word_end: constant(language.wordEnd, 'the three closing words'),
    iron_rhyme: prose(language.ironRhyme, 'which numbers agree'),
    sheet: prose(language.sheet, 'file in the package that explains every word'),
  }),
  hostess7: constant(words.hostess7, 'the seven of the first constellation'),
  first_constellation: constant(words.hostess7[0], 'the first of the seven'),
  constellation_n: constant(7, 'how many they are'),
  always_hostess7: constant(true, 'they are always these seven'),
  hostess_note: prose(words.hostessNote, 'who the hostess is'),
  charges_not_stars: constant(words.chargesNotStars, 'the five charges'),
  superior_teammate: prose(words.superiorTeammate, 'what the assistant is'),
  grin: prose(words.grin, 'what gold means'),
  desk_av: prose(words.deskAv, 'where the hygiene record is'),
  multiarch: constant(words.multiarch, 'CPU marks the native build has'),
  share: field(text, 'link from [links] share', (m) => m.desk.config.links.share),
  core_pins: group('What the short names pin down', {
    bgs: prose(
      `${bgs.meaning}: ${bgs.shape.know_her.meaning}; ${bgs.shape.field_one.meaning}`,
      'the prose of those fields, generated',
    ),
    bgf: meaningOf(iron.shape.bgf, 'iron.bgf'),
    bgl: meaningOf(iron.shape.bgl, 'iron.bgl'),
    sdf: meaningOf(securityLearn.shape.field_dirt, 'security_learn.field_dirt'),
    spv: meaningOf(antivirus.shape.spv_pids, 'antivirus.spv_pids'),
    line: meaningOf(iron.shape.line, 'iron.line'),
  }),
});

export const isDeskOk = (state: DeskState): boolean => verdictOf(state).ok;

export const deskStatus = record('DeskStatus', 'Status of the whole desk', {
  ts: field(text, 'local time of the snapshot, without offset', (m) => localTime(m.snapshot.at)),
  ok: field(
    flag,
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
    deskIssues,
  ),
  atomic: group('Probe of the public site', {
    https: field(
      z.int().min(0).max(999),
      'HTTP status of the last probe; 0 unreachable',
      (m) => m.desk.site.status,
    ),
    url: link(
      'URL that was probed; the embedded public page when no site is configured',
      (m) => m.desk.site.url,
    ),
    role: prose('public-site', 'what the probed address is to the desk'),
  }),
  scar_count: scarField,
  ports_up: field(count, 'desk ports with a TCP listener', portsUp),
  ports_n: field(
    count,
    'desk ports: [[ports]], else the enabled listeners of the service',
    (m) => deskPorts(m).length,
  ),
  nav: group('Links for people; "" = not configured or not served', {
    claws: configuredLink('claws', 'mail client page from [links]'),
    employee: own(
      links.office,
      '/',
      'the employee desk; its pages on the control listener while the office is not bound',
    ),
    magazine: link('the magazine', links.magazine),
    themed_local_optional: link('the themed page, while it is served', links.themed),
    links: link(
      '[links] links, else the links page of the office',
      (m) => m.desk.config.links.links || links.office(m, '/links.html'),
    ),
    source_desk: configuredLink('source_desk', 'source of the desk from [links]'),
    join: configuredLink('join', 'where to join, from [links]'),
    issue7: configuredLink('issue7', 'issue 7 from [links]'),
    hostess7: own(links.office, '/hostess7.html', 'the hostess page'),
    h7_charge: own(links.control, '/h7/charge', 'the charge report'),
    email: link('mailto link to the address of [identity]', links.mailto),
    provider_webmail: link('webmail from [links] or [identity]', links.webmail),
  }),
  cli: group('Commands that run as printed', {
    boot: prose('desk boot', 'starts the service'),
    scar: prose('desk scar check', 'runs the scar gate'),
    web: prose('desk web check', 'checks the desk ports'),
    stats: prose('desk stats', 'counts, times and sizes'),
    mail: prose('desk mail', 'mail identity and its checks'),
    public: prose('desk public', 'site probe and links'),
  }),
  constellation,
  identity,
  hostess_charge: embed(chargeReport, 'the charge report of the same snapshot'),
  iron,
  whole_stick: group('Links to the parts of the desk; "" = not configured or nothing answers there', {
    public_site: own(links.publicSite, '/', 'the public site'),
    magazine: link('the magazine', links.magazine),
    hostess7_public: configuredLink('hostess7_public', 'the public hostess page from [links]'),
    source_desk: configuredLink('source_desk', 'source of the desk from [links]'),
    issue7: configuredLink('issue7', 'issue 7 from [links]'),
    wp_admin: configuredLink('wp_admin', 'administration of the site from [links]'),
    email: own(links.publicSite, '/email/', 'the mail page'),
    provider_webmail: link('webmail from [links] or [identity]', links.webmail),
    claws_local: own(links.office, '/email/', 'the mail page of the office'),
    office_local: own(links.office, '/', 'the employee desk, as nav.employee'),
    h7_charge: own(links.control, '/h7/charge', 'the charge report'),
    law: prose(texts.law, 'what judging goes by'),
  }),
  law: prose(texts.law, 'what judging goes by'),
});

export type DeskStatus = RecordOf<typeof deskStatus>;
