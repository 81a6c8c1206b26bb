import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import * as operations from '../../operations/status.ts';
import type { Page } from '../../records/page.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';

export const webCheck: Command = {
  name: 'web check',
  summary: 'Looks at the desk ports: how many are up, which required ones are not',
  local: true,
  examples: [
    ['desk web check', 'every port by name and what is wrong, from the service'],
    ['desk web check --local', 'the same from this process'],
  ],
  async run({ out, json, withSource }) {
    const { status, ports } = await withSource((source) => source.ask(operations.page, {}));
    const { ports_up, ports_n } = status;
    const issues = [...new Set(ports.map(({ issue }) => issue))].filter((issue) => issue !== '');
    if (json) out.json({ ports_up, ports_n, ports, issues });
    else show(out, `${ports_up} of ${ports_n} up`, ports, issues);
    return issues.length === 0 ? exit.ok : exit.findings;
  },
};

function show(out: Terminal, count: string, ports: Page['ports'], issues: readonly string[]): void {
  out.line(strong('Desk ports '), issues.length === 0 ? good(count) : bad(count));
  out.table(
    [{ title: 'name' }, { title: 'port', align: 'right' }, { title: '' }, { title: '' }],
    ports.map(({ name, port, required, up, known }) => [
      name,
      port,
      up ? good('up') : (required ? bad : warn)(known ? 'down' : 'unknown'),
      dim(required ? 'required' : 'optional'),
    ]),
  );
  for (const issue of issues) out.wrapped(bad('  ! '), issue);
}
