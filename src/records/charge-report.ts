/** The charge report of the hostess component (`H7_CHARGE`). */
import { z } from 'zod';
import { localTime } from '../engine/time.ts';
import { constant, count, field, flag, group, prose, type RecordOf, record, text } from './define.ts';
import { type DutyName, inCharge, learned, processesBlind, siteGood, temperature } from './derive.ts';
import { antivirus, securityLearn } from './groups/antivirus.ts';
import { warMachine } from './groups/war-machine.ts';
import * as links from './links.ts';
import { chargeIssues, improvements, knowsImprovements } from './problems.ts';
import type { DeskState } from './state.ts';
import * as texts from './texts.ts';

const known = count.nullable();

const isChargeOk = (state: DeskState): boolean => chargeIssues(state).length === 0;

const ofBaseline = (name: 'seenAgain' | 'identities' | 'rows', meaning: string) =>
  field(known, meaning, (m) => (learned(m) ? m.desk.baseline[name] : null));
const link = (on: typeof links.office, path: string, meaning: string) =>
  field(text, meaning, (m) => on(m, path));

const duty = (name: DutyName, meaning: string) => field(flag, meaning, (m) => inCharge(m, name));

function chargeLine(state: DeskState): string {
  const names = Object.keys(state.desk.duties) as DutyName[];
  const failing = names.filter((name) => state.desk.duties[name].configured && !inCharge(state, name));
  const parts = [
    ['in charge of', names.filter((name) => inCharge(state, name))],
    ['failing', failing],
    ['not configured', names.filter((name) => !state.desk.duties[name].configured)],
  ] as const;
  return parts
    .filter(([, list]) => list.length > 0)
    .map(([words, list]) => `${words}: ${list.join(', ')}`)
    .join('; ');
}

/** Every running identity could be seen and is in the learned baseline, and no learning window is open. */
const fullLearned = (state: DeskState): boolean =>
  learned(state) &&
  !processesBlind(state) &&
  !state.desk.baseline.windowOpen &&
  state.desk.baseline.runningKnown >= state.snapshot.counts.identities;

/** The loop's own CPU stays under this share of one core. */
const FREE_SHARE = 0.001;
const zeroOverhead = ({ desk }: DeskState): boolean =>
  !desk.loop.on || (desk.loop.cpuShare !== null && desk.loop.cpuShare < FREE_SHARE);

/** `POST http://… with {"message": "…"}`; "" while not served. */
const endpoint = (state: DeskState, method: 'GET' | 'POST', path: string, body = ''): string => {
  const url = links.control(state, path);
  if (url === '') return '';
  return body === '' ? `${method} ${url}` : `${method} ${url} with ${body}`;
};

export const chargeReport = record(
  'ChargeReport',
  'What the hostess component is in charge of, with its state',
  {
    ts: field(text, 'local time of the snapshot, without offset', (m) => localTime(m.snapshot.at)),
    word: constant('H7_CHARGE', 'name of this record'),
    she: prose(texts.SHE, 'name of the component'),
    in_charge: group('Duties that are configured, running and healthy', {
      antivirus: duty('antivirus', 'sweeping and judging run, and the helper inspects processes'),
      field_hygiene: duty('field_hygiene', 'the timer for our own residue runs'),
      learning_security: duty(
        'learning_security',
        'a baseline is held, or its first learning is under way, and the store works',
      ),
      secure_learn: duty('secure_learn', 'learning on demand is ready: the store can be written'),
      av_close: duty('av_close', 'closing of avenues is ready'),
      field_clear: duty('field_clear', 'clearing of our own residue is ready'),
      trickle_train: duty('trickle_train', 'incremental import or deferred learning is on'),
      mail_people: duty('mail_people', 'the mail ledger is kept'),
      law_pack: duty('law_pack', 'the law pack is loaded'),
    }),
    charge_line: field(text, 'the duties in one line: in charge, failing, not configured', chargeLine),
    ok: field(
      flag,
      'no scar, the gate is open, enough could be seen, and the loop and every configured duty run',
      isChargeOk,
    ),
    issues: field(
      z.array(text),
      'one sentence per reason for not being ok, with its remedy; empty exactly when ok',
      chargeIssues,
    ),
    check: group('The last evaluated batch', {
      pass: field(
        count,
        '(check, subject) pairs that passed, explained ones included',
        (m) => m.judgement.pass,
      ),
      fail: field(count, '(check, subject) pairs that failed', (m) => m.judgement.fail),
      mega_N: field(count, '(check, subject) pairs judged: pass + fail + blind', (m) => m.judgement.megaN),
      recheck_ms: field(count, 'duration of the last recheck, rounded up to whole ms', (m) =>
        Math.ceil(m.recheckUs / 1000),
      ),
      full_learned: field(
        flag,
        'every running identity could be seen and is in the baseline, and no learning window is open',
        fullLearned,
      ),
      mode: field(
        z.enum(['free_ball', 'forever']),
        'forever while the loop runs, free_ball on demand',
        (m) => m.desk.recheck.mode,
      ),
    }),
    forever: group('The recheck loop', {
      on: field(flag, 'the loop runs', (m) => m.desk.loop.on),
      pid: field(
        z.int().positive().nullable(),
        'pid of the process of the loop; null while it is off',
        (m) => m.desk.loop.pid,
      ),
      mode: field(
        z.enum(['off', 'poll', 'event']),
        'off, poll (by period) or event (by kernel events)',
        (m) => m.desk.loop.mode,
      ),
      gap_sec: field(known, 'whole seconds of the period in poll mode, else null', (m) =>
        m.desk.loop.mode === 'poll' ? Math.floor(m.desk.loop.periodMs / 1000) : null,
      ),
      mega_batch: field(known, 'pairs per worker shard of the last batch; null while the loop is off', (m) =>
        m.desk.loop.on ? m.desk.recheck.pairsPerShard : null,
      ),
      zero_overhead: field(
        flag,
        'the loop is off, or its own CPU over the last 60 s is below 0.1 % of a core; false until 60 s have passed',
        zeroOverhead,
      ),
    }),
    global_protect: group('The public site and its protection', {
      ok: field(flag, 'no site is configured, or its probe, names and certificate are good', siteGood),
      business: field(text, 'name of the site', (m) => m.desk.site.name),
      magazine_ok: field(flag, 'the magazine answers 2xx or 3xx', (m) => m.desk.site.magazineOk),
      dns_green: field(count, 'configured names that resolve', (m) => m.desk.site.dnsGreen),
      le_ready: field(
        flag,
        'the certificate chain verifies and lasts more than 14 days',
        (m) => m.desk.site.certificateReady,
      ),
      sole_soul: constant(texts.SOLE_SOUL, 'name of the atom that counts the services on this state folder'),
      law: prose(texts.egressLaw, 'where desk processes may connect to'),
    }),
    antivirus,
    security_learn: securityLearn,
    war_machine: warMachine,
    improvements: field(
      text,
      'suggestions, most severe first, separated by semicolons; empty when there are none',
      (m) => improvements(m).join('; '),
    ),
    philosophy: prose(texts.philosophy, 'the rule behind the numbers'),
    sense: group('Sensors and capture devices', {
      temp_c: field(
        z.int(),
        'hottest thermal sensor in °C; 0 without a sensor, or unread (its probe in /version fails)',
        temperature,
      ),
      cam_n: field(
        count,
        'distinct devices with a video capture node; 0 while unread (its probe in /version fails)',
        (m) => m.snapshot.machine.cameras ?? 0,
      ),
      hear_n: field(
        count,
        'audio capture devices; 0 while unread (its probe in /version fails)',
        (m) => m.snapshot.machine.captureDevices ?? 0,
      ),
    }),
    learn: group('The held baseline; null before generation 1', {
      vocab_correct: ofBaseline('seenAgain', 'identities of the baseline that were seen again since'),
      vocab_total: ofBaseline('identities', 'identities of the baseline'),
      learned_rows: ofBaseline('rows', 'all rows of the baseline'),
    }),
    system_run: group('How the component runs', {
      hostess_runs: field(
        flag,
        'the recheck loop ran within two periods (within ten times the last full recheck where that is longer), or is off by configuration or for this command',
        (m) => m.desk.loop.fresh,
      ),
      assistant_role: field(text, 'what the assistant is to the hostess', (m) =>
        m.desk.assistant.place !== 'none' ? texts.assistantRole.configured : texts.assistantRole.absent,
      ),
      trickle: field(flag, 'incremental import or deferred learning is on and healthy', (m) =>
        inCharge(m, 'trickle_train'),
      ),
      knows_improvements: field(
        flag,
        'every open finding says what to do about it, and every note how to make the evidence readable',
        knowsImprovements,
      ),
      mail_finite: field(flag, 'the mail ledger is within its cap', (m) => m.desk.mail.finite),
    }),
    mail: group('The mail people ledger and the mail client', {
      word: constant('MAIL', 'name of this part'),
      finite: field(flag, 'the ledger is within its cap', (m) => m.desk.mail.finite),
      claws_up: field(flag, 'the configured mail client runs', (m) => m.desk.mail.clientRunning),
      pass_set: field(
        flag,
        'a mail password is configured and may be used; it is never shown',
        (m) => m.desk.mail.passwordSet,
      ),
      page: link(links.publicSite, '/email/', 'mail page of the public site'),
      office: link(links.office, '/email/', 'mail page of the office'),
      people_api: link(links.publicSite, '/email/api/people', 'the people ledger'),
      who_api: link(
        links.publicSite,
        '/email/api/who?email=',
        'URL of the look-up of one address, which is appended',
      ),
      asm: field(
        text,
        'path of the loaded native build, with ~ for the home folder',
        (m) => m.snapshot.engine.buildPath,
      ),
      depth_json: field(
        text,
        'path of the ledger export as JSON, with ~ for the home folder; "" until exported',
        (m) => m.desk.mail.exportPath,
      ),
      law: prose(texts.mailLaw, 'how mail is reached'),
    }),
    pages: group('Pages and views; "" = not served', {
      flyout: link(links.office, '/#hostess7', 'the flyout of the office page'),
      live: link(links.control, '/h7/live', 'the live view'),
      page: link(links.office, '/hostess7.html', 'the hostess page'),
      learn_plug: link(links.office, '/hostess7.html#learn', 'the learning section of the hostess page'),
      office: link(links.office, '/', 'the employee desk, as nav.employee'),
    }),
    talk: group('Endpoints to talk to; "" = not served', {
      her: field(text, 'how to ask the hostess', (m) =>
        endpoint(m, 'POST', '/h7/think', '{"message": "..."}'),
      ),
      assistant_to_her: field(text, 'how to ask with the assistant consulting', (m) =>
        endpoint(m, 'POST', '/h7/consult', '{"message": "...", "with_assistant": true}'),
      ),
      charge: field(text, 'how to read this report', (m) => endpoint(m, 'GET', '/h7/charge')),
    }),
    law: prose(texts.chargeLaw, 'when the charge is ok'),
  },
);

export type ChargeReport = RecordOf<typeof chargeReport>;
