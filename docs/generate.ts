/**
 * Writes the generated documents (`npm run docs`); with `--check` it writes nothing and exits 1 with the names of those
 * that are stale, and of missing pictures of the gallery. A generated document is one entry of `DOCUMENTS`.
 * `--screenshots [PART]` only takes the pictures of the gallery whose path contains PART.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { benchDocuments } from '../bench/report/documents.ts';
import { AVENUE_IDS, type Check } from '../src/checks/check.ts';
import { CHECKS } from '../src/checks/index.ts';
import { allCommands } from '../src/cli/commands/index.ts';
import { verdictExit } from '../src/cli/commands/status.ts';
import type { AnyOperation } from '../src/desk/operation.ts';
import { defaultLawText } from '../src/features/law/default-text.ts';
import { OPERATIONS } from '../src/features/table.ts';
import { openApiText } from '../src/http/openapi.ts';
import { SEVERITIES } from '../src/policy/severity.ts';
import { PRIVILEGES, type ProcessPrivileges } from '../src/privileges/table.ts';
import { describe, jsonSchema, type Row } from '../src/records/describe.ts';
import { ALL, ANSWERS, type Listed, RECORDS } from '../src/records/index.ts';
import { type VerdictFacts, verdictFrom } from '../src/records/verdict.ts';
import { PROOFS, type Proof } from '../test/proofs.ts';
import { architecturePage } from './architecture.ts';
import { columnTypes } from './column-types.ts';
import { galleryPage, missingPictures } from './gallery.ts';
import { knowledgeText } from './knowledge.ts';
import { manualPage } from './man.ts';
import { metricsPage } from './metrics.ts';
import { queryPage } from './query.ts';
import { startupPage } from './startup.ts';

export interface Document {
  /** Below the root of the project. */
  readonly path: string;
  render(): string;
}

const COMMANDS = await allCommands();
const root = new URL('../', import.meta.url);

const kebab = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
const schemaPath = ({ name }: Listed): string => `docs/schemas/${kebab(name)}.schema.json`;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** What a field can hold beyond its type: its constant, its few values, the record it embeds. */
function heldValues({ constant, values, record }: Row): string {
  if (record !== undefined) return `[${record}](#${record.toLowerCase()})`;
  if (constant !== undefined) return `\`${cell(constant)}\``;
  return (values ?? []).map((value) => `\`${cell(value)}\``).join(' ');
}

function table(listed: Listed): string {
  const rows = describe(listed).map(
    (row) => `| \`${row.path}\` | ${cell(row.type)} | ${cell(row.meaning)} | ${heldValues(row)} |`,
  );
  return [
    `### ${listed.name}`,
    '',
    `${listed.meaning}. Schema: [${schemaPath(listed).slice('docs/'.length)}](${schemaPath(listed).slice('docs/'.length)})`,
    '',
    '| field | type | meaning and derivation | value |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const VERDICT_WORDS = `## The verdict

One function (\`src/records/verdict.ts\`) derives \`ok\`, grade, colour, headline, exit code and the bounds of the score from the same
facts, so that they never contradict each other. More or worse findings, or more hidden evidence, never improve any of them.
Records, pages, commands and the hostess all show this verdict.

- *worst scar*: the highest severity of the scars (findings of severity medium or above that neither baseline nor law explains). A scar of any
  severity closes the gate, and a closed gate is not ok.
- *hidden*: more than 5 % of the processes, and at least three, refuse a fact that the checks need, or a whole class of evidence
  could not be read: the list of processes, listening sockets, HTTPS connections, holders of sockets, confinement, host files. For
  listening sockets, connections and host files one refused reading is enough (for example TCP over IPv6, or the preload file). The service of an
  ordinary user sees little of other users' processes, so it is not ok and at most silver, and its headline says what it covers:
  *Nothing found in what could be seen*, or *Nothing severe found in what could be seen* while a finding of severity low is open.
- *fails*: a configured duty does not run, the recheck loop is on and makes no rechecks, or the store does not have exactly one authoritative
  generation.
- A required port that is down, a control port or configured site that does not answer, or a changed configuration that is refused
  makes the desk not ok and the colour bad, without effect on grade and score: with a required port down the desk can be not ok
  and gold, with a charge that is ok. If the state of a required port is unknown, the desk is also not ok
  and the colour bad, and the listening sockets are *hidden*.
- The score is the mean of the axes within these bounds, and its letter follows from it.

`;

function verdictTable(): string {
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const row = (facts: VerdictFacts, cause: string): string => {
    const { ok, grade, tone, score, opening } = verdictFrom(facts);
    const cells = [
      cause,
      yes(facts.blind),
      yes(facts.failing),
      yes(ok),
      grade,
      tone,
      `${score[0]} to ${score[1]}`,
      opening,
      verdictExit({ ok }),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const none = { virus: false, worst: null, failing: false, blind: false, elsewhere: false } as const;
  const worsts = [null, ...SEVERITIES.filter((severity) => severity !== 'low')];
  return [
    VERDICT_WORDS.trimEnd(),
    '',
    '| worst scar | hidden | fails | ok | grade | colour | score | headline begins | exit |',
    '|---|---|---|---|---|---|---|---|---|',
    ...worsts.flatMap((worst) =>
      [false, true].flatMap((blind) =>
        [false, true].map((failing) => row({ ...none, worst, blind, failing }, worst ?? 'none')),
      ),
    ),
    row({ ...none, elsewhere: true }, 'none, and port, site or configuration fails'),
    row({ ...none, virus: true, worst: 'critical' }, 'port 8766 is up'),
    '',
  ].join('\n');
}

const recordsPage = (): string =>
  [
    '# Records',
    '',
    'Generated from `src/records/` by `npm run docs`; change the field lines there, not this page.',
    'Types: str, int, num, bool, `X|null`, `[X]` a list, object. Words: [glossary](glossary.md).',
    '',
    verdictTable(),
    '## The three records',
    '',
    ...RECORDS.map(table),
    '## The other answers',
    '',
    ...ANSWERS.map(table),
  ].join('\n');

const CHECK_WORDS = `# Checks

Generated from \`src/checks/\` by \`npm run docs\`; change the words at the top of a check's file, not this page.

A check is one predicate about one kind of subject; every subject passes, fails or is *blind* (its evidence could not be read).
A fail becomes a finding when a second sample shows it again, or when another process of the same program and user fails in the same way within a minute; in the second case the
finding stays open until no such process was seen for a minute, also over a restart of the desk. A low fail of a process counts once the process is 5 seconds old; a program that keeps restarting counts once its
short-lived processes have run for a minute in all, less one second for each minute that passes. Equal fails of one program and user are one finding, with a count and the pids
(\`hidden-process\`: one finding for each process). Words: [glossary](glossary.md); when each fact is read:
[engine](engine.md).

A check that throws is blind for what it has not judged, with the reason \`the check failed: MESSAGE\`. Its open findings stay, all other checks are
not affected, and the log has each message once. \`/metrics\` counts runs, time and errors of each check.

- Tier 1 runs at every recheck.
- Tier 2 runs on each process when it is new or runs another program, and periodically ([peek](peek.md)), with data from a helper that is killed
  when a hostile process blocks it; on connections when they are read; on the content of programs when every process was inspected.
- Tier 3 reads for itself: a second after the start, every \`[slow] every_sec\`, every minute while
  a finding of it is open, and for \`desk av close once\`; *on demand* means only for the last. \`startup-entry\` and \`packaged-file\` run when files change instead of every
  minute ([startup](startup.md)). Checks with tier *1 and 3* are described below.

The last column names the techniques of [MITRE ATT&CK](https://attack.mitre.org/) (version 17) that a fail may show; those of a finding of \`startup-entry\` are the techniques of its place ([startup](startup.md)).
A fail of a check without one is a matter of hygiene.

A *benign cause* is a reason why a fail is harmless. All are enabled by default; disable one by name in \`law.toml\`.

`;

const CHECK_NOTES = `## Variable severity

- \`odd-executable-path\` is low when a logged-in user's learned shell or build tool started the program, \`unknown-local-listener\`
  when every holder belongs to a logged-in user and its program is learned (for a script: its interpreter).
- \`deleted-executable\` is low, and advises a restart, when another file has replaced the old one, in a folder
  that only root can write: a package was upgraded.
- \`preload-environment\` is critical in a process of root, or high if only the library path is changed.
- \`memfd-executable\` is critical in a process of root, \`shell-on-socket\` when the program is a shell or an interpreter, unless systemd
  started it for this connection.
- \`writable-code\` is low for the few pages that callbacks of libffi use in Python, Perl or Guile.
- \`unreadable-process\` is low when only the command line is empty.
- A *logged-in user* has a session of systemd-logind (\`/run/user/UID\`) or a process on a terminal. Root never counts.

## Variable avenue

\`banned-listener\`, \`ownerless-socket\` and \`hidden-port\` open \`public_listen\` for a socket beyond loopback,
else \`unknown_local\`.

## Scope and limits

- \`hidden-process\`: mounts over a process are judged at every recheck, from a mount table that is read again
  when the kernel reports a change; processes missing from the list are searched for in tier 3.
- \`fried-process\`: the kernel does not report when a process died, so its age counts from the sweep that first showed it dead; for zombies
  older than the desk's first sweep it counts from their start.
- \`promiscuous-interface\` reads sysfs, which shows the network namespace that it was mounted in.
- \`public-listener\` and \`banned-listener\` judge the desk's own network namespace at every recheck, and those of all processes in tier 3: these are labelled
  with namespace, pid and name, never count as the desk's ports, and are never signalled. A namespace without a process (kept only by a mount
  or a thread) is not seen; holders are searched for among 64 processes of each.
- Listeners are TCP and UDP sockets; UDP-Lite counts as UDP. Raw IP and vsock sockets are not listeners here: the table of listeners and the checks
  of listeners do not have them.
- \`device-node\` follows no link and enters no other file system. \`/dev/shm\`, \`/dev/mqueue\`, \`/dev/pts\` and
  \`/dev/hugepages\` are memory, not devices. Folders it could not enter are blind.
- \`preload-file\` is read by direct system calls: a library that hides its own file from the C library cannot hide it here.

## How each check is tested

Each test makes the real thing on a running kernel, in separate namespaces where it would affect others, and
finds it by a whole recheck, with the right pid; each has a benign case on which the check stays silent. Where
that is not possible, the last column says why and what is tested instead. \`test/checks/causes.test.ts\` tests
each benign cause.

| check | found by | stays silent in | not tested for real |
|---|---|---|---|
`;

function checkRow({ id, severity, tier, techniques, text, causes = [], ...check }: Check): string {
  const both = 'scan' in check && ('judge' in check || 'rule' in check);
  const when = 'onDemand' in check ? `${tier}, on demand` : both ? '1 and 3' : `${tier}`;
  const known = causes.map(({ name, why }) => `\`${name}\`: ${why}`).join('; ');
  return `| \`${id}\` | ${severity} | ${when} | ${cell(text.about)} | ${cell(text.benign)} | ${cell(known)} | ${cell(text.remedy)} | ${techniques.join(' ')} |`;
}

function proofRow([id, { file, found, silent, instead = '' }]: [string, Proof]): string {
  return `| \`${id}\` | \`${file}\`: ${cell(found)} | ${silent === undefined ? 'the same' : cell(silent)} | ${cell(instead)} |`;
}

const privilegeRows = (row: ProcessPrivileges): readonly string[] =>
  Object.entries(row.capabilities).map(
    ([name, reason], at) =>
      `| ${at === 0 ? cell(row.process) : ''} | ${at === 0 ? row.uid : ''} | \`${name}\` | ${cell(reason)} |`,
  );

const privilegesPage = (): string => `# Privileges

Generated from \`src/privileges/table.ts\` by \`npm run docs\`. \`test/real/privileges.test.ts\` compares it with \`/proc/PID/status\` of every thread of a running service.

## When root starts the service

| process | uid | capability | what it is for |
|---|---|---|---|
${Object.values(PRIVILEGES).flatMap(privilegeRows).join('\n')}

The permitted and effective sets hold exactly these. The bounding set holds no others; it is empty for \`desk-peek\` and the mail process.
Every process has \`no_new_privs\`, a core limit of 0, an empty \`coredump_filter\` and cannot be traced without \`CAP_SYS_PTRACE\` (\`PR_SET_DUMPABLE\` 0). The
limit prevents core files; the filter keeps memory out of a dump when \`core_pattern\` is a pipe, which ignores the limit.

**The service** starts as root with all capabilities. It starts \`desk-start\`, drops the rest and executes itself again, with the same pid: capabilities belong to
threads, and a new program is the only way to reach all threads of Node. Before that it has read the configuration and opened the state folder, but no listener. Its uid stays root: it owns
its state folder and reads files that only root may read. On kernels before 5.8, which have no \`CAP_BPF\`, it also keeps \`CAP_SYS_ADMIN\`.

**desk-start** accepts four requests over a socket that only the service has: start \`desk-peek\`, start the mail process, open a sock_diag socket in a network
namespace, bind a TCP or UDP socket of the service. Programs, arguments, environment and uids are fixed when it starts. It closes every
other inherited descriptor, and those of a request when its answer is sent. A request that is refused, or
not answered within five seconds, is retried like any failed start. If \`desk-start\` ends, the service continues, but cannot start these processes again until it is
restarted: \`/readyz\` (part \`start\`), \`desk doctor\`, the issues of \`/status\` and the log report this at once.

**Uids.** An account \`desk-start\`, \`desk-peek\` or \`desk-mail\` in \`/etc/passwd\` defines the uid. Without accounts, three consecutive uids from 60900 to 61019
are used that no account, group or running process has. The mail process keeps the uid that owns \`people/\` in the state folder, and the
others keep the neighbouring uids unless an account or group has them now.

**The ledger** is in \`people/\` of the state folder, owned by the mail process, mode 0700. Only the mail process opens it; the service asks over its channel. Everything else in the
state folder belongs to root.

## With fewer privileges

| started | what differs |
|---|---|
| by an ordinary user | no \`desk-start\` and no other uids; \`no_new_privs\` for \`desk-peek\` and the mail process; no core dumps. The service can still be traced by its own user, which it needs to read its own processes |
| by systemd as an account of its own (\`desk install\`, the Debian package) | five ambient capabilities, those of the service above without \`NET_ADMIN\`; no \`desk-start\`: the other processes have its uid, and only their capabilities above. \`desk-namespaces.service\`, with \`SYS_ADMIN\` and \`NET_ADMIN\` alone, opens sockets in network namespaces of containers and those of process events for it ([decisions/namespaces.md](decisions/namespaces.md)). Ports below 1024 cannot be bound ([install.md](install.md)) |
| by root, without \`CAP_SETUID\`, \`CAP_SETGID\` or \`CAP_KILL\` (a container, a unit with a small \`CapabilityBoundingSet\`) | no \`desk-start\`; the other processes have the uid of the service, and only their capabilities above. The log says so |
| by root, and \`desk-start\` cannot be started, or no uid is free | the same |
| by root, without \`CAP_CHOWN\`, or with a state folder that cannot be written | the mail process has the uid of the service until the next start, unless \`people/\` is its own already. The log says so |
| a command with \`--local\` | the command keeps what it was started with; \`desk-peek\` and the mail process give up theirs |

A systemd unit that starts it as root must allow \`CAP_SETUID\`, \`CAP_SETGID\`, \`CAP_SETPCAP\`, \`CAP_CHOWN\`, \`CAP_SYS_ADMIN\` and \`CAP_NET_BIND_SERVICE\` at the start in addition to
the capabilities of the service, which drops them itself. Reasons for this design: [decisions/privileges.md](decisions/privileges.md).
`;

const checksPage = (): string =>
  [
    CHECK_WORDS,
    ...AVENUE_IDS.flatMap((avenue) => [
      `## ${avenue}\n\n| check | severity | tier | a fail means | may be benign | benign causes | what to do | ATT&CK |\n|---|---|---|---|---|---|---|---|\n`,
      ...CHECKS.filter((check) => check.avenue === avenue).map((check) => `${checkRow(check)}\n`),
      '\n',
    ]),
    CHECK_NOTES,
    ...Object.entries(PROOFS).map((entry) => `${proofRow(entry)}\n`),
  ].join('');

const tokenText = ({ token }: AnyOperation): string =>
  token === undefined ? '' : typeof token === 'string' ? token : `${token.grant}, when ${token.when}`;

const operationRow = (operation: AnyOperation): string => {
  const { method, path, roles, command, local, summary } = operation;
  const name = command === undefined ? '' : `\`desk ${command.name}\``;
  return `| \`${method} ${path}\` | ${roles.join(', ')} | ${cell(tokenText(operation))} | ${name} | ${local ? 'yes' : ''} | ${cell(summary)} |`;
};

const operationsPage = (): string => `# Operations

Generated from \`src/operations/\` by \`npm run docs\`; change the declarations there, not this page. Rules that apply to all
operations (hosts, origins, users of this machine): [security](security.md). Input and answers: \`/docs\` on the control listener, or
[openapi.json](openapi.json).

- *Listeners*: the operation does not exist on others. The public and the remote one serve GET only.
- *Token*: what the \`Authorization: Bearer\` token must grant; the control token also grants \`people\`, except on the public listener.
- *Command*: the command for exactly this operation. Other commands combine several operations.
- *Local*: works without a service (\`--local\`).

| operation | listeners | token | command | local | summary |
|---|---|---|---|---|---|
${(OPERATIONS as readonly AnyOperation[]).map(operationRow).join('\n')}
`;

export const DOCUMENTS: readonly Document[] = [
  { path: 'docs/architecture.md', render: architecturePage },
  { path: 'docs/records.md', render: recordsPage },
  { path: 'docs/checks.md', render: checksPage },
  { path: 'docs/privileges.md', render: privilegesPage },
  { path: 'docs/startup.md', render: startupPage },
  { path: 'docs/metrics.md', render: metricsPage },
  { path: 'docs/query.md', render: queryPage },
  { path: 'docs/operations.md', render: operationsPage },
  { path: 'docs/desk.1', render: () => manualPage(COMMANDS) },
  { path: 'docs/openapi.json', render: openApiText },
  { path: 'docs/knowledge.json', render: knowledgeText },
  { path: 'docs/law.toml', render: defaultLawText },
  { path: 'src/engine/native/column-types.ts', render: columnTypes },
  { path: 'docs/gallery.md', render: galleryPage },
  ...ALL.map((listed) => ({
    path: schemaPath(listed),
    render: () => `${JSON.stringify(jsonSchema(listed), null, 2)}\n`,
  })),
  ...benchDocuments(),
];

function held(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Paths of the documents whose file is missing or differs from what they render now. */
export const stale = (): string[] =>
  DOCUMENTS.filter(({ path, render }) => held(path) !== render()).map(({ path }) => path);

async function main(args: readonly string[]): Promise<number> {
  const [first, part, ...rest] = args;
  if (first === '--screenshots' && rest.length === 0) {
    // Loads the browser driver only here.
    const { takeScreenshots } = await import('./screenshots.ts');
    const bytes = await takeScreenshots(new URL('docs/', root), part);
    console.log(`${(bytes / 1e6).toFixed(1)} MB of pictures`);
    return 0;
  }
  if (args.length > 1 || (first !== undefined && first !== '--check')) {
    console.error(`unknown option ${args.join(' ')}; known: --check, --screenshots [PART]`);
    return 2;
  }
  const old = stale();
  if (first === '--check') {
    for (const path of old) console.error(`stale: ${path} (run npm run docs)`);
    const gone = missingPictures(new URL('docs/', root));
    for (const path of gone) console.error(`missing: docs/${path} (run npm run docs -- --screenshots)`);
    return old.length + gone.length === 0 ? 0 : 1;
  }
  for (const { path, render } of DOCUMENTS.filter(({ path }) => old.includes(path))) {
    mkdirSync(dirname(fileURLToPath(new URL(path, root))), { recursive: true });
    writeFileSync(new URL(path, root), render());
    console.log(`wrote ${path}`);
  }
  return 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main(process.argv.slice(2));
