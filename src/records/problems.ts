/** The sentences of `issues` and `improvements`: a subject and what to do about it, one for each reason. */
import type { Finding } from '../findings/finding.ts';
import { BANNED_LISTENER } from '../policy/banned.ts';
import { mostSevereFirst, type Severity } from '../policy/severity.ts';
import { blindClasses, type Gap, gapsOf } from './coverage.ts';
import {
  answersWell,
  type DeskPort,
  deskPorts,
  downPorts,
  failedListener,
  isDown,
  once,
  phrase,
  sentence,
  VIRUS_PORT,
  virusListeners,
} from './derive.ts';
import type { Duty, Moment } from './moment.ts';

const hasRemedy = ({ remedy }: Finding): boolean => phrase(remedy) !== '';

/** What is about to happen, or was refused, by finding. */
const adviceByFinding = once(
  ({ desk: { remedies } }): ReadonlyMap<string, string> =>
    new Map([...remedies.refused, ...remedies.pending].map(({ finding, advice }) => [finding, advice])),
);

/** What the remedies say about it, else the check's own words. */
function remedyOf(moment: Moment, finding: Finding): string {
  const { desk } = moment;
  const told = adviceByFinding(moment).get(finding.id);
  if (told !== undefined) return told;
  if (finding.check === BANNED_LISTENER && desk.config.banned.shut_down === 'ask')
    return `${finding.remedy}, or have it shut down with desk av close once`;
  return hasRemedy(finding) ? finding.remedy : `see what it is with desk findings ${finding.id}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const gapText = ({ reason, cure }: Gap): string => sentence(capital(reason), cure);

const duties = ({ desk }: Moment): readonly (readonly [string, Duty])[] => Object.entries(desk.duties);

/** Scars with a sentence of their own in `issues`; the rest are counted. */
const NAMED_SCARS = 50;

/** The finding in a few words; without what its process says of itself, since issues also go to the assistant. */
const inShort = ({ summary, members: { count } }: Finding): string =>
  count > 1 ? `${phrase(summary)}, and ${count - 1} more like it` : summary;

/** The most severe scars one by one, the others as one sentence for each severity. */
function scarIssues(moment: Moment): string[] {
  const scars = mostSevereFirst(moment.judgement.scars);
  const named = scars
    .slice(0, NAMED_SCARS)
    .map((finding) => sentence(inShort(finding), remedyOf(moment, finding)));
  const counted = new Map<Severity, number>();
  for (const { severity } of scars.slice(NAMED_SCARS))
    counted.set(severity, (counted.get(severity) ?? 0) + 1);
  return [
    ...named,
    ...[...counted].map(([severity, count]) =>
      sentence(
        `${count} more ${severity} ${count === 1 ? 'finding' : 'findings'}`,
        'see all with desk findings',
      ),
    ),
  ];
}

/** Configured duties that do not run, those with the same reason together. */
function dutyIssues(moment: Moment): string[] {
  const idle = new Map<string, string[]>();
  for (const [name, { configured, healthy, reason }] of duties(moment))
    if (configured && !healthy) idle.set(reason, [...(idle.get(reason) ?? []), name]);
  return [...idle].map(([reason, names]) =>
    sentence(
      names.length === 1
        ? `The duty ${names[0]} does not run`
        : `The duties ${names.join(' and ')} do not run`,
      reason === '' ? 'ask desk doctor what is lacking' : reason,
    ),
  );
}

/** The gate is closed though there is no scar. */
function gateIssues(moment: Moment): string[] {
  const { god } = moment.desk.gate;
  if (god === 1) return [];
  return [
    sentence(
      `The scar gate is closed: the store has ${god} authoritative generations instead of one`,
      'see the baseline with desk baseline list',
    ),
  ];
}

function downText(moment: Moment, { name, port }: DeskPort): string {
  const cure =
    failedListener(moment, port)?.reason ||
    'start what serves it, or change it under [[ports]] of the configuration';
  return sentence(`Required port ${port} (${name}) is down: nothing listens on it`, cure);
}

/** Required desk ports that are known to be down. Those that could not be looked at are blind. */
const portIssues = (moment: Moment): string[] => downPorts(moment).map((port) => downText(moment, port));

/** What `issues` say about this port: it is required and down, or it could not be looked at; "" otherwise. */
export function portIssue(moment: Moment, port: DeskPort): string {
  const sockets = port.known ? undefined : blindClasses(moment).find(({ id }) => id === 'sockets');
  if (sockets !== undefined) return gapText(sockets);
  return isDown(port) ? downText(moment, port) : '';
}

/** The loop is on and does not look. */
const loopIssues = ({ desk: { loop } }: Moment): string[] =>
  loop.fresh
    ? []
    : [
        sentence(
          `The recheck loop has not looked for ${loop.staleSec} s`,
          'ask desk doctor, and start the desk again if it stays so',
        ),
      ];

/** A reload was refused, and the service runs by what the file said before. */
const configIssues = ({ desk: { configTrouble } }: Moment): string[] =>
  configTrouble === ''
    ? []
    : [
        sentence(
          `The changed configuration is not in force: ${configTrouble}`,
          'correct the file (desk config check), then reload with SIGHUP',
        ),
      ];

/** Commands do not reach this desk. A required port that is down is reported above. */
function controlIssues(moment: Moment): string[] {
  const failed = moment.desk.service.listeners.find(
    ({ role, state }) => role === 'control' && state === 'failed',
  );
  if (failed === undefined) return [];
  if (downPorts(moment).some(({ port }) => port === failed.port)) return [];
  return [sentence(`The control port ${failed.port} is not served by this desk`, failed.reason)];
}

/** The configured public site does not answer 2xx or 3xx. */
function siteIssues({ desk }: Moment): string[] {
  const { configured, url, status, reason, probedMs } = desk.site;
  if (!configured || answersWell(status)) return [];
  const silent = probedMs === null ? 'was not looked at yet' : 'cannot be reached';
  const what = `The site ${url} ${status === 0 ? silent : `answers ${status}`}`;
  return [sentence(what, reason === '' ? 'look at it with desk public' : reason)];
}

/** Port 8766 is up, and no scar says so already. */
function virusIssues(moment: Moment): string[] {
  const [listener] = virusListeners(moment);
  if (listener === undefined) return [];
  const reported = moment.judgement.scars.some(
    ({ subject }) =>
      subject.kind === 'listener' && subject.namespace === undefined && subject.port === VIRUS_PORT,
  );
  if (reported) return [];
  const holder =
    listener.holders[0] === undefined
      ? 'no holder could be seen'
      : `held by pid ${listener.holders[0].pid}${listener.executable === '' ? '' : ` (${listener.executable})`}`;
  return [sentence(`Port ${VIRUS_PORT} must stay down and is up, ${holder}`, 'stop that program')];
}

/** What makes the desk not ok. */
export type ReasonKind =
  | 'virus'
  | 'scar'
  | 'gate'
  | 'duty'
  | 'loop'
  | 'blind'
  | 'config'
  | 'port'
  | 'control'
  | 'site';
/** Those that belong to the charge too. */
const CHARGE: ReadonlySet<ReasonKind> = new Set(['scar', 'gate', 'duty', 'loop', 'blind']);

/** One reason why the desk is not ok: a sentence with its remedy. */
interface Reason {
  readonly kind: ReasonKind;
  readonly text: string;
}

/** Every reason why the desk is not ok, the worst first. The verdict and every `issues` are made of these. */
export const reasonsOf = once((moment): readonly Reason[] => {
  const by: Readonly<Record<ReasonKind, readonly string[]>> = {
    virus: virusIssues(moment),
    scar: scarIssues(moment),
    gate: gateIssues(moment),
    duty: dutyIssues(moment),
    loop: loopIssues(moment),
    blind: gapsOf(moment).map(gapText),
    config: configIssues(moment),
    port: portIssues(moment),
    control: controlIssues(moment),
    site: siteIssues(moment),
  };
  return (Object.keys(by) as ReasonKind[]).flatMap((kind) => by[kind].map((text) => ({ kind, text })));
});

/** Why the charge is not ok; empty exactly when it is. */
export const chargeIssues = once((moment): readonly string[] =>
  reasonsOf(moment)
    .filter(({ kind }) => CHARGE.has(kind))
    .map(({ text }) => text),
);

/** Why the desk is not ok; empty exactly when it is. */
export const deskIssues = once((moment): readonly string[] => reasonsOf(moment).map(({ text }) => text));

const REVIEW = 'review what was learned and is marked for it with desk baseline review';

/**
 * What could be done, most severe first, each once: remedies of open findings, cures of what is blind, what of the law
 * has ended, our own listeners that could not bind a port that is up, optional ports that are down.
 */
export function improvements(moment: Moment): string[] {
  const { judgement, desk } = moment;
  const ports = deskPorts(moment);
  const down = new Set(downPorts(moment).map(({ port }) => port));
  const failed = desk.service.listeners.filter(({ state, port }) => state === 'failed' && !down.has(port));
  const failedPorts = new Set(failed.map(({ port }) => port));
  const steps = [
    ...mostSevereFirst(judgement.findings).map((finding) => remedyOf(moment, finding)),
    ...judgement.notes.map(({ cure }) => cure),
    ...desk.site.advice,
    ...desk.mail.advice,
    ...desk.lawExpired,
    ...(desk.baseline.toReview > 0 ? [REVIEW] : []),
    ...failed.map(({ role, port, reason }) => `let the ${role} listener bind port ${port}: ${reason}`),
    ...ports
      .filter(({ required, up, known, port }) => !required && !up && known && !failedPorts.has(port))
      .map(
        ({ name, port }) => `start what serves port ${port} (${name}) or leave it out of the configuration`,
      ),
  ];
  const phrases = steps.map((step) => phrase(step.replaceAll(';', ',')));
  return [...new Set(phrases)].filter((step) => step !== '');
}

/** Every open finding says what to do about it, and every note what would let the desk see. */
export const knowsImprovements = ({ judgement }: Moment): boolean =>
  judgement.findings.every(hasRemedy) && judgement.notes.every(({ cure }) => phrase(cure) !== '');
