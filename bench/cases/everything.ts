/** B2 and B4 with everything on that can run on one machine: alerts, digest, heartbeat, sites, status page, remote listener, tools. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePorts } from '../../test/support/free-ports.ts';
import { Ntfy } from '../../test/support/ntfy.ts';
import { missing } from '../../test/support/require.ts';
import { BUSY, BUSY_TEXT } from '../busy/daily.ts';
import { type About, type Bench, benchOf, goalAt } from '../busy/plan.ts';
import { spanOf } from '../busy/span.ts';
import { startChurn } from '../churn.ts';
import { settled, startGroups } from '../group.ts';
import { startBuilt } from '../service.ts';
import type { Case } from './case.ts';

const SITES = ['shop', 'docs', 'mail', 'wiki', 'forge'];

async function webServer(): Promise<Server> {
  const server = createServer((_, response) => response.end('all systems ready'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function configuration(web: Server, ntfy: Ntfy): Promise<string> {
  const { port } = web.address() as AddressInfo;
  const [remote = 0] = await freePorts(1);
  const places = [`localhost:${port}`, `localhost:${ntfy.port}`]
    .map((place) => JSON.stringify(place))
    .join(', ');
  const sites = SITES.map(
    (name) =>
      `[[sites]]\nname = "${name}"\nurl = "http://localhost:${port}/${name}"\nexpect_text = "ready"\nevery_sec = 60\n`,
  );
  return `[egress]
allow = [${places}]
private = [${places}]
[listen.remote]
enabled = true
host = "127.0.0.1"
port = ${remote}
[status_page]
enabled = true
sites = ${JSON.stringify(SITES)}
[alerts]
least = "low"
[[alerts.to]]
name = "phone"
kind = "ntfy"
url = "${ntfy.url()}"
[alerts.digest]
to = ["phone"]
[[heartbeat]]
name = "healthchecks"
url = "http://localhost:${port}/ping"
[mcp]
http = true
[privacy]
command_lines = "asked"
${sites.join('')}`;
}

interface Cost {
  readonly quiet: number;
  readonly busy: number;
  readonly pss: number;
}

async function costOf(bench: Bench, sections: string): Promise<Cost> {
  const { groups, spans } = bench;
  await using service = await startBuilt(sections);
  const rest = await settled(groups, service.pid, spans.settle);
  if (!rest.done)
    bench.facts[`not settled after ${rest.seconds} s, at % of a core`] = Math.round(rest.percent);
  const quiet = await spanOf(bench, service, spans.quiet);
  const busy = await spanOf(bench, service, spans.load, () => startChurn(BUSY));
  return { quiet: quiet.percent, busy: busy.percent, pss: await groups.pssMb(service.pid) };
}

const everything: Case = {
  id: 'everything',
  target: 'B',
  title: 'The cost of the service with everything on, beside the default configuration',
  minutes: 20,
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run(options) {
    const reason = missing('root', 'dist');
    if (reason !== null)
      return { facts: {}, comparisons: [{ name: 'everything', goals: [], notRun: reason }] };
    await using groups = startGroups();
    const bench = benchOf(options, groups);
    const { sheet, spans, rounds } = bench;
    const b = 'the default configuration';
    const does = 'alerts, digest, heartbeat, five sites, status page, remote listener, tools';
    const about = (
      name: string,
      what: string,
      unit: string,
      limits: Readonly<Record<number, number>>,
    ): About => ({
      ...{ name, unit, b },
      a: `${what}, with everything on: ${does}`,
      goals: goalAt(options.processes, limits),
    });
    const target = options.processes >= 5000 ? 'B3' : 'B2';
    const quiet = about('B4 quiet, everything on', `CPU of the group over ${spans.quiet} s`, '% of a core', {
      1000: 0.15,
    });
    const busy = about(
      `${target} busy, everything on`,
      `${BUSY_TEXT} for ${spans.load} s: CPU of the group`,
      '% of a core',
      { 1000: 4 },
    );
    const memory = about(
      `${target} busy, everything on: memory`,
      'PSS of the group at the end of it',
      'MB',
      {},
    );
    const web = await webServer();
    const ntfy = await new Ntfy().start();
    try {
      for (let round = 0; round < rounds; round += 1) {
        const all = await costOf(bench, await configuration(web, ntfy));
        const least = await costOf(bench, '');
        sheet.put(quiet, all.quiet, least.quiet);
        sheet.put(busy, all.busy, least.busy);
        sheet.put(memory, all.pss, least.pss);
      }
    } finally {
      await ntfy.stop();
      web.closeAllConnections();
      web.close();
    }
    return { facts: bench.facts, comparisons: sheet.comparisons() };
  },
};

export default everything;
