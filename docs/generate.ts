/**
 * Writes the generated documents (`npm run docs`); with `--check` it writes nothing and exits 1 with the names of those
 * that are stale, and of pictures of the gallery that are not there. A generated document is one entry of `DOCUMENTS`.
 * `--screenshots [PART]` takes the pictures of the gallery, or those whose path holds PART, and nothing else.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { benchDocuments } from '../bench/report/documents.ts';
import { AVENUE_IDS, type Check } from '../src/checks/check.ts';
import { CHECKS } from '../src/checks/index.ts';
import { verdictExit } from '../src/cli/commands/status.ts';
import { defaultLawText } from '../src/features/law/default-text.ts';
import { openApiText } from '../src/http/openapi.ts';
import type { AnyOperation } from '../src/operations/operation.ts';
import { OPERATIONS } from '../src/operations/table.ts';
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

export interface Document {
  /** Below the root of the project. */
  readonly path: string;
  render(): string;
}

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

One function (\`src/records/verdict.ts\`) makes \`ok\`, grade, colour, headline, exit code and the bounds of the score from the same
reasons, so that they never contradict each other. More or worse findings, or more that could not be seen, never make any of them
better. Records, pages, commands and the hostess show this verdict and no other.

- *worst scar*: highest severity of the findings of severity medium or above that neither baseline nor law explains. A scar of any
  severity closes the gate, and a closed gate is not ok.
- *hidden*: more than 5 % of the processes, and at least three, refuse a fact that the checks need, or a whole class of evidence
  could not be read: the list of processes, listening sockets, HTTPS connections, who holds a socket, confinement, host files. Of
  listening sockets, connections and host files one refused reading is enough (TCP over IPv6, say, or the preload file). An ordinary
  user's service sees little of other users' processes, so it is not ok and at most silver, and its headline says what it covers:
  *Nothing found in what could be seen*, or *Nothing severe found in what could be seen* while a finding of severity low is open.
- *fails*: a configured duty does not run, the recheck loop is on and does not look, or the store has not exactly one authoritative
  generation.
- A required port that is down, a control port or configured site that does not answer, or a changed configuration that is refused,
  makes the desk not ok and the colour bad, and changes neither grade nor score: three of seven ports up with port 80 down is not ok
  and gold, with a charge that is ok. While it could not be looked at whether a required port is up, the desk is not ok
  and the colour bad too, and the listening sockets are *hidden*.
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

A check is one predicate about one kind of subject; every subject passes, fails or is *blind*: its evidence could not be read.
A fail counts once a second sample has shown it again, or a process of the same program and user that fails likewise; equal fails a minute apart are enough, and such a
finding stays open until none was seen for a minute. A low note about a process counts once the process is 5 seconds old. A program that keeps coming back counts once its
younger processes have run for a minute in all, less one second for each minute that passes. Equal fails of one program and user are one finding, with a count and the pids
(\`hidden-process\`: one each). Words: [glossary](glossary.md); when each fact is read:
[engine](engine.md).

A check that throws is blind for what it has not judged, with the reason \`the check failed: MESSAGE\`: open findings of it stay, all other checks are
judged as usual, and the log names each message once. \`/metrics\` counts runs, time and errors of each check.

Tier 1 is judged at every recheck. Tier 2 looks into each process when it is new or runs another program, and again now and then
([peek](peek.md)), by a helper that is ended when a hostile process makes it wait; connections it judges when they were read, and the content of
programs when every process was looked into.
Tier 3 looks for itself: a second after the start, every \`[slow] every_sec\`, each minute while
a finding of it is open, and for \`desk av close once\`; *on demand* means for the last alone. What tier 3 judges in tier 1 too is said below.

A *benign cause* is a reason why a fail is none. Each is on unless the law turns it off by its name.

`;

const CHECK_NOTES = `## Severity that depends

- \`odd-executable-path\` is low when a logged-in user's learned shell or build tool started the program, \`unknown-local-listener\`
  when every holder belongs to a logged-in user and its program is learned (of a script: its interpreter).
- \`deleted-executable\` is low, and asks for a restart, when another file is in the place of the old one, in a folder
  that only root writes: a package was upgraded.
- \`preload-environment\` is critical in a process of root, high there where only the library path is changed.
- \`memfd-executable\` is critical in a process of root, \`shell-on-socket\` when the program is a shell or an interpreter.
- \`writable-code\` is low when it is at most the few pages that callbacks of libffi take, in Python, Perl or Guile.
- \`unreadable-process\` is low when the command line is empty and everything can be read.
- A *logged-in user* has a session that systemd-logind keeps (\`/run/user/UID\`) or a process on a terminal. Root never counts.

## Avenue that depends

\`banned-listener\`, \`ownerless-socket\` and \`hidden-port\` open the avenue of where the socket is bound: \`public_listen\` beyond loopback,
else \`unknown_local\`.

## What a look leaves out

- \`hidden-process\`: that something is mounted over a process is judged at every recheck, from a mount table that is read again only
  when the kernel says that it changed; whether the list leaves a process out is asked in tier 3.
- \`fried-process\`: nothing tells when a process died, so its time runs from the sweep that showed it dead; what was dead before the
  desk looked for the first time counts by its start.
- \`promiscuous-interface\` asks sysfs, which shows the network namespace that it was mounted in.
- \`public-listener\` and \`banned-listener\` judge our own network namespace at every recheck, and those of all processes in tier 3: labelled
  with namespace, pid and name, never among our own ports and never signalled. A namespace that no process is in (one kept by a mount
  alone), or only a thread, is not seen; holders are looked for among 64 processes of each.
- \`device-node\` follows no link and enters no other file system. \`/dev/shm\`, \`/dev/mqueue\`, \`/dev/pts\` and
  \`/dev/hugepages\` are memory, not devices. Folders it could not enter are blind.
- \`preload-file\` is read by plain system calls: a library that hides its own file from the C library hides nothing.

## What shows that they find

Each of these tests makes the real thing on a running kernel, in namespaces of its own where it would be felt by others, and
finds it by a whole recheck, with the pid of what was made; each has a benign neighbour on which the check stays silent. Where
it cannot be made for real, here or at all, the last column says why and what is looked at instead. The benign causes are held
one by one against the law in \`test/checks/causes.test.ts\`.

| check | found by | stays silent in | not made for real |
|---|---|---|---|
`;

function checkRow({ id, severity, tier, text, causes = [], ...check }: Check): string {
  const both = 'scan' in check && ('judge' in check || 'rule' in check);
  const when = 'onDemand' in check ? `${tier}, on demand` : both ? '1 and 3' : `${tier}`;
  const known = causes.map(({ name, why }) => `\`${name}\`: ${why}`).join('; ');
  return `| \`${id}\` | ${severity} | ${when} | ${cell(text.about)} | ${cell(text.benign)} | ${cell(known)} | ${cell(text.remedy)} |`;
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
limit prevents core files; the filter keeps memory out of a dump where \`core_pattern\` is a pipe, which ignores the limit.

**The service** begins as root with everything. It starts \`desk-start\`, drops the rest and executes itself again, with the same pid: capabilities belong to
threads, and a new program is the only way to reach all threads of Node. Before that it has read the configuration and opened the state folder, but no listener. Its uid stays root: it owns
its state folder and reads files that only root may read. On kernels before 5.8, which have no \`CAP_BPF\`, it also keeps \`CAP_SYS_ADMIN\`.

**desk-start** takes four requests over a socket that only the service has: start \`desk-peek\`, start the mail process, open a sock_diag socket in a network
namespace, bind a TCP or UDP socket that the service made. Programs, arguments, environment and uids are fixed when it starts. It closes every
other descriptor that it inherits, and each one that it was given or has made as soon as its answer is sent. A request that is refused, or
not answered within five seconds, is tried again like any failed start; the service goes on meanwhile. If it ends, the service goes on, but can start neither process again until it is
restarted: \`/readyz\` (part \`start\`), \`desk doctor\`, the issues of \`/status\` and the log report this at once.

**Uids.** An account \`desk-start\`, \`desk-peek\` or \`desk-mail\` in \`/etc/passwd\` gives its uid. Without one, three consecutive uids from 60900 to 61019
are taken that no account, group or running process has. The mail process keeps the uid that owns \`people/\` in the state folder, and the
others theirs beside it unless an account or group has them now.

**The ledger** lies in \`people/\` of the state folder, owned by the mail process, mode 0700. The mail process alone opens it; the service asks over its channel. Everything else in the
state folder stays root's alone.

## With fewer privileges

| started | what differs |
|---|---|
| by an ordinary user | no \`desk-start\` and no other uids; \`no_new_privs\` for \`desk-peek\` and the mail process; no core dumps of any. The service can still be traced by its own user: it could not look into itself otherwise |
| by root, without \`CAP_SETUID\`, \`CAP_SETGID\` or \`CAP_KILL\` (a container, a unit with a small \`CapabilityBoundingSet\`) | no \`desk-start\`; the other processes have the uid of the service, and only their capabilities above. The log says so |
| by root, and \`desk-start\` cannot be started, or no uid is free | the same |
| by root, without \`CAP_CHOWN\`, or with a state folder that cannot be written | the mail process has the uid of the service until the next start, unless \`people/\` is its own already. The log says so |
| a command with \`--local\` | the command keeps what it was started with; \`desk-peek\` and the mail process give up theirs |

A systemd unit must leave the service \`CAP_SETUID\`, \`CAP_SETGID\`, \`CAP_SETPCAP\`, \`CAP_CHOWN\`, \`CAP_SYS_ADMIN\` and \`CAP_NET_BIND_SERVICE\` at its start beside
the capabilities of the service: it drops them itself. The reasons for this design: [decisions/privileges.md](decisions/privileges.md).
`;

const checksPage = (): string =>
  [
    CHECK_WORDS,
    ...AVENUE_IDS.flatMap((avenue) => [
      `## ${avenue}\n\n| check | severity | tier | a fail means | it may be benign | causes the default law knows | what to do |\n|---|---|---|---|---|---|---|\n`,
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
  const told = command === undefined ? '' : `\`desk ${command.name}\``;
  return `| \`${method} ${path}\` | ${roles.join(', ')} | ${cell(tokenText(operation))} | ${told} | ${local ? 'yes' : ''} | ${cell(summary)} |`;
};

const operationsPage = (): string => `# Operations: who may ask what

Generated from \`src/operations/\` by \`npm run docs\`; change the declarations there, not this page. The rules before an operation is
reached (hosts, origins, users of this machine): [security](security.md). Input and answers: \`/docs\` on the control listener, or
[openapi.json](openapi.json).

- *Listeners*: an operation does not exist on the others. The public one serves GET only.
- *Token*: what an \`Authorization: Bearer\` must grant; the control token also grants \`people\`, but not on the public listener.
- *Command*: the command that asks this operation and nothing else. Other commands combine several operations.
- *Local*: a desk of the command's own process can answer it (\`--local\`).

| operation | listeners | token | command | local | what it is |
|---|---|---|---|---|---|
${(OPERATIONS as readonly AnyOperation[]).map(operationRow).join('\n')}
`;

export const DOCUMENTS: readonly Document[] = [
  { path: 'docs/architecture.md', render: architecturePage },
  { path: 'docs/records.md', render: recordsPage },
  { path: 'docs/checks.md', render: checksPage },
  { path: 'docs/privileges.md', render: privilegesPage },
  { path: 'docs/operations.md', render: operationsPage },
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
    // What drives the browser is loaded for this alone.
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
