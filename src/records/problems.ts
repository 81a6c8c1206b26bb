/** The sentences of `issues` and `improvements`: a subject and what to do about it, one for each reason. */
import { capitalised } from '../base/sentence.ts';
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
import type { DeskState, FurtherFacts } from './state.ts';

const hasRemedy = ({ remedy }: Finding): boolean => phrase(remedy) !== '';

/** What will happen, or was refused, by finding. */
const adviceByFinding = once(
  ({ desk: { remedies } }) =>
    new Map([...remedies.refused, ...remedies.pending].map(({ finding, advice }) => [finding, advice])),
);

/** What the remedies say about it, else the check's own words. */
function remedyOf(deskState: DeskState, finding: Finding): string {
  const { desk } = deskState;
  const advice = adviceByFinding(deskState).get(finding.id);
  if (advice !== undefined) return advice;
  if (finding.check === BANNED_LISTENER && desk.config.banned.shut_down === 'ask')
    return `${finding.remedy}, or have it shut down with desk av close once`;
  return hasRemedy(finding) ? finding.remedy : `see what it is with desk findings ${finding.id}`;
}

const gapText = ({ reason, cure }: Gap): string => sentence(capitalised(reason), cure);

/** Scars with a sentence of their own in `issues`; the rest are counted. */
const NAMED_SCARS = 50;

/** The finding in a few words. */
const inShort = ({ summary, members: { count } }: Finding): string =>
  count > 1 ? `${phrase(summary)}, and ${count - 1} more like it` : summary;

/** The most severe scars one by one, the others as one sentence for each severity. */
function scarIssues(deskState: DeskState): string[] {
  const scars = mostSevereFirst(deskState.judgement.scars);
  const named = scars
    .slice(0, NAMED_SCARS)
    .map((finding) => sentence(inShort(finding), remedyOf(deskState, finding)));
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

/** A sentence of `issues`, and what of it begins and ends by itself: each part has a name that stays, and a sentence of its own. */
interface Cause {
  readonly text: string;
  readonly parts: readonly { readonly name: string; readonly text: string }[];
}

const cause = (name: string, text: string): Cause => ({ text, parts: [{ name, text }] });

/** For a kind of which there is one at a time. */
const only =
  (issues: (deskState: DeskState) => readonly string[]) =>
  (deskState: DeskState): readonly Cause[] =>
    issues(deskState).map((text) => cause('', text));

function dutyIssues(deskState: DeskState): Cause[] {
  const idle = new Map<string, string[]>();
  for (const [name, { configured, healthy, reason }] of Object.entries(deskState.desk.duties))
    if (configured && !healthy) idle.set(reason, [...(idle.get(reason) ?? []), name]);
  return [...idle].map(([reason, names]) => {
    const textOf = (what: string): string =>
      sentence(what, reason === '' ? 'run desk doctor to see what is missing' : reason);
    const parts = names.map((name) => ({ name, text: textOf(`The duty ${name} does not run`) }));
    const [{ text }] = parts as [Cause['parts'][number]];
    return {
      parts,
      text: names.length === 1 ? text : textOf(`The duties ${names.join(' and ')} do not run`),
    };
  });
}

const gateIssues = ({ desk: { gate } }: DeskState): string[] =>
  gate.god === 1
    ? []
    : [
        sentence(
          `The scar gate is closed: the store has ${gate.god} authoritative generations instead of one`,
          'see the baseline with desk baseline list',
        ),
      ];

function downText(deskState: DeskState, { name, port }: DeskPort): string {
  const cure =
    failedListener(deskState, port)?.reason ||
    'start what serves it, or change it under [[ports]] of the configuration';
  return sentence(`Required port ${port} (${name}) is down: no program listens on it`, cure);
}

/** Required desk ports that are known to be down. Those that could not be read are blind. */
const portIssues = (deskState: DeskState): Cause[] =>
  downPorts(deskState).map((port) => cause(String(port.port), downText(deskState, port)));

/** What `issues` say about this port: it is required and down, or its state is unknown; "" otherwise. */
export function portIssue(deskState: DeskState, port: DeskPort): string {
  const sockets = port.known ? undefined : blindClasses(deskState).find(({ id }) => id === 'sockets');
  if (sockets !== undefined) return gapText(sockets);
  return isDown(port) ? downText(deskState, port) : '';
}

/** The loop is on and makes no sweeps. */
const loopIssues = ({ desk: { loop } }: DeskState): string[] =>
  loop.fresh
    ? []
    : [
        sentence(
          `The recheck loop has not run for ${loop.staleSec} s`,
          'run desk doctor, and restart the desk if it stays so',
        ),
      ];

/** A reload was refused, and the service runs with the previous version. */
const configIssues = ({ desk: { configTrouble } }: DeskState): string[] =>
  configTrouble === ''
    ? []
    : [
        sentence(
          `The changed configuration is not in force: ${configTrouble}`,
          'correct the file (desk config check), then reload with SIGHUP',
        ),
      ];

/** Commands do not reach this desk. A required port that is down is reported above. */
function controlIssues(deskState: DeskState): string[] {
  const failed = deskState.desk.service.listeners.find(
    ({ role, state }) => role === 'control' && state === 'failed',
  );
  if (failed === undefined) return [];
  if (downPorts(deskState).some(({ port }) => port === failed.port)) return [];
  return [sentence(`The control port ${failed.port} is not served by this desk`, failed.reason)];
}

function siteIssues({ desk }: DeskState): Cause[] {
  const { configured, url, status, reason, probedMs } = desk.site;
  if (!configured || answersWell(status)) return [];
  const silent = probedMs === null ? 'has not been probed yet' : 'cannot be reached';
  const what = `The site ${url} ${status === 0 ? silent : `answers ${status}`}`;
  return [cause(url, sentence(what, reason === '' ? 'check it with desk public' : reason))];
}

function furtherTrouble({ state, isProbed, isFailing }: FurtherFacts): string {
  if (state === 'down') return 'is down';
  if (!isProbed) return 'has not been probed yet';
  return isFailing ? 'failed one probe and will be probed again' : 'cannot be probed';
}

const furtherIssues = ({ desk: { sites } }: DeskState): Cause[] =>
  sites
    .filter(({ state }) => state !== 'up')
    .map((one) =>
      cause(one.name, sentence(`The site ${one.name} (${one.url}) ${furtherTrouble(one)}`, one.reason)),
    );

/** Port 8766 is up, unless a scar already reports it. */
function virusIssues(deskState: DeskState): string[] {
  const [listener] = virusListeners(deskState);
  if (listener === undefined) return [];
  const reported = deskState.judgement.scars.some(
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

/** What makes the desk not ok, the worst first. */
const REASONS = {
  virus: only(virusIssues),
  scar: only(scarIssues),
  gate: only(gateIssues),
  duty: dutyIssues,
  loop: only(loopIssues),
  blind: (deskState: DeskState) => gapsOf(deskState).map((gap) => cause(gap.id, gapText(gap))),
  config: only(configIssues),
  port: portIssues,
  control: only(controlIssues),
  site: (deskState: DeskState) => [...siteIssues(deskState), ...furtherIssues(deskState)],
};
export type ReasonKind = keyof typeof REASONS;
export const REASON_KINDS = Object.keys(REASONS) as [ReasonKind, ...ReasonKind[]];
/** Those that belong to the charge too. */
const CHARGE: ReadonlySet<ReasonKind> = new Set(['scar', 'gate', 'duty', 'loop', 'blind']);

/** One reason why the desk is not ok: a sentence with its remedy. */
interface Reason extends Cause {
  readonly kind: ReasonKind;
}

/** Every reason why the desk is not ok, the worst first. The verdict and every `issues` are made of these. */
export const reasonsOf = once((deskState): readonly Reason[] =>
  (Object.keys(REASONS) as ReasonKind[]).flatMap((kind) =>
    REASONS[kind](deskState).map((one) => ({ kind, ...one })),
  ),
);

export const chargeIssues = once((deskState): readonly string[] =>
  reasonsOf(deskState)
    .filter(({ kind }) => CHARGE.has(kind))
    .map(({ text }) => text),
);

/** Why the desk is not ok; empty exactly when it is. */
export const deskIssues = once((deskState): readonly string[] =>
  reasonsOf(deskState).map(({ text }) => text),
);

const REVIEW = 'review what was learned and is marked for it with desk baseline review';

/** The office moved by itself: what keeps it there. Where it is not bound, the reason of its listener says what to do. */
function keepOffice({ officeRefusal, config, service }: DeskState['desk']): string[] {
  const { port } = config.listen.office;
  const isBound = service.listeners.some(({ role, state }) => role === 'office' && state === 'bound');
  if (officeRefusal === '' || !isBound) return [];
  const why =
    officeRefusal === 'EADDRINUSE'
      ? 'another program uses port 80'
      : `this user may not bind port 80 (${officeRefusal})`;
  return [`set [listen.office] port = ${port} to keep the office there, it moved because ${why}`];
}

/**
 * What could be done, most severe first, each once: remedies of open findings, cures of what is blind, what of the law
 * has ended, our own listeners that could not bind a port that is up, optional ports that are down.
 */
export function improvements(deskState: DeskState): string[] {
  const { judgement, desk } = deskState;
  const ports = deskPorts(deskState);
  const down = new Set(downPorts(deskState).map(({ port }) => port));
  const failed = desk.service.listeners.filter(({ state, port }) => state === 'failed' && !down.has(port));
  const failedPorts = new Set(failed.map(({ port }) => port));
  const steps = [
    ...mostSevereFirst(judgement.findings).map((finding) => remedyOf(deskState, finding)),
    ...judgement.notes.map(({ cure }) => cure),
    ...desk.site.advice,
    ...desk.sites.flatMap(({ advice }) => advice),
    ...desk.mail.advice,
    ...desk.lawExpired,
    ...(desk.baseline.toReview > 0 ? [REVIEW] : []),
    ...keepOffice(desk),
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

export const knowsImprovements = ({ judgement }: DeskState): boolean =>
  judgement.findings.every(hasRemedy) && judgement.notes.every(({ cure }) => phrase(cure) !== '');
