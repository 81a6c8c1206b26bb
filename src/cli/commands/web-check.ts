import type { DeskStatus } from '../../records/desk-status.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { bad, dim, good, strong, type Terminal, warn } from '../terminal.ts';

interface Port {
  readonly name: string;
  readonly port: number;
  readonly required: boolean;
  readonly up: boolean;
  readonly known: boolean;
}

export const webCheck: Command = {
  name: 'web check',
  summary: 'Looks at the desk ports: how many are up, which required ones are not',
  local: true,
  examples: [
    ['desk web check', 'counts and what is wrong, from the service'],
    ['desk web check --local', 'every port by name, from this process'],
  ],
  async run({ out, json, local, withSource, withDesk }) {
    const { record, ports } = local
      ? await withDesk(async (desk) => {
          const [{ deskStatus }, { deskPorts }] = await Promise.all([
            import('../../records/desk-status.ts'),
            import('../../records/derive.ts'),
          ]);
          const moment = await desk.moment();
          return { record: deskStatus.assemble(moment), ports: deskPorts(moment) };
        })
      : { record: await withSource((source) => source.ask<DeskStatus>('GET', '/status')), ports: [] };
    const [{ REQUIRED_PORT }, { BLIND_SOCKETS }] = await Promise.all([
      import('../../records/problems.ts'),
      import('../../records/blind-issues.ts'),
    ]);
    const wrong = record.issues.filter((issue) =>
      [REQUIRED_PORT, BLIND_SOCKETS].some((word) => issue.startsWith(word)),
    );
    const { ports_up, ports_n } = record;
    if (json) out.json({ ports_up, ports_n, ...(local && { ports }), issues: wrong });
    else show(out, record, ports, wrong);
    return wrong.length === 0 ? exit.ok : exit.findings;
  },
};

function show(out: Terminal, record: DeskStatus, ports: readonly Port[], wrong: readonly string[]): void {
  const { ports_up, ports_n } = record;
  out.line(
    strong('Desk ports '),
    wrong.length === 0 ? good(`${ports_up} of ${ports_n} up`) : bad(`${ports_up} of ${ports_n} up`),
  );
  if (ports.length > 0)
    out.table(
      [{ title: 'name' }, { title: 'port', align: 'right' }, { title: '' }, { title: '' }],
      ports.map(({ name, port, required, up, known }) => [
        name,
        port,
        up ? good('up') : (required ? bad : warn)(known ? 'down' : 'unknown'),
        dim(required ? 'required' : 'optional'),
      ]),
    );
  for (const issue of wrong) out.wrapped(bad('  ! '), issue);
}
