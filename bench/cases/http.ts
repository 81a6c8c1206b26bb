/** P7: `/h7/charge` and `/status` under load, recheck loop running at 10 ms, against a bare Koa route of the same size. */
import { ask } from '../../test/real/running.ts';
import { startBare } from '../bare.ts';
import { programPath } from '../peers/peer.ts';
import { startBuilt } from '../service.ts';
import { CONNECTIONS, type Load, load } from '../wrk.ts';
import { atLeast, atMost, CannotRun, type Case, type Comparison, type Outcome } from './case.ts';

const ROUTES = ['/h7/charge', '/status'] as const;
const WARM_UP_SEC = 1;

/** One fresh server, warmed up, then each route. */
function loads(pid: number, port: number, seconds: number): Load[] {
  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
  load(pid, url(ROUTES[0]), WARM_UP_SEC);
  return ROUTES.map((path) => load(pid, url(path), seconds));
}

async function deskLoads(
  seconds: number,
  periodMs: number,
): Promise<{ loads: Load[]; bytes: number[]; mode: string }> {
  await using run = await startBuilt(`[loop]\nmode = "event"\nperiod_ms = ${periodMs}\n`);
  const port = run.home.ports.control;
  const found = loads(run.pid, port, seconds);
  const answers = await Promise.all(ROUTES.map((path) => ask(port, path)));
  const mode = String((await ask(port, '/h7/charge')).json.forever?.mode ?? '');
  return { loads: found, bytes: answers.map(({ text }) => Buffer.byteLength(text)), mode };
}

async function bareLoads(bytes: readonly number[], seconds: number): Promise<Load[]> {
  const words = ROUTES.map((path, index) => `${path}=${bytes[index]}`);
  await using server = await startBare('bare-koa.ts', words, ROUTES[0]);
  return loads(server.pid, server.port, seconds);
}

const http: Case = {
  id: 'http',
  target: 'P7',
  title: 'Records over HTTP under load, recheck loop at 10 ms',
  place: 'host',
  grows: ['processes'],
  unprivileged: 'full',
  async run({ rounds, full }): Promise<Outcome> {
    const seconds = full ? 4 : 1;
    const [speedGoals, lateGoals] = [[atLeast('ratio', 0.8)], [atMost('ratio', 3)]] as const;
    const refuse = (notRun: string): Outcome => ({
      facts: {},
      comparisons: [{ name: 'throughput', goals: speedGoals, notRun }],
    });
    if (programPath('wrk') === undefined) return refuse('wrk is not installed (Debian package wrk)');
    const ours: Load[][] = [];
    const bare: Load[][] = [];
    const still: Load[][] = [];
    let [bytes, mode]: [number[], string] = [[], ''];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const desk = await deskLoads(seconds, 10);
        ({ bytes, mode } = desk);
        ours.push(desk.loads);
        bare.push(await bareLoads(desk.bytes, seconds));
        if (full) still.push((await deskLoads(seconds, 600_000)).loads);
      }
    } catch (error) {
      if (error instanceof CannotRun) return refuse(error.message);
      throw error;
    }
    const raw = (rows: readonly Load[][], route: number, of: keyof Load): number[][] =>
      rows.map((row) => [row[route]?.[of] ?? Number.NaN]);
    const comparisons = ROUTES.flatMap((path, route): Comparison[] => {
      const b = `a bare Koa route with ${bytes[route]} constant bytes, no loop beside it`;
      const shared = { a: `GET ${path} of the service, loop at 10 ms`, b, warmUp: 1 };
      const speed = { ...shared, unit: 'requests/s', rawB: raw(bare, route, 'perSecond') };
      const late = { ...shared, unit: 'µs', rawB: raw(bare, route, 'p99Us') };
      return [
        {
          ...speed,
          name: `throughput of ${path}`,
          goals: speedGoals,
          rawA: raw(ours, route, 'perSecond'),
        },
        { ...late, name: `p99 of ${path}`, goals: lateGoals, rawA: raw(ours, route, 'p99Us') },
        {
          ...late,
          name: `processor time per request of ${path}`,
          goals: [],
          rawA: raw(ours, route, 'cpuUs'),
          rawB: raw(bare, route, 'cpuUs'),
        },
        ...(still.length === 0
          ? []
          : [
              {
                ...speed,
                name: `throughput of ${path} with a resting loop`,
                a: `GET ${path} of the service, loop at rest`,
                goals: [],
                rawA: raw(still, route, 'perSecond'),
              },
            ]),
      ];
    });
    return {
      facts: { loop: mode, connections: CONNECTIONS, measuredSec: seconds, generator: 'wrk' },
      comparisons,
    };
  },
};

export default http;
