/** What is open in a state, as alerts are made of it. */
import { withoutDeleted } from '../../checks/executables.ts';
import type { Finding } from '../../findings/finding.ts';
import { endpointKey, idOfKey } from '../../findings/finding-id.ts';
import type { Severity } from '../../policy/severity.ts';
import { titleOf } from '../../records/about.ts';
import { type ReasonKind, reasonsOf } from '../../records/problems.ts';
import type { DeskState, LoopFacts } from '../../records/state.ts';
import type { AlertItem } from './message.ts';

type Known = readonly [Severity, next: string];

/**
 * Reasons other than findings, with how severe each is; those of findings are findings already. A loop is late for seconds on any busy
 * machine: one that is stuck is an item of its own (`stuckItem`).
 */
const REASONS: Readonly<Partial<Record<ReasonKind, Known>>> = {
  virus: ['critical', 'desk status'],
  gate: ['medium', 'desk baseline list'],
  duty: ['medium', 'desk doctor'],
  blind: ['medium', 'desk doctor'],
  config: ['medium', 'desk config check'],
  port: ['high', 'desk status'],
  control: ['high', 'desk doctor'],
  site: ['high', 'desk sites'],
};

/**
 * That of the finding. A program that starts again has another socket, and so another finding about a listener: its alert is the same while
 * program, user and endpoint are.
 */
function alertId({ id, check, subject, evidence }: Finding): string {
  const endpoint = endpointKey(check, subject);
  if (endpoint === null) return id;
  const { executable = '', creator_uid = '' } = evidence;
  return `listener:${idOfKey([endpoint, withoutDeleted(String(executable)), creator_uid].join('\0'))}`;
}

function itemOf(finding: Finding): AlertItem {
  const { id: own, severity, check, evidence, about, benign, firstSeen } = finding;
  const id = alertId(finding);
  return {
    ...{ id, severity, check, benign },
    ...(id !== own && { finding: own }),
    title: titleOf(finding),
    user: about === null || about.uid === null ? '' : about.user || `uid ${about.uid}`,
    program: about?.program ?? '',
    command: about?.command ?? '',
    peer: String(evidence.peer ?? ''),
    next: `desk findings ${own}`,
    since: firstSeen,
    over: false,
  };
}

const tentativeIf = (is = false): Pick<AlertItem, 'tentative'> => (is ? { tentative: true } : {});

const reasonItem = (
  id: string,
  check: ReasonKind,
  [severity, next]: Known,
  title: string,
  since: string,
): AlertItem => ({
  ...{ id, severity, check, title, next, since, over: false },
  ...{ user: '', program: '', command: '', peer: '', benign: '' },
});

/** No recheck ends any more, so no state says so. */
export function stuckItem({ quietMs }: Pick<LoopFacts, 'quietMs'>): AlertItem {
  const title = `The desk has not finished a recheck for ${Math.floor(quietMs / 1000)} s; run desk doctor, and restart the desk if it stays so.`;
  return reasonItem(
    'reason:loop',
    'loop',
    ['high', 'desk doctor'],
    title,
    new Date(Date.now() - quietMs).toISOString(),
  );
}

/** The sites of which nothing is known since the start, or one probe alone has failed. */
export function undecidedSites({ desk: { site, sites } }: DeskState): ReadonlySet<string> {
  const further = sites.filter(
    ({ state, isProbed, isFailing }) => state !== 'down' && (!isProbed || isFailing),
  );
  return new Set([
    ...(site.probedMs === null || site.isFailing ? [site.url] : []),
    ...further.map(({ name }) => name),
  ]);
}

/**
 * By id. A reason keeps the time at which it was first seen, as `since` has it by id. `learned` false: the desk has not learned for
 * the first time, so what will be known soon is tentative; critical findings are never learned.
 */
export function itemsOf(
  state: DeskState,
  since: Map<string, string>,
  learned: boolean,
): ReadonlyMap<string, AlertItem> {
  const items = new Map<string, AlertItem>();
  for (const finding of state.judgement.findings) {
    const item = { ...itemOf(finding), ...tentativeIf(!learned && finding.severity !== 'critical') };
    // The most severe one is the first: several sockets of a program on one endpoint are one alert.
    if (!items.has(item.id)) items.set(item.id, item);
  }
  const reasons = new Map<string, AlertItem>();
  const undecided = undecidedSites(state);
  for (const { kind, parts } of reasonsOf(state)) {
    const known = REASONS[kind];
    if (known === undefined) continue;
    for (const { name, text } of parts) {
      const id = `reason:${kind}${name === '' ? '' : `:${name}`}`;
      reasons.set(id, {
        ...reasonItem(id, kind, known, text, since.get(id) ?? new Date().toISOString()),
        ...tentativeIf(kind === 'site' && undecided.has(name)),
      });
    }
  }
  for (const id of since.keys()) if (!reasons.has(id)) since.delete(id);
  for (const [id, item] of reasons) {
    since.set(id, item.since);
    items.set(id, item);
  }
  return items;
}

/** Of a state from before the listeners were bound and sites were probed: only findings are decided. */
export function itemsOfStart(state: DeskState, since: Map<string, string>): ReadonlyMap<string, AlertItem> {
  const items = itemsOf(state, since, state.desk.baseline.generation > 0);
  return new Map(
    [...items].map(([id, item]) => [id, { ...item, ...tentativeIf(item.tentative || since.has(id)) }]),
  );
}
