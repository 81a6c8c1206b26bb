/** H1: a question to the hostess over HTTP with 5,000 processes and 1,000 findings, beside one `/status` of the same service and run. */
import { Agent, request } from 'node:http';
import { startBare } from '../bare.ts';
import { quantile } from '../stats.ts';
import { atMost, type Case, type Outcome } from './case.ts';

/** One of each common kind; the numbers are of the machine of the round. */
const QUESTIONS = [
  'is the desk well?',
  'why is it not gold?',
  'who listens on 20004 and is it allowed?',
  'is process 10009 wrapped and how?',
  'what does spv_free mean?',
  'which processes are not wrapped',
  'how many high findings',
  'what should I do now?',
  'is postgres running',
  'does the gate pass',
  'what can you not see',
  'why is teh grade not goold',
  'was kannst du nicht sehen',
  'when does the certificate expire',
  'what is the weather in Lisbon',
] as const;
/** Passes of every body before anything counts. */
export const WARM_UP = 4;
const GOALS = [atMost('ratio', 5)] as const;

/** µs until the whole answer is there; the connection stays. With a body it is a POST. */
function timed(agent: Agent, port: number, path: string, sent?: object): Promise<number> {
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} answers ${answer.statusCode}`));
        answer.on('end', () => resolve((performance.now() - started) * 1000)).resume();
      },
    );
    asked.on('error', reject).end(body);
  });
}

/** Each body to `path` and a `/status` alternately, on one connection each; the first four passes of all bodies warm up. */
export async function besideStatus(
  path: string,
  bodies: readonly object[],
  passes: number,
): Promise<{ readonly asked: number[]; readonly status: number[] }> {
  await using server = await startBare('think-desk.ts', [], '/status');
  const [one, other] = [
    new Agent({ keepAlive: true, maxSockets: 1 }),
    new Agent({ keepAlive: true, maxSockets: 1 }),
  ];
  const [asked, status]: [number[], number[]] = [[], []];
  try {
    for (let pass = -WARM_UP; pass < passes; pass++)
      for (const body of bodies) {
        const answered = await timed(one, server.port, path, body);
        const elapsed = await timed(other, server.port, '/status');
        if (pass < 0) continue;
        asked.push(answered);
        status.push(elapsed);
      }
  } finally {
    one.destroy();
    other.destroy();
  }
  return { asked, status };
}

const think: Case = {
  id: 'think',
  target: 'H1',
  title: 'A question to the hostess with 5,000 processes and 1,000 findings',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, full }): Promise<Outcome> {
    const bodies = QUESTIONS.map((message) => ({ message }));
    const found: Awaited<ReturnType<typeof besideStatus>>[] = [];
    for (let time = 0; time < rounds; time++)
      found.push(await besideStatus('/h7/think', bodies, full ? 100 : 20));
    const shared = {
      a: 'POST /h7/think, questions of every common kind by turns',
      b: 'GET /status of the same service, by turns with the questions',
      unit: 'µs',
      warmUp: WARM_UP * QUESTIONS.length,
      goals: GOALS,
    };
    return {
      facts: { processes: 5_000, findings: 1_000, questions: QUESTIONS.length },
      comparisons: [
        {
          ...shared,
          name: 'median of a question',
          rawA: found.map(({ asked }) => asked),
          rawB: found.map(({ status }) => status),
        },
        {
          ...shared,
          name: 'p99 of a question',
          rawA: found.map(({ asked }) => [quantile(asked, 0.99)]),
          rawB: found.map(({ status }) => [quantile(status, 0.99)]),
        },
      ],
    };
  },
};

export default think;
