/** `iron` of the desk status; `live` and `atoms` of the desk hygiene show the same fields. */
import { z } from 'zod';
import { count, field, group } from '../define.ts';
import {
  fieldOk,
  learned,
  phi,
  processesBlind,
  socketsBlind,
  spvFree,
  temperature,
  thermo,
  wrappedShare,
} from '../derive.ts';
import type { DeskState } from '../state.ts';

/** One `key=value` line of the iron numbers; `blind` for what could not be read. */
function line(state: DeskState): string {
  const { machine, counts } = state.snapshot;
  const values = {
    EZZIE: machine.tcpActiveOpens ?? 'blind',
    ESSIE: machine.tcpPassiveOpens ?? 'blind',
    PHI: wrappedShare(state, 1000) ?? 'blind',
    THERMO: machine.temperatures === null ? 'blind' : thermo(state),
    temp_C: machine.temperatures === null ? 'blind' : temperature(state),
    bgf: processesBlind(state) ? 'blind' : counts.withoutTty,
    bgl: socketsBlind(state) ? 'blind' : counts.loopbackListeners,
    spv_free: processesBlind(state) ? 'blind' : counts.free,
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

/** The numbers that are also `atoms`. */
export const atoms = {
  EZZIE: field(
    count,
    'TCP connections this network namespace opened since boot (Tcp ActiveOpens); 0 while unread, iron.line says blind',
    (m) => m.snapshot.machine.tcpActiveOpens ?? 0,
  ),
  ESSIE: field(
    count,
    'TCP connections this network namespace accepted since boot (Tcp PassiveOpens); 0 while unread, iron.line says blind',
    (m) => m.snapshot.machine.tcpPassiveOpens ?? 0,
  ),
  PHI: field(
    z.int().min(0).max(1000),
    'wrapped share of the user-space processes, in per mille; 0 while not all of them can be listed, iron.line says blind',
    phi,
  ),
  THERMO: field(count, 'thermal sensors that could be read; 0 while unread, iron.line says blind', thermo),
  temp_C: field(z.int(), 'hottest thermal sensor in °C; 0 with THERMO 0: no sensor, or unread', temperature),
};

/** The counts that are also in `live`. */
export const counts = {
  bgf: field(
    count,
    'user-space processes without a controlling terminal',
    (m) => m.snapshot.counts.withoutTty,
  ),
  bgl: field(
    count,
    'listeners bound to loopback, distinct by protocol, port and executable',
    (m) => m.snapshot.counts.loopbackListeners,
  ),
  spv_free: field(count, 'user-space processes that are not wrapped', spvFree),
  bgs: group('what of this machine is known and clean', {
    know_her: field(
      count,
      'running identities that the held baseline knows',
      (m) => m.desk.baseline.runningKnown,
    ),
    field_one: field(z.int().min(0).max(1), '1 when field_dirt is 0 and could be counted, else 0', (m) =>
      fieldOk(m) ? 1 : 0,
    ),
  }),
};

export const iron = group('The machine in numbers: connections, confinement, sensors, processes', {
  line: field(z.string(), 'the iron numbers as one line of key=value', line),
  ...atoms,
  ...counts,
  adjoin: field(
    count.nullable(),
    'number of the held generation A; null while A is the empty generation 0',
    (m) => (learned(m) ? m.desk.baseline.generation : null),
  ),
});
