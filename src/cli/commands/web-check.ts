import { bad, dim, good, strong, warn } from '../../base/terminal.ts';
import * as operations from '../../operations/status.ts';
import type { CliCommand } from '../command.ts';

export const webCheck: CliCommand = {
  name: 'web check',
  summary: 'Shows the desk ports: how many are up, which required ones are not',
  local: true,
  examples: [
    ['desk web check', 'every port by name and what is wrong, from the service'],
    ['desk web check --local', 'the same from this process'],
  ],
  async run({ answer, withSource }) {
    const { status, ports } = await withSource((source) => source.ask(operations.page, {}));
    const { ports_up, ports_n } = status;
    const issues = [...new Set(ports.map(({ issue }) => issue))].filter((issue) => issue !== '');
    const well = issues.length === 0;
    return answer(
      { ports_up, ports_n, ports, issues },
      (out) => {
        out.line(strong('Desk ports '), (well ? good : bad)(`${ports_up} of ${ports_n} up`));
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
      },
      well,
    );
  },
};
