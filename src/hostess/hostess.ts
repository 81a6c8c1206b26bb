/**
 * The hostess answers from measured facts. In this version she knows one answer: how the desk is doing. Whatever she is
 * asked, she says so, and every number in her answer is listed as a ground.
 */
import type { HostessAnswer } from '../desk.ts';
import type { ChargeReport } from '../records/charge-report.ts';
import { scarsText } from '../records/derive.ts';
import type { DeskStatus } from '../records/desk-status.ts';

export function answer(status: DeskStatus): HostessAnswer {
  const charge: ChargeReport = status.hostess_charge;
  const sentences = [
    status.ok
      ? `The desk is well, grade ${status.grade}.`
      : `The desk is not well, grade ${status.grade}: ${status.issues.join(' ')}`,
    `${status.ports_up} of ${status.ports_n} desk ports are up and ${scarsText(status.scar_count)} ${status.scar_count === 1 ? 'stands' : 'stand'}.`,
    `${charge.antivirus.spv_wrapped} of ${charge.antivirus.spv_pids} user-space processes are wrapped.`,
    'That is all I can tell so far: I answer questions about single processes, ports, people and times in a later version.',
  ];
  const open = charge.antivirus.avenues.filter((avenue) => avenue.open);
  if (open.length > 0) sentences.splice(3, 0, `Open avenues: ${open.map((avenue) => avenue.id).join(', ')}.`);
  return {
    answer: sentences.join(' '),
    grounds: [
      { path: 'status.ok', value: status.ok },
      { path: 'status.grade', value: status.grade },
      { path: 'status.issues', value: status.issues },
      { path: 'status.ports_up', value: status.ports_up },
      { path: 'status.ports_n', value: status.ports_n },
      { path: 'status.scar_count', value: status.scar_count },
      { path: 'status.hostess_charge.antivirus.spv_wrapped', value: charge.antivirus.spv_wrapped },
      { path: 'status.hostess_charge.antivirus.spv_pids', value: charge.antivirus.spv_pids },
      ...open.map((avenue) => ({
        path: `status.hostess_charge.antivirus.avenues[${charge.antivirus.avenues.indexOf(avenue)}].open`,
        value: true,
      })),
    ],
    suggestions: status.ok
      ? ['desk status', 'desk findings']
      : ['desk status', 'desk scar cook check', 'desk doctor'],
  };
}
