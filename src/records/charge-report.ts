/** The charge report of the hostess component (`H7_CHARGE`). */
import { z } from 'zod';
import { constant, count, field, group, prose, type RecordOf, record } from './define.ts';
import { type DutyName, inCharge, learned, siteGood, temperature } from './derive.ts';
import { antivirus, securityLearn } from './groups/antivirus.ts';
import { warMachine } from './groups/war-machine.ts';
import * as links from './links.ts';
import type { Moment } from './moment.ts';
import { chargeIssues, improvements, knowsImprovements } from './problems.ts';
import { processesBlind } from './sight.ts';
import * as texts from './texts.ts';
import { localTime } from './time.ts';

const text = z.string();
const flag = z.boolean();
const known = count.nullable();

const isChargeOk = (moment: Moment): boolean => chargeIssues(moment).length === 0;

const duty = (name: DutyName, meaning: string) => field(flag, meaning, (m) => inCharge(m, name));

function chargeLine(moment: Moment): string {
  const names = Object.keys(moment.desk.duties) as DutyName[];
  const failing = names.filter((name) => moment.desk.duties[name].configured && !inCharge(moment, name));
  const parts = [
    ['in charge of', names.filter((name) => inCharge(moment, name))],
    ['failing', failing],
    ['not configured', names.filter((name) => !moment.desk.duties[name].configured)],
  ] as const;
  return parts
    .filter(([, list]) => list.length > 0)
    .map(([words, list]) => `${words}: ${list.join(', ')}`)
    .join('; ');
}

/** Every running identity could be seen and is in the learned baseline, and no learning window stands open. */
const fullLearned = (moment: Moment): boolean =>
  learned(moment) &&
  !processesBlind(moment) &&
  !moment.desk.baseline.windowOpen &&
  moment.desk.baseline.runningKnown >= moment.snapshot.counts.identities;

/** The loop's own CPU stays under this share of one core. */
const FREE_SHARE = 0.001;
const zeroOverhead = ({ desk }: Moment): boolean =>
  !desk.loop.on || (desk.loop.cpuShare !== null && desk.loop.cpuShare < FREE_SHARE);

/** `POST http://… with {"message": "…"}`; "" while nothing answers there. */
const endpoint = (moment: Moment, method: 'GET' | 'POST', path: string, body = ''): string => {
  const url = links.control(moment, path);
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
      antivirus: duty('antivirus', 'sweeping and judging run, and the helper looks into processes'),
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
      (m) => [...chargeIssues(m)],
    ),
    check: group('The last evaluated batch', {
      pass: field(
        count,
        '(check, subject) pairs that passed, excused ones included',
        (m) => m.judgement.pass,
      ),
      fail: field(count, '(check, subject) pairs that failed', (m) => m.judgement.fail),
      mega_N: field(count, '(check, subject) pairs judged: pass + fail + blind', (m) => m.judgement.megaN),
      recheck_ms: field(count, 'duration of the last recheck, rounded up to whole ms', (m) =>
        Math.ceil(m.desk.recheck.lastUs / 1000),
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
      'what could be done, most severe first, separated by semicolons; empty when there is nothing',
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
      vocab_correct: field(known, 'identities of the baseline that were seen again since', (m) =>
        learned(m) ? m.desk.baseline.seenAgain : null,
      ),
      vocab_total: field(known, 'identities of the baseline', (m) =>
        learned(m) ? m.desk.baseline.identities : null,
      ),
      learned_rows: field(known, 'all rows of the baseline', (m) =>
        learned(m) ? m.desk.baseline.rows : null,
      ),
    }),
    system_run: group('How the component runs', {
      hostess_runs: field(
        flag,
        'the recheck loop has looked within two periods (within ten times the last full recheck where that is longer), or is off by configuration or for this command',
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
        'every open finding says what to do about it, and every note what would let the desk see',
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
      page: field(text, 'mail page of the public site', (m) => links.publicSite(m, '/email/')),
      office: field(text, 'mail page of the office', (m) => links.office(m, '/email/')),
      people_api: field(text, 'the people ledger', (m) => links.publicSite(m, '/email/api/people')),
      who_api: field(text, 'the look-up of one address, which is appended', (m) =>
        links.publicSite(m, '/email/api/who?email='),
      ),
      asm: field(
        text,
        'path of the loaded native build, below the home folder as ~/…',
        (m) => m.snapshot.engine.buildPath,
      ),
      depth_json: field(
        text,
        'path of the ledger export as JSON, below the home folder where it is there; "" until exported',
        (m) => m.desk.mail.exportPath,
      ),
      law: prose(texts.mailLaw, 'how mail is reached'),
    }),
    pages: group('Pages and views; "" = nothing answers there', {
      flyout: field(text, 'the flyout of the office page', (m) => links.office(m, '/#hostess7')),
      live: field(text, 'the live view', (m) => links.control(m, '/h7/live')),
      page: field(text, 'the hostess page', (m) => links.office(m, '/hostess7.html')),
      learn_plug: field(text, 'the learning section of the hostess page', (m) =>
        links.office(m, '/hostess7.html#learn'),
      ),
      office: field(text, 'the employee desk, as nav.employee', (m) => links.office(m, '/')),
    }),
    talk: group('Endpoints to talk to; "" = nothing answers there', {
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
