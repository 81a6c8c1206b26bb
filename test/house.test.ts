/** The rules of the source tree. Each rule is a table and a short check; an exception is in its table with its reason. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chargeReport } from '../src/records/charge-report.ts';
import { deskHygiene } from '../src/records/desk-hygiene.ts';
import { deskStatus } from '../src/records/desk-status.ts';
import { GROUPS, groupsOf, LONGEST } from './groups.ts';
import { PROOFS } from './proofs.ts';
import { FLAGS } from './support/flags.ts';
import { projectRoot } from './support/require.ts';
import { patientMs } from './support/time-limit.ts';
import { cycles, folderGraph, folderOf, readTree } from './tree/graph.ts';

const generated = ['node_modules', 'fixtures', 'golden', 'results', '.git', 'build', 'dist'];

function files(folder: string, ending: RegExp): string[] {
  const at = join(projectRoot, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { withFileTypes: true })
    .filter((entry) => !generated.includes(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files(path, ending) : ending.test(path) ? [path] : [];
    })
    .sort();
}

const text = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const withoutComments = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** Static and dynamic imports and re-exports of a TypeScript file. */
function importsOf(file: string): Import[] {
  const code = withoutComments(text(file));
  const fixed = [...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)];
  const dynamic = [...code.matchAll(/\bimport\(\s*'([^']+)'\s*\)(?!\.[A-Z])/g)];
  return [
    ...fixed.map((found) => ({ from: found[2] ?? '', typeOnly: found[1] !== undefined })),
    ...dynamic.map((found) => ({ from: found[1] ?? '', typeOnly: false })),
  ];
}

const sources = files('src', /\.tsx?$/);
const natives = files('native', /\.(cc|h|c)$/);
const tests = files('test', /\.ts$/);

/** Parts of `base` that the browser loads too: they import nothing. */
const IN_BROWSER = [
  'src/base/literal.ts',
  'src/base/plural.ts',
  'src/base/retry.ts',
  'src/base/sentence.ts',
  'src/base/shell-word.ts',
  'src/base/visible-text.ts',
  'src/desk/request.ts',
];

test('folders of src/ form no import cycle, and no file is at its root', () => {
  const tree = readTree(projectRoot);
  assert.equal(cycles(folderGraph(tree)), []);
  assert.equal(
    tree.files.filter((file) => folderOf(file) === 'src'),
    [],
  );
});

/** Lower folders, and what they may import besides themselves. */
const BOTTOM: Readonly<Record<string, readonly string[]>> = {
  base: [],
  policy: [],
  config: ['base', 'policy'],
  // Knows no table of the desk.
  query: ['base'],
  // Does not know what features store in it.
  store: ['base'],
  // The only network client.
  egress: ['base'],
  privileges: ['base', 'engine'],
  engine: ['base'],
  checks: ['base', 'engine', 'policy'],
  findings: ['base', 'engine', 'policy', 'checks'],
  records: ['base', 'config', 'engine', 'policy', 'checks', 'findings'],
  // For programs of others: what a service adds is not in it.
  library: ['base', 'config', 'engine', 'policy', 'checks', 'findings', 'features/law'],
  // Transports know operations and records, never the internals of a feature.
  pages: ['base', 'config', 'desk', 'features', 'records'],
  http: ['base', 'config', 'desk', 'engine', 'checks', 'findings', 'records', 'features', 'pages'],
};

/** Folders that only these may import: what they offer reaches beyond the process, or into other processes. */
const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  egress: [
    'desk',
    'features/alerts',
    'features/assistant',
    'features/inspection',
    'features/mail',
    'features/site',
    'service',
  ],
  privileges: [
    'features/alerts',
    'features/baseline',
    'features/hostess',
    'features/inspection',
    'features/mail',
    'features/packages',
    'features/startup',
    'features/vitals',
    'service',
    'cli',
  ],
  'state-folder': ['features/law', 'features/remedies', 'service', 'cli'],
  service: ['cli'],
  library: [],
  cli: [],
};

test('modules that reach beyond the process are imported only where needed', () => {
  const graph = folderGraph(readTree(projectRoot));
  const wrong = Object.entries(IMPORTERS).flatMap(([target, allowed]) =>
    [...graph].flatMap(([folder, targets]) =>
      targets.has(target) && !allowed.includes(folder) ? [targets.get(target)] : [],
    ),
  );
  assert.equal(wrong, []);
});

test('the lower folders import only folders below them', () => {
  const graph = folderGraph(readTree(projectRoot));
  const wrong = Object.entries(BOTTOM).flatMap(([folder, allowed]) =>
    [...(graph.get(folder) ?? [])].flatMap(([target, example]) =>
      allowed.includes(target) ? [] : [example],
    ),
  );
  assert.equal(wrong, []);
  assert.equal(IN_BROWSER.flatMap(importsOf), []);
});

/** What others may import of a feature: its public parts, its operations, its entry in the list; and the parts of the core that are there. */
const OPEN = ['index.ts', 'api.ts', 'operations.ts', 'public-operations.ts', 'feature.ts'];

test('a feature is used only through its public parts', () => {
  const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1];
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => relative('.', join(dirname(file), from)))
      .filter((target) => {
        const feature = featureOf(target);
        return feature !== undefined && feature !== featureOf(file) && !OPEN.includes(basename(target));
      })
      .map((target) => `${file} imports ${target}`),
  );
  assert.equal(wrong, []);
});

test('relative imports end in .ts and exist', () => {
  const wrong = [...sources, ...tests].flatMap((file) =>
    importsOf(file)
      .filter(({ from }) => from.startsWith('.'))
      .filter(({ from }) => !/\.tsx?$/.test(from) || !existsSync(join(projectRoot, dirname(file), from)))
      .map(({ from }) => `${file}: ${from}`),
  );
  assert.equal(wrong, []);
});

/** A digest of its argument is pure. */
const DIGESTS = [
  'src/checks/changed-program.ts',
  'src/checks/packaged-file.ts',
  'src/findings/finding-id.ts',
];

const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|(?<![-.\w])process\.[a-z]|(?<![.\w])performance\.[a-z]|\bset(?:Timeout|Interval|Immediate)\(|\bcrypto\.|\bfetch\(/;

/** Modules of Node that are pure. */
const PURE_MODULES = ['node:url'];

/** The modules of pure folders that use timers. */
const TIMED = ['src/findings/recheck.ts', 'src/findings/scan-schedule.ts'];

test('policy, checks, findings, records, query and people are pure: no clock, file, environment, randomness or kernel', () => {
  const wrong = sources
    .filter(
      (file) =>
        /^src\/(?:policy|checks|findings|records|query|features\/mail\/people)\//.test(file) &&
        !TIMED.includes(file),
    )
    .flatMap((file) => [
      ...importsOf(file)
        .filter(
          ({ from, typeOnly }) =>
            !typeOnly &&
            !(from === 'node:crypto' && DIGESTS.includes(file)) &&
            !PURE_MODULES.includes(from) &&
            (from.startsWith('node:') || /\/native\/(?!(?:batch-|column-)?types\.ts)/.test(from)),
        )
        .map(({ from }) => `${file} imports ${from}`),
      ...(withoutComments(text(file)).match(new RegExp(impure, 'g')) ?? []).map((word) => `${file}: ${word}`),
    ]);
  assert.equal(wrong, []);
});

// Modules that reach outside this process, each with the reason. Type-only imports need none.
const reach: Record<string, Record<string, string>> = {
  'src/pages/browser/ask.ts': { fetch: 'runs in the browser, and asks its own listener' },
  'src/pages/browser/stream.ts': { fetch: 'runs in the browser, and asks its own listener' },
  'src/cli/bench-peers.ts': { 'node:child_process': 'times ps and ss beside the engine, on demand only' },
  'src/cli/commands/open.ts': { 'node:child_process': 'opens the browser of the user' },
  'src/base/http-exchange.ts': {
    'node:http': 'asks for those of ASKS: over connections of the guard, on loopback, or in process',
  },
  'src/features/vitals/units.ts': {
    'node:child_process': 'asks systemctl for failed units, at most every five minutes, with a time limit',
  },
  'src/features/alerts/run-command.ts': {
    'node:child_process': 'runs the command that the configuration names for alerts',
  },
  'src/install/programs.ts': { 'node:child_process': 'runs systemctl and systemd-sysusers, on demand only' },
  'src/engine/native/no-debugger.ts': { 'node:inspector': 'closes the inspector, opens nothing' },
  'src/http/server.ts': { 'node:http': 'the servers' },
  'src/http/secure.ts': { 'node:tls': 'puts TLS on connections of the remote listener; connects to nothing' },
  'src/features/remote/identity.ts': {
    'node:tls': 'tries whether TLS takes a certificate; connects to nothing',
  },
  'src/http/accept-queue.ts': {
    'node:net': 'makes a socket of a connection that was accepted; connects to nothing',
  },
  'src/service/office-port.ts': { 'node:net': 'binds a port to see whether that works; connects to nothing' },
  // Egress: the only other network client in src is the command, which connects to its own service on loopback.
  'src/base/addresses.ts': { 'node:net': 'checks whether a text is an address (isIP), does not connect' },
  'src/egress/allowlist.ts': { 'node:net': 'distinguishes addresses from names (isIP)' },
  'src/egress/resolver.ts': { 'node:dns/promises': 'resolves the listed names' },
  'src/egress/guard.ts': { 'node:net': 'connects to what passed every rule' },
  'src/egress/tls.ts': { 'node:tls': 'puts TLS on connections of the guard' },
  'src/egress/session.ts': { 'node:tls': 'puts TLS on connections of the guard' },
  'src/egress/imap.ts': { imapflow: 'speaks IMAP over connections of the guard' },
  'src/egress/smtp.ts': { nodemailer: 'speaks SMTP over connections of the guard' },
  'src/privileges/child.ts': {
    'node:net': 'makes a stream of a descriptor that is open already; connects to nothing',
    'node:child_process': 'starts desk-peek and the mail process, parts of the desk that can be killed',
  },
};
const reaching =
  /^(?:node:)?(?:child_process|cluster|http|https|http2|net|tls|dgram|dns|dns\/promises|inspector)$|^(?:undici|imapflow|nodemailer)$/;

test('no module spawns programs or opens the network unless it is listed', () => {
  const wrong = sources.flatMap((file) => [
    ...importsOf(file)
      .filter(({ from, typeOnly }) => !typeOnly && reaching.test(from) && !reach[file]?.[from])
      .map(({ from }) => `${file} imports ${from}`),
    ...(/(?<![.\w])fetch\(/.test(withoutComments(text(file))) && !reach[file]?.fetch
      ? [`${file} uses fetch`]
      : []),
  ]);
  assert.equal(wrong, []);
  const unused = Object.entries(reach).flatMap(([file, modules]) =>
    Object.keys(modules)
      .filter(
        (name) =>
          existsSync(join(projectRoot, file)) &&
          !text(file).includes(name === 'fetch' ? 'fetch(' : `'${name}'`),
      )
      .map((name) => `${file}: ${name}`),
  );
  assert.equal(unused, [], 'exceptions that nothing needs any more');
});

test('only src/egress and the command, which connects to its own service, have a network client', () => {
  const client = /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns|dns\/promises)$|^undici$/;
  const elsewhere = Object.entries(reach)
    .filter(([, modules]) => Object.keys(modules).some((name) => client.test(name)))
    .map(([file]) => file)
    .filter((file) => !file.startsWith('src/egress/'));
  assert.equal(elsewhere.sort(), [
    'src/base/addresses.ts',
    'src/base/http-exchange.ts',
    'src/features/remote/identity.ts',
    'src/http/accept-queue.ts',
    'src/http/secure.ts',
    'src/http/server.ts',
    'src/privileges/child.ts',
    'src/service/office-port.ts',
  ]);
});

/** What sends requests through `base/http-exchange.ts`. */
const ASKS = [
  'src/cli/client.ts',
  'src/egress/assistant.ts',
  'src/egress/https.ts',
  'src/egress/send-web.ts',
  'src/service/embedded.ts',
];

/** What is implemented in one place only: a pattern of it, and the files that may match. */
const ONCE: Readonly<Record<string, readonly [RegExp, ...string[]]>> = {
  'the code of an error': [
    /as NodeJS\.ErrnoException\)\.code|\{ code \} = error as/,
    'src/base/error-code.ts',
  ],
  'loopback addresses': [/127(?:\\\.|\()|addSubnet/, 'src/base/addresses.ts'],
  'severities in order': [/'low', 'medium', 'high'|'critical', 'high', 'medium'/, 'src/policy/severity.ts'],
  'brackets around IPv6': [/`\[\$\{(?:host|address)\}\]/, 'src/base/addresses.ts'],
  'labels of host names': [/\[a-z0-9_-\]\{0,61\}/, 'src/base/host-name.ts'],
  'text that lost bytes': [/\[\\ufffd/, 'src/base/visible-text.ts'],
  'doubling pauses': [/\* 2 \*\* /, 'src/base/retry.ts'],
  'opening without following a link': [
    /O_NOFOLLOW/,
    'src/base/private-file.ts',
    'src/state-folder/state-folder.ts',
  ],
  'a request over HTTP': [/\brequest\(\{/, 'src/base/http-exchange.ts'],
};

test('each of these things has one implementation', () => {
  const wrong = Object.entries(ONCE).flatMap(([what, [pattern, ...places]]) =>
    sources
      .filter((file) => pattern.test(withoutComments(text(file))) && !places.includes(file))
      .map((file) => `${file}: ${what}, see ${places[0]}`),
  );
  assert.equal(wrong, []);
});

test('only src/egress, the command and the in-process probe of our server send HTTP requests', () => {
  const asking = sources.filter((file) =>
    importsOf(file).some(({ from, typeOnly }) => !typeOnly && from.endsWith('/http-exchange.ts')),
  );
  assert.equal(
    asking.filter((file) => file !== 'src/egress/network-words.ts'),
    ASKS,
  );
});

test('JSON is written only by src/base/visible-text.ts', () => {
  // The first names allowed values in the detail of a problem, the second prints a value to a terminal, which escapes it.
  const others = ['src/desk/input.ts', 'src/features/hostess/operations.ts'];
  const places = sources.filter(
    (file) =>
      /^src\/(?:http|operations|features\/mail\/export|base\/terminal)/.test(file) && !others.includes(file),
  );
  assert.equal(
    places.filter((file) => /JSON\.stringify\(/.test(withoutComments(text(file)))),
    [],
  );
  // Invisible characters are defined once; the other classes are about names of people and answers of an assistant.
  const own = [
    'src/base/visible-text.ts',
    'src/features/mail/people/',
    'src/base/secrets.ts',
    'src/features/assistant/',
    'src/egress/session.ts',
    'src/features/mail/export.ts',
  ];
  assert.equal(
    sources.filter((file) => !own.some((one) => file.startsWith(one)) && /\\p\{C[cf]\}/.test(text(file))),
    [],
  );
});

test('signals are sent through a pidfd only, and only from native/act', () => {
  const calls =
    /(?<![\w.])(?:::)?(?:kill|tkill|tgkill|killpg|raise|sigqueue|pthread_kill)\(|SYS_(?:t|tg)?kill\b/;
  const wrong = natives
    .filter((file) => !/^native\/(?:fuzz|check)\//.test(file))
    .filter((file) => {
      const code = withoutComments(text(file));
      return calls.test(code) || (code.includes('SYS_pidfd_send_signal') && !file.startsWith('native/act/'));
    });
  assert.equal(wrong, []);
  assert.equal(
    // A process that stops itself, as a terminal requests, cannot hit another one.
    sources.filter((file) =>
      /\bprocess\.kill\((?!process\.pid, 'SIGSTOP'\))/.test(withoutComments(text(file))),
    ),
    [],
  );
});

test('only native/addon uses N-API', () => {
  const wrong = natives
    .filter((file) => !file.startsWith('native/addon/'))
    .filter((file) => /\bnapi|Napi::/.test(text(file).replace(/\/\/.*$/gm, '')));
  assert.equal(wrong, []);
});

test('every check is in the index under the name of its file', () => {
  const index = text('src/checks/index.ts');
  const checks = sources.filter(
    (file) => /^src\/checks\/[^/]+\.ts$/.test(file) && /export const \w+: \w*Check\b/.test(text(file)),
  );
  assert.ok(checks.length > 0);
  const wrong = checks.filter((file) => {
    const id = basename(file, '.ts');
    return !index.includes(`'./${id}.ts'`) || !new RegExp(`\\bid: '${id}'`).test(text(file));
  });
  assert.equal(wrong, []);
});

/** The text of a test, from its title to the next one; "" when there is none of that title. */
function testOf(file: string, title: string): string {
  const source = text(file);
  const from = source.search(new RegExp(`['"]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"],`));
  return from < 0
    ? ''
    : (source.slice(from).split(/\n(?=(?:test|it|needs|alone|with[A-Z]\w*)\()/, 1)[0] ?? '');
}

test('every check has a proof: a test that finds the real thing, and one in which the benign case is not reported', () => {
  const ids = [...text('src/checks/index.ts').matchAll(/'\.\/([a-z-]+)\.ts'/g)]
    .map(([, id = '']) => id)
    .filter((id) => id !== 'check');
  assert.equal(Object.keys(PROOFS).sort(), ids.sort());
  const wrong = Object.entries(PROOFS).flatMap(([id, { file, found, silent = found }]) => [
    ...(testOf(`test/${file}`, found).includes(id) ? [] : [`${id}: ${file} has no test of it, "${found}"`]),
    ...(testOf(`test/${file}`, silent).includes('assert') ? [] : [`${id}: ${file} has no test "${silent}"`]),
  ]);
  assert.equal(wrong, []);
});

test('every record is in the index', () => {
  const index = text('src/records/index.ts');
  const records = sources.filter(
    (file) => /^src\/records\/[^/]+\.ts$/.test(file) && /(?:= |\.)record\(\s*'/.test(text(file)),
  );
  assert.ok(records.length > 0);
  assert.equal(
    records.filter((file) => !index.includes(`'./${basename(file)}'`)),
    [],
  );
});

test('every boolean and every state of the three records can change: by facts, and in a test with real processes', () => {
  const paths = (shape: object, at: string): string[] =>
    Object.entries(shape).flatMap(([key, part]) => {
      const path = `${at}.${key}`;
      if (part.kind === 'group') return paths(part.shape, path);
      return ['boolean', 'enum'].includes(part.type.def.type) ? [path] : [];
    });
  const flags = [
    ...paths(deskStatus.shape, 'status'),
    ...paths(chargeReport.shape, 'charge'),
    ...paths(deskHygiene.shape, 'av'),
  ];
  assert.equal(Object.keys(FLAGS).sort(), flags.sort());
  for (const [path, { proof }] of Object.entries(FLAGS))
    assert.ok(text(proof[0]).includes(proof[1]), `${path}: ${proof[0]} has no test "${proof[1]}"`);
});

test('native/sources.txt is the one list of sources, and complete', () => {
  const listed = text('native/sources.txt')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('native/') ? line : join('native', line)))
    .sort();
  // Separate programs: each has its own list, except the fuzz targets. Sources that programs share are in the addon too.
  const own =
    /^native\/(?:files\/(?!logins\.cc$)|peek\/|fuzz\/|glibc\/)|^native\/start\/(?:main|namespaces|network)\.cc$/;
  assert.equal(
    listed,
    natives.filter((file) => file.endsWith('.cc') && !own.test(file)),
  );
  const listOf = (program: string) =>
    text(`native/${program}/sources.txt`)
      .split('\n')
      .filter((line) => line.startsWith('native/'));
  const helper = listOf('peek');
  assert.equal(
    helper.filter((file) => /^native\/(?:files|peek)\//.test(file)),
    natives.filter((file) => /^native\/(?:files|peek)\/.*\.cc$/.test(file)),
  );
  assert.equal(
    listOf('start').filter((file) => !natives.includes(file)),
    [],
  );
  assert.equal(
    listOf('glibc'),
    natives.filter((file) => /^native\/glibc\/.*\.cc$/.test(file)),
  );
  assert.equal(
    helper.filter((file) => !natives.includes(file)),
    [],
  );
  for (const build of ['CMakeLists.txt', 'binding.gyp']) {
    assert.match(text(build), 'native/sources.txt');
    assert.match(text(build), 'native/peek/sources.txt');
    assert.not.match(text(build), /\w+\.cc\b/);
  }
});

test('generated documents are up to date', () => {
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'docs/generate.ts', '--check'], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: patientMs(60_000),
  });
  assert.is(run.status, 0, run.stdout + run.stderr);
});

/** Definitions of the tables and charts, used by the server and the browser. */
const DESCRIPTIONS = [
  'account-words',
  'diff-words',
  'finding-words',
  'listener-columns',
  'measures',
  'process-columns',
  'process-words',
  'startup-words',
  'table-cells',
  'terms',
  'setup',
  'vitals-words',
].map((name) => `src/records/${name}.ts`);

/** Every module that a file loads. */
function loadedBy(file: string, known = new Set<string>()): Set<string> {
  for (const { from, typeOnly } of importsOf(file)) {
    const target = from.startsWith('.') ? relative('.', join(dirname(file), from)) : from;
    if (typeOnly || known.has(target)) continue;
    known.add(target);
    if (from.startsWith('.')) loadedBy(target, known);
  }
  return known;
}

test('pages and client import records and server modules by type only, except what they show', () => {
  const server = /^src\/(?!pages\/)/;
  /** Pages that the server alone renders. */
  const servers = ['src/pages/public-pages.tsx'];
  const wrong = sources
    .filter((file) => file.startsWith('src/pages/') && !servers.includes(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ from, typeOnly }) => !typeOnly && from.startsWith('.'))
        .map(({ from }) => relative('.', join(dirname(file), from)))
        .filter((target) => server.test(target) && ![...IN_BROWSER, ...DESCRIPTIONS].includes(target))
        .map((target) => `${file} imports ${target}`),
    );
  assert.equal(wrong, []);
  const heavy = DESCRIPTIONS.flatMap((file) => [...loadedBy(file)].filter((one) => !one.startsWith('src/')));
  assert.equal(heavy, [], 'descriptions load no package and nothing of Node');
});

test('no file is too long: 400 lines of src, its style sheets and native', () => {
  const long = [...sources, ...files('src', /\.css$/), ...natives].filter(
    (file) => text(file).split('\n').length > 401,
  );
  assert.equal(long, []);
});

test('names: kebab-case for TypeScript, snake_case for C++', () => {
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.tsx?$/;
  const snake = /^[a-z0-9]+(?:_[a-z0-9]+)*\.(?:cc|h|c)$/;
  assert.equal(
    [...sources, ...tests].filter((file) => !kebab.test(basename(file))),
    [],
  );
  assert.equal(
    [...natives, ...files('test', /\.(cc|h)$/)].filter((file) => !snake.test(basename(file))),
    [],
  );
  assert.equal(
    [...sources, ...natives].filter((file) => /\/utils?(?:\/|\.)/.test(file)),
    [],
  );
});

test('there are no markers of unfinished work', () => {
  const markers = new RegExp(['\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b', '\\bX' + 'XX\\b'].join('|'));
  const words = new RegExp(['not imple' + 'mented', 'place' + 'holder(?!=)'].join('|'), 'i');
  const all = [
    ...sources,
    ...natives,
    ...tests,
    ...files('bench', /\.ts$/),
    ...files('docs', /\.(md|ts)$/),
    ...files('native', /\.mjs$/),
  ];
  assert.equal(
    all.filter((file) => markers.test(text(file)) || words.test(text(file))),
    [],
  );
});

test('no test is disabled, and each file runs its own', () => {
  const skip = new RegExp('\\.(?:sk' + 'ip|on' + 'ly)\\(');
  const own = 'test/support/require.ts'; // skips with a reason that is counted
  assert.equal(
    tests.filter((file) => file !== own && skip.test(text(file))),
    [],
  );
  assert.equal(
    tests.filter((file) => file.endsWith('.test.ts') && !/\.run\(\);?\s*$/.test(text(file))),
    [],
  );
});

test('every test file is run by `npm test` or left out by one group, and every group names existing files', () => {
  const run = tests.filter((file) => file.endsWith('.test.ts'));
  assert.equal(
    run.filter((file) => groupsOf(file).length > 1),
    [],
  );
  for (const [name, { paths, except = [] }] of Object.entries(GROUPS)) {
    const named = [...paths, ...except];
    assert.equal(
      named.filter(
        (path) => !run.some((file) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
      ),
      [],
      name,
    );
    assert.is(new Set(named).size, named.length, name);
  }
  assert.equal(
    LONGEST.filter((file) => !run.includes(file)),
    [],
  );
  assert.ok(run.some((file) => groupsOf(file).length === 0));
});

test('the package has at most ten npm scripts and supports Linux only', () => {
  const about = JSON.parse(text('package.json')) as { scripts: Record<string, string>; os: string[] };
  assert.ok(Object.keys(about.scripts).length <= 10);
  assert.equal(about.os, ['linux']);
});

test.run();
