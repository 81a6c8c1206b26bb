/** Watches a running desk from its first learning on: every finding in any snapshot, however short. */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Note } from '../../src/checks/verdicts.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { openDatabase } from '../../src/store/database.ts';
import { runDesk, type Service, until } from './running.ts';

export type WatchedFinding = Pick<Finding, 'id' | 'check' | 'severity' | 'summary' | 'evidence' | 'subject'>;

export type Found = WatchedFinding & { readonly times: number };

export interface Watched {
  /** Milliseconds from the start of the service to generation 1. */
  readonly learnedAfterMs: number;
  readonly watchedMs: number;
  /** Findings in any later snapshot, one for each check, severity and program, with their number. */
  readonly found: readonly Found[];
  /** Subjects that could not be checked at the end, by check and reason. */
  readonly blind: Readonly<Record<string, number>>;
  /** Explained findings at the end: `check source name`, with their number. */
  readonly excused: Readonly<Record<string, number>>;
  /** Rows of the first learning that a person should review. */
  readonly toReview: readonly string[];
  /** Findings opened and closed, from the store. */
  readonly history: { readonly opened: number; readonly closed: number };
  readonly polls: number;
  /** Polls that the service refused or did not answer, with its message. */
  readonly unanswered: readonly string[];
  /** Processes of unlearned programs that ended too soon to be findings. */
  readonly shortLived: number;
  readonly rechecks: number;
  /** CPU share of one core for the service and its helpers, over the watched time. */
  readonly cpuShare: number;
}

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** Findings between polls, from the live stream, which reconnects when it breaks. */
function followFindings(port: number, take: (finding: Finding) => void): () => void {
  let stopped = false;
  let lastId: string | undefined;
  let current: ReturnType<typeof request> | undefined;
  const connect = (): void => {
    if (stopped) return;
    let text = '';
    const headers = { Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) };
    current = request({ host: '127.0.0.1', port, path: '/h7/live', headers, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          lastId = /^id: (.*)$/m.exec(event)?.[1] ?? lastId;
          if (!/^event: finding$/m.test(event)) continue;
          const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as { finding: Finding };
          take(data.finding);
        }
      });
      response.on('error', () => undefined).on('close', () => setTimeout(connect, 100));
    });
    current.on('error', () => setTimeout(connect, 100)).end();
  };
  connect();
  return () => {
    stopped = true;
    current?.destroy();
  };
}

/** CPU seconds of a process, its living children, and the children it has waited for (proc_pid_stat(5), fields 14 to 17). */
function cpuSec(pid: number): number {
  let sum = 0;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0] = fields.slice(1);
      const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11);
      if (Number(name) === pid) sum += user + system + waitedUser + waitedSystem;
      else if (parent === pid) sum += user + system;
    } catch {}
  }
  return sum / 100;
}

/** Waits for an answer: under heavy load the service may be unavailable for a while. */
const answered = (service: Service, path: string) =>
  until(async () => {
    const { status, json } = await service.get(path);
    return status === 200 && json;
  }, path);

interface Watch {
  readonly forMs: number;
  readonly everyMs?: number;
  readonly startedMs: number;
  /** Called after generation 1. */
  readonly learned?: () => void;
}

/** As an administrator does after a package upgrade: learns the changed programs, or tries again later if learning is forbidden. */
const takeChanges = (service: Service, findings: readonly WatchedFinding[]): Promise<unknown> =>
  findings.some(({ check }) => check === 'changed-program')
    ? service.post('/learn', {}, service.bearer).catch(() => undefined)
    : Promise.resolve();

/** Watches for `forMs` after generation 1, and polls every `everyMs`. */
export async function watchQuietly(
  service: Service,
  { forMs, everyMs = 250, startedMs, learned: afterLearning }: Watch,
): Promise<Watched> {
  const pid = service.child.pid ?? 0;
  await until(
    async () => (await service.get('/status')).json.iron.adjoin === 1,
    'the first generation',
    90_000,
  );
  const generationOf = async (): Promise<number> => (await answered(service, '/h7/live')).generation;
  // Rechecks until then have judged without it; the one that runs too, perhaps.
  const judgedWithout = (await generationOf()) + 1;
  await until(async () => (await generationOf()) > judgedWithout, 'a recheck by the first generation');
  const learned = performance.now();
  afterLearning?.();
  const seen = new Map<string, WatchedFinding>();
  const heard = new Set<string>();
  const take = (finding: WatchedFinding): void => {
    heard.add(`${finding.id} ${finding.severity}`);
    seen.set(`${finding.id} ${finding.severity}`, finding);
  };
  const [cpuBefore, generationBefore] = [cpuSec(pid), await generationOf()];
  const stop = followFindings(service.home.ports.control, take);
  const unanswered: string[] = [];
  let polls = 0;
  while (performance.now() - learned < forMs) {
    const answer = await service
      .get('/detection')
      .catch((error: Error) => ({ status: 0, text: error.message, json: null }));
    if (answer.status === 200) for (const finding of answer.json.findings as WatchedFinding[]) take(finding);
    else unanswered.push(`${answer.status} ${answer.text}`.slice(0, 300));
    // About every ten seconds.
    if (answer.status === 200 && polls % 40 === 0) await takeChanges(service, answer.json.findings);
    polls += 1;
    await sleep(everyMs);
  }
  const watchedMs = performance.now() - learned;
  const cpuShare = (cpuSec(pid) - cpuBefore) / (watchedMs / 1000);
  const rechecks = (await generationOf()) - generationBefore;
  stop();
  const { notes, excused, short_lived } = (await answered(service, '/detection')) as {
    readonly short_lived: { readonly last_hour: number };
    notes: Note[];
    excused: { check: string; source: string; name: string }[];
  };
  const review = JSON.parse((await runDesk(service.home, ['baseline', 'review', '--json'])).stdout);
  const history = recorded(service, take);
  const found = new Map<string, Found>();
  for (const finding of seen.values()) {
    const { subject } = finding;
    const key = `${finding.check} ${finding.severity} ${subject.kind === 'process' ? subject.identity : finding.summary}`;
    found.set(key, { ...finding, times: (found.get(key)?.times ?? 0) + 1 });
  }
  return {
    learnedAfterMs: Math.round(learned - startedMs),
    watchedMs: Math.round(watchedMs),
    found: [...found.values()],
    blind: Object.fromEntries(notes.map(({ check, reason, subjects }) => [`${check}: ${reason}`, subjects])),
    excused: tally(excused.map(({ check, source, name }) => `${check} ${source} ${name}`.trim())),
    toReview: (review.rows as { text: string; detail?: string }[]).map((row) => JSON.stringify(row)),
    history,
    polls,
    unanswered,
    shortLived: short_lived.last_hour,
    rechecks,
    cpuShare,
  };
}

/** The findings that the store has since generation 1, including those that neither stream nor poll reported. */
function recorded(
  service: Service,
  take: (finding: WatchedFinding) => void,
): { opened: number; closed: number } {
  const database = openDatabase(join(service.home.state, 'desk.db'));
  try {
    const [first] = database.all<{ learned_at: string }>(
      'SELECT learned_at FROM generations WHERE number = 1',
    );
    const since = Date.parse(first?.learned_at ?? '');
    const rows = database.all<Record<string, string>>(
      `SELECT finding AS id, event, at, "check", severity, summary, evidence, subject
         FROM finding_events JOIN findings ON id = finding`,
    );
    const after = rows.filter(({ at }) => Date.parse(at ?? '') > since);
    for (const row of after.filter(({ event }) => event !== 'closed'))
      take({
        ...row,
        evidence: JSON.parse(row.evidence ?? '{}'),
        subject: JSON.parse(row.subject ?? '{}'),
      } as unknown as WatchedFinding);
    const closed = after.filter(({ event }) => event === 'closed').length;
    return { opened: after.length - closed, closed };
  } finally {
    database.close();
  }
}
