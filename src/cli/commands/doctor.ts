import { bad, dim, good, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import { failureOf, usage } from '../../desk/failure.ts';
import * as operations from '../../operations/service.ts';
import type { ContainerView } from '../../privileges/container.ts';
import type { Ready, Version } from '../../records/service.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { findLaw } from '../found-law.ts';

interface Part {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string;
}

interface Diagnosis {
  readonly ok: boolean;
  readonly parts: readonly Part[];
  readonly engine: Version['engine'];
  /** Event sources of the running service, and what it sees besides the sweep; empty without one. */
  readonly events: Version['events'];
  readonly sights: Version['sights'];
  /** What a container hides from the desk; null outside of one. */
  readonly container: ContainerView | null;
  readonly marks: readonly string[];
  readonly limits: { readonly node: string; readonly uid: number; readonly open_files: string };
}

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'Shows what the desk can and cannot see here, why, and what would cure it',
  local: true,
  examples: [
    ['desk doctor', 'configuration, state folder, engine, service'],
    ['sudo desk doctor', 'the same as root'],
  ],
  async run(context) {
    const diagnosis = await diagnose(context);
    return context.answer(diagnosis, show, diagnosis.ok);
  },
};

/** Runs one check; a refusal becomes a part that is not ok. Bugs throw. */
async function part(name: string, work: () => Promise<string>): Promise<Part> {
  try {
    return { name, ok: true, detail: await work(), remedy: '' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const { message, why, remedy } = failure;
    return { name, ok: false, detail: [message, why].filter((text) => text !== '').join('\n'), remedy };
  }
}

/** Its files. @throws Failure when one is refused */
async function lawText(context: CliContext): Promise<string> {
  const { lawPath, acceptedPath, refused } = await findLaw(context);
  if (refused.length > 0) {
    const { describeProblems } = await import('../../config/document.ts');
    const problems = refused.map((file) => describeProblems(file).join('; '));
    throw usage(problems.join('; '), 'Correct it, then try "desk law check".');
  }
  return [lawPath ?? 'no law.toml, the default law applies', acceptedPath ?? '']
    .filter((path) => path !== '')
    .join(', ');
}

async function diagnose(context: CliContext): Promise<Diagnosis> {
  const { config, stateDir, withDesk, client, local } = context;
  let engine: Version['engine'] = null;
  const parts = [
    await part('config', async () => (await config()).path ?? 'no file, the defaults apply'),
    await part('state', async () => {
      const { openStateDir } = await import('../../state-folder/state-folder.ts');
      return openStateDir(await stateDir()).path;
    }),
  ];
  if (parts.every(({ ok }) => ok)) parts.push(await part('law', () => lawText(context)));
  if (parts.every(({ ok }) => ok))
    parts.push(
      await part('engine', async () => {
        const version = await withDesk(async (desk) => {
          const records = await import('../../records/service.ts');
          return records.version.assemble({ ...desk.facts(), state: await desk.state() });
        });
        engine = version.engine;
        return engine === null
          ? 'no sweep'
          : `${engine.backend}, ${engine.mark} (${engine.build}), ${engine.workers} workers${engine.backend_reason === '' ? '' : `; not bpf: ${engine.backend_reason}`}`;
      }),
    );
  else {
    const detail = 'not checked: correct what is reported above first';
    parts.push({ name: 'engine', ok: false, detail, remedy: '' });
  }
  let heard: Pick<Diagnosis, 'events' | 'sights'> = { events: [], sights: [] };
  if (!local) {
    const { parts: more, ...rest } = await service(client);
    parts.push(...more);
    heard = rest;
  }
  const [{ runnableMarks }, { containerView }] = await Promise.all([
    import('../../engine/native/mark.ts'),
    import('../../privileges/container.ts'),
  ]);
  return {
    ok: parts.every(({ ok }) => ok),
    parts,
    engine,
    ...heard,
    container: containerView({ env: context.env }),
    marks: [...runnableMarks()],
    limits: { node: process.version, uid: process.geteuid?.() ?? -1, open_files: openFilesLimit() },
  };
}

async function service(
  client: CliContext['client'],
): Promise<Pick<Diagnosis, 'parts' | 'events' | 'sights'>> {
  const parts: Part[] = [];
  let events: Version['events'] = [];
  let sights: Version['sights'] = [];
  const answered = await part('service', async () => {
    const running = await client({ timeoutMs: 3000 });
    const version = await running.ask(operations.version, {});
    ({ events, sights } = version);
    const { body } = await running.exchange(operations.readyz, {});
    for (const [name, { ok, reason }] of Object.entries((body as Partial<Ready>).parts ?? {}))
      parts.push({ name: `  ${name}`, ok, detail: ok ? '' : reason, remedy: '' });
    return `${running.url}, version ${version.version}${version.engine ? `, ${version.engine.mark}` : ''}`;
  });
  return { parts: [answered, ...parts], events, sights };
}

/** Soft limit of open files as node reports it. */
function openFilesLimit(): string {
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: number | string } } }
    | undefined;
  return String(report?.userLimits?.open_files?.soft ?? 'unknown');
}

const WORDS = new Map([
  [true, 'sees '],
  [false, 'blind'],
]);

function showContainer(out: Terminal, { name, sights }: ContainerView): void {
  out.line();
  const where = name === '' ? 'a container (detected by namespaces)' : `a container of ${name}`;
  out.line(strong('Container'), `  ${where}`, dim('  what is visible of the machine'));
  for (const { id, works, reason, flag } of sights) {
    const lead = `  ${WORDS.get(works ?? false)}  ${id.padEnd(18)}`;
    out.wrapped(works === true ? good(lead) : warn(lead), flag === '' ? reason : `${reason}: add ${flag}`);
  }
}

function show(out: Terminal, { parts, engine, events, sights, container, marks, limits }: Diagnosis): void {
  const mark = (ok: boolean): Piece => (ok ? good('ok  ') : bad('no  '));
  out.line(
    strong('Desk doctor'),
    dim(`  node ${limits.node}, uid ${limits.uid}, ${limits.open_files} open files at most`),
  );
  for (const { name, ok, detail, remedy } of parts) {
    const [first = '', ...more] = detail.split('\n');
    out.line('  ', mark(ok), name.padEnd(20), ok ? dim(first) : first);
    for (const line of more) out.wrapped(dim(' '.repeat(26)), line);
    if (remedy !== '') out.wrapped(dim(' '.repeat(26)), remedy);
  }
  if (container !== null) showContainer(out, container);
  if (engine === null) return;
  out.line();
  out.line(
    strong('Builds'),
    `  ${marks.join(', ')}`,
    dim(`  loaded: ${engine.mark}; reference namespaces: ${engine.reference}`),
  );
  sources('Sources', 'what the sweep reads', engine.probes, ['sees ', 'blind']);
  if (events.length > 0) sources('Events', 'what the kernel reports to the service', events, ['on ', 'off']);
  if (sights.length > 0) sources('Service', 'what it sees besides the sweep', sights, ['sees ', 'blind']);

  function sources(
    title: string,
    about: string,
    list: Version['events'],
    [yes, no]: readonly [string, string],
  ): void {
    out.line(strong(title), dim(`  ${about}`));
    for (const { id, works, reason } of list)
      out.wrapped(works ? good(`  ${yes}  ${id.padEnd(18)}`) : warn(`  ${no}  ${id.padEnd(18)}`), reason);
  }
}
