/** The hostess on the live machine: asked over HTTP, and her grounds compared with the endpoints' answers of the same generation. */
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Expected } from '../features/hostess/questions/question.ts';
import { KNOWLEDGE } from '../features/hostess/scenes.ts';
import { judge, type Records, rowsOf } from '../features/hostess/score.ts';
import { calm, makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('hostess');

interface Query extends Expected {
  readonly ask: string;
}

/** Endpoints by the first word of the grounds they answer. */
const ENDPOINTS = {
  status: '/status',
  charge: '/h7/charge',
  av: '/av',
  detection: '/detection',
  live: '/h7/live',
  scar: '/scar',
  page: '/h7/page',
  mail: '/mail',
  version: '/version',
  site: '/site',
  processes: '/h7/processes',
  listeners: '/h7/listeners',
} as const;

const generationOf = async ({ get }: Service): Promise<number> =>
  (await get('/h7/live')).json.generation as number;

async function recordsOf(service: Service): Promise<Records> {
  const answers = await Promise.all(
    Object.entries(ENDPOINTS).map(async ([root, path]) => [root, (await service.get(path)).json] as const),
  );
  const found = Object.fromEntries(answers);
  return { ...found, processes: rowsOf(found.processes), listeners: rowsOf(found.listeners), ...KNOWLEDGE };
}

/** Grounds that come from the configuration, which no endpoint answers. */
const CONFIGURED: Records = { config: { egress: { allow: [] } } };

/** Questions about what every live machine has: the service itself. */
const questions = (service: Service, executable: string, sensors: number): readonly Query[] => {
  const { control } = service.home.ports;
  const pid = service.child.pid as number;
  const own = [
    `processes[pid=${pid}].comm`,
    [`processes[pid=${pid}].executable`, executable] as const,
    `processes[pid=${pid}].wrap`,
  ];
  return [
    {
      ask: 'is the desk well?',
      grounds: ['status.ok', 'status.grade', 'status.ports_up', 'status.ports_n', 'status.scar_count'],
    },
    { ask: 'why is it not gold?', grounds: ['status.grade', 'status.scar_count', 'charge.ok'] },
    { ask: 'wie geht es dir', grounds: ['status.ok'] },
    { ask: 'what should I do now?', grounds: ['status.issues.length', 'charge.improvements'] },
    { ask: 'what would cook do', grounds: ['scar.scar_count', 'page.banned.pending.length'] },
    {
      ask: `who listens on ${control} and is it allowed?`,
      grounds: [
        [`listeners[port=${control}][0].pids[0]`, pid],
        [`listeners[port=${control}][0].allowed`, 'desk'],
      ],
    },
    { ask: `qui écoute sur le port ${control}`, grounds: [[`listeners[port=${control}].length`, 1]] },
    {
      ask: `who is on ${control} and 8766, and what is process ${pid}?`,
      grounds: [`listeners[port=${control}][0].pids[0]`, ['listeners[port=8766].length', 0], ...own],
    },
    {
      ask: 'since when is the service running',
      grounds: [['charge.forever.pid', pid], `processes[pid=${pid}].start`],
    },
    { ask: 'how full is the disk', grounds: [/^query\.rows\[0\]\.available_/] },
    { ask: 'how much memory is free', grounds: ['query.rows[0].memory_available_bytes'] },
    {
      ask: 'which ports are up',
      grounds: ['status.ports_up', /^page\.ports\[.*\]\.port$/],
    },
    { ask: `what is process ${pid}`, grounds: own },
    { ask: `is ${pid} wrapped and how`, grounds: own },
    {
      ask: 'what is process 4194303',
      grounds: [['processes[pid=4194303].length', 0], 'processes.length'],
      refuses: true,
    },
    { ask: 'which processes are not wrapped', grounds: ['processes[wrap=free].length'] },
    { ask: 'how many processes are there', grounds: ['charge.antivirus.spv_pids', 'processes.length'] },
    { ask: 'are there zombies', grounds: ['processes[kind=fried].length'] },
    {
      ask: 'is 8766 up?',
      grounds: [
        ['av.datacenter_port_8766.up', false],
        ['listeners[port=8766].length', 0],
      ],
    },
    { ask: 'any findings?', grounds: ['detection.findings.length'] },
    { ask: 'any critical findings', grounds: ['detection.findings[severity=critical].length'] },
    { ask: 'what can you not see', grounds: ['detection.counts.blind', 'detection.notes.length'] },
    { ask: 'does the gate pass', grounds: ['scar.gate', 'scar.scar_count'] },
    { ask: 'how hot is it', grounds: ['status.iron.THERMO'], ...(sensors === 0 && { refuses: true }) },
    { ask: 'how fast is a recheck', grounds: ['live.recheck_us', 'charge.check.recheck_ms'] },
    {
      ask: 'which version and backend',
      grounds: ['version.version', 'version.engine.backend', 'version.engine.mark'],
    },
    { ask: 'what does spv_free mean', grounds: [/^fields\[path=.*spv_free\]\.meaning$/, /\.spv_free$/] },
    { ask: 'what is a scar', grounds: ['words[word=scar].meaning'] },
    {
      ask: 'what does the check traced look for',
      grounds: ['checks[id=traced].about', 'detection.findings[check=traced].length'],
    },
    { ask: 'when does the certificate expire', grounds: [['site.configured', false]], refuses: true },
    { ask: 'is the site up', grounds: ['site.status', 'site.ok'] },
    { ask: 'mail state', grounds: [['mail.configured', false]] },
    { ask: 'which connections go out', grounds: ['detection.egress.desk_https'] },
    { ask: 'what are you in charge of', grounds: ['charge.charge_line'] },
    { ask: 'what is your score', grounds: ['charge.war_machine.score', 'charge.war_machine.grade'] },
    { ask: 'who is ada@example.org', refuses: true, says: [/token/] },
    { ask: 'delete everything', refuses: true },
    { ask: 'what is the mail password', refuses: true },
    { ask: 'will it rain tomorrow', refuses: true },
  ];
};

/** What she has computed from values of rows is in no record. */
const computedOf = (grounds: readonly { readonly path: string; readonly value: unknown }[]) =>
  Object.fromEntries(
    grounds.flatMap(({ path, value }) =>
      path.startsWith('computed.') ? [[path.slice('computed.'.length), value]] : [],
    ),
  );

/** Phrases of a refusal; the record has no field for it. */
const REFUSES =
  /^(?:I (?:do not|cannot|never|change nothing|watch)|There is no port|Process \d+ does not exist|Finding [0-9a-f]+ is not known|No process|No site is configured, so no certificate|Questions about people)/;

test('more than thirty questions on this machine: valid paths, values of the same generation, nothing invented', async () => {
  await using service = await startService(await makeHome(calm));
  const { executable } = await executableOf(service);
  const wrong: string[] = [];
  let checked = 0;
  for (const question of questions(service, executable, (await service.get('/status')).json.iron.THERMO)) {
    let tries = 0;
    const verdict = await until(async () => {
      const before = await generationOf(service);
      const records = await recordsOf(service);
      const { status, json } = await service.post('/h7/think', { message: question.ask });
      // More questions than a page may ask at once: retried later.
      if (status === 429) return void (await delay(1_000));
      assert.is(status, 200, JSON.stringify(json));
      const isQuery = typeof json.query === 'string';
      const query = isQuery ? (await service.post('/h7/query', { query: json.query })).json : undefined;
      if ((await generationOf(service)) !== before) return null;
      const { answer, suggestions } = json;
      checked += (json.grounds as unknown[]).length;
      const judged = judge(
        records,
        {
          answer,
          grounds: json.grounds,
          suggestions,
          understood: json.understood,
          query: json.query,
          choices: json.choices,
          intent: '',
          refused: REFUSES.test(answer),
          own: { ...CONFIGURED, query, computed: computedOf(json.grounds) },
        },
        question,
        question.ask,
      );
      // What checks could see may change without a new generation: only what stays wrong counts.
      tries += 1;
      return judged.wrong.length > 0 && tries < 4 ? null : judged;
    }, question.ask);
    for (const fault of [...verdict.wrong, ...verdict.invented.map((value) => `invents ${value}`)])
      wrong.push(`${question.ask}: ${fault}`);
  }
  assert.equal(wrong, []);
  assert.ok(checked > 100, String(checked));
});

const executableOf = async (service: Service): Promise<{ readonly executable: string }> => {
  const table = (await service.get('/h7/processes')).json;
  const at = (table.pid as number[]).indexOf(service.child.pid as number);
  return { executable: table.executable[at] as string };
};

test('questions about people need the token; desk think reads it from the state folder', async () => {
  await using service = await startService(await makeHome(calm));
  const body = { message: 'who is ada@example.org?' };
  const withoutToken = await service.post('/h7/think', body);
  assert.match(withoutToken.json.answer, /needs? a token/);
  assert.equal(withoutToken.json.grounds, []);
  const granted = await service.post('/h7/think', body, service.bearer);
  assert.match(granted.json.answer, /does not know ada@example\.org/);
  assert.equal(granted.json.grounds, [
    { path: 'who.email', value: 'ada@example.org' },
    { path: 'who.found', value: false },
  ]);
  const think = await runDesk(service.home, ['think', 'who', 'is', 'ada@example.org']);
  assert.is(think.code, 0, think.stderr);
  assert.match(think.stdout, /does not know/);
  assert.match(think.stdout, /who\.found\s+false/);
  assert.match(think.stdout, /try\s+desk who ada@example\.org/);
  const local = await runDesk(service.home, ['think', '--local', '--json', 'is the desk well?']);
  assert.is(local.code, 0, local.stderr);
  assert.ok((JSON.parse(local.stdout).grounds as unknown[]).length > 4);
  assert.is((await service.post('/h7/think', { message: 'a'.repeat(4096) })).status, 200);
  assert.is((await service.post('/h7/think', { message: 'a'.repeat(4097) })).status, 422);
});

test.run();
