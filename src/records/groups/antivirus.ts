/** `antivirus`, `security_learn` of the charge report. */
import { z } from 'zod';
import { AVENUE_IDS, type AvenueId } from '../../checks/check.ts';
import { blindClasses, gapsOf } from '../coverage.ts';
import { count, field, flag, group, text } from '../define.ts';
import {
  connectionsBlind,
  fieldOk,
  insideOnly,
  newComm,
  publicListeners,
  quiet,
  scarCount,
  spvPids,
  spvWrapped,
} from '../derive.ts';
import type { DeskState } from '../state.ts';

const ANTIVIRUS: readonly AvenueId[] = ['inject_clip', 'public_listen', 'unknown_local', 'scar'];
const SECURITY_LEARN: readonly AvenueId[] = ['new_comm', 'secure_learn'];

export const avenue = z.strictObject({
  id: z.enum(AVENUE_IDS).describe('the avenue: a family of checks'),
  name: text.describe('what its checks search for'),
  open: flag.describe('it has a finding or a note; scar also while there is any scar'),
  detail: text.describe('what keeps it open'),
});

/** No scar, and everything that its checks go by could be seen. */
const antivirusOk = (state: DeskState): boolean =>
  quiet(state, ANTIVIRUS) &&
  gapsOf(state).length === 0 &&
  !blindClasses(state).some(({ id }) => id === 'memory');

/** The same of learning: who runs, what is learned, and where the desk is connected to. */
function learnOk(state: DeskState): boolean {
  const { configured, healthy } = state.desk.duties.learning_security;
  return (
    quiet(state, SECURITY_LEARN) &&
    insideOnly(state) &&
    gapsOf(state).length === 0 &&
    (healthy || !configured)
  );
}

function detail(state: DeskState): string {
  const { snapshot, judgement, desk } = state;
  const unseen = connectionsBlind(state);
  const classes = blindClasses(state).map(({ id }) => id);
  const counters = {
    findings: judgement.findings.length,
    scars: scarCount(state),
    notes: judgement.notes.length,
    desk_https: unseen ? 'blind' : desk.egress.deskHttps,
    outside_h: unseen ? 'blind' : desk.egress.outside,
    wrap_blind: snapshot.counts.wrapBlind,
    blind: judgement.blind,
    ...(classes.length > 0 && { unseen: classes.join(',') }),
  };
  return Object.entries(counters)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

export const antivirus = group('The antivirus-style checks', {
  ok: field(
    flag,
    'no scar in inject_clip, public_listen, unknown_local and scar, enough could be seen, and processes are inspected',
    antivirusOk,
  ),
  detail: field(
    text,
    'counters as key=value: findings, scars, notes, established connections of desk processes to port 443 (desk_https) and those of them off the allowlist (outside_h), wrap_blind, blind pairs, and unseen= the classes of evidence that could not be read',
    detail,
  ),
  public_n: field(
    count,
    'listeners bound beyond loopback, distinct by protocol, port and executable; UDP only below the ephemeral range',
    publicListeners,
  ),
  inject: field(
    count,
    'findings of the avenue inject_clip',
    (m) => m.judgement.findings.filter(({ avenue }) => avenue === 'inject_clip').length,
  ),
  open_score: field(
    count,
    'sum over findings of 1, 3, 9, 27 for low, medium, high, critical',
    (m) => m.judgement.openScore,
  ),
  spv_wrapped: field(
    count,
    'wrapped user-space processes; equals live.wrapped of the desk hygiene',
    spvWrapped,
  ),
  spv_pids: field(
    count,
    'user-space processes: wrapped + spv_free + wrap_blind; equals live.pids of the desk hygiene',
    spvPids,
  ),
  avenues: field(z.array(avenue), 'the six avenues of checks', (m) => m.judgement.avenues),
});

export const securityLearn = group('What learning has to say about safety', {
  ok: field(
    flag,
    'no scar in new_comm and secure_learn, outside_h is 0, a baseline is held, and enough could be seen',
    learnOk,
  ),
  public_listen: field(count, 'the same count as antivirus.public_n', publicListeners),
  outside_h: field(
    count,
    'established connections of desk processes to port 443 off the allowlist',
    (m) => m.desk.egress.outside,
  ),
  assistant_pids: field(
    count,
    'processes that hold the loopback port of the assistant',
    (m) => m.desk.assistant.pids,
  ),
  new_comm: field(count, 'running identities that the held baseline does not know', newComm),
  field_dirt: field(
    count,
    'stale files of the desk itself, and helpers that outlived their run',
    (m) => m.desk.service.fieldDirt,
  ),
  field_ok: field(flag, 'field_dirt is 0 and could be counted', fieldOk),
});
