import { bad, dim, good, type Piece, strong, warn } from '../../base/terminal.ts';
import * as operations from '../../operations/service.ts';
import type { Ready, Version } from '../../records/service.ts';
import type { Command, Context } from '../command.ts';
import { exit, Failure, failureOf } from '../failure.ts';
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
  /** What tells the loop of the running service of changes; empty without one. */
  readonly events: Version['events'];
  readonly marks: readonly string[];
  readonly limits: { readonly node: string; readonly uid: number; readonly open_files: string };
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Shows what the desk can and cannot see here, why, and what would cure it',
  local: true,
  examples: [
    ['desk doctor', 'configuration, state folder, engine, service'],
    ['sudo desk doctor', 'the same with the eyes of root'],
  ],
  async run(context) {
    const diagnosis = await diagnose(context);
    if (context.json) context.out.json(diagnosis);
    else show(context, diagnosis);
    return diagnosis.ok ? exit.ok : exit.findings;
  },
};

/** Runs one look; a refusal becomes a part that is not ok. Bugs throw. */
async function look(name: string, work: () => Promise<string>): Promise<Part> {
  try {
    return { name, ok: true, detail: await work(), remedy: '' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const { message, why, remedy } = failure;
    return { name, ok: false, detail: [message, why].filter((text) => text !== '').join('\n'), remedy };
  }
}

/** Where it stands; a file of it that is refused is a `Failure`. */
async function lawText(context: Context): Promise<string> {
  const { lawPath, acceptedPath, refused } = await findLaw(context);
  if (refused.length > 0) {
    const { describeProblems } = await import('../../config/document.ts');
    const problems = refused.map((file) => describeProblems(file).join('; '));
    throw new Failure(exit.usage, problems.join('; '), '', 'Correct it, then try "desk law check".');
  }
  return [lawPath ?? 'no law.toml, the default law applies', acceptedPath ?? '']
    .filter((path) => path !== '')
    .join(', ');
}

async function diagnose(context: Context): Promise<Diagnosis> {
  const { config, stateDir, withDesk, client, local } = context;
  let engine: Version['engine'] = null;
  const parts = [
    await look('config', async () => (await config()).path ?? 'no file, the defaults apply'),
    await look('state', async () => {
      const { openStateDir, stateDirPath } = await import('../../state-folder/state-folder.ts');
      return openStateDir((await stateDir()) || stateDirPath()).path;
    }),
  ];
  const law = parts.every(({ ok }) => ok) ? await look('law', () => lawText(context)) : null;
  if (law !== null) parts.push(law);
  if (law?.ok === true) {
    const sight = await look('engine', async () => {
      const version = await withDesk(async (desk) => {
        const records = await import('../../records/service.ts');
        return records.version.assemble({ ...desk.facts(), moment: await desk.moment() });
      });
      engine = version.engine;
      return engine === null
        ? 'no sweep'
        : `${engine.backend}, ${engine.mark} (${engine.build}), ${engine.workers} workers${engine.backend_reason === '' ? '' : `; not bpf: ${engine.backend_reason}`}`;
    });
    parts.push(sight);
  } else {
    const detail = 'not looked at: correct what is reported above first';
    parts.push({ name: 'engine', ok: false, detail, remedy: '' });
  }
  let events: Version['events'] = [];
  if (!local) {
    const answered = await service(client);
    parts.push(...answered.parts);
    events = answered.events;
  }
  const { runnableMarks } = await import('../../engine/native/mark.ts');
  return {
    ok: parts.every(({ ok }) => ok),
    parts,
    engine,
    events,
    marks: [...runnableMarks()],
    limits: { node: process.version, uid: process.geteuid?.() ?? -1, open_files: openFilesLimit() },
  };
}

async function service(client: Context['client']): Promise<Pick<Diagnosis, 'parts' | 'events'>> {
  const parts: Part[] = [];
  let events: Version['events'] = [];
  const answered = await look('service', async () => {
    const speaker = await client({ timeoutMs: 3000 });
    const version = await speaker.ask(operations.version, {});
    events = version.events;
    const { body } = await speaker.exchange(operations.readyz, {});
    for (const [name, { ok, reason }] of Object.entries((body as Partial<Ready>).parts ?? {}))
      parts.push({ name: `  ${name}`, ok, detail: ok ? '' : reason, remedy: '' });
    return `${speaker.url}, version ${version.version}${version.engine ? `, ${version.engine.mark}` : ''}`;
  });
  return { parts: [answered, ...parts], events };
}

/** Soft limit of open files as node reports it. */
function openFilesLimit(): string {
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: number | string } } }
    | undefined;
  return String(report?.userLimits?.open_files?.soft ?? 'unknown');
}

function show({ out }: Context, { parts, engine, events, marks, limits }: Diagnosis): void {
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
  if (engine === null) return;
  out.line();
  out.line(
    strong('Marks'),
    `  ${marks.join(', ')}`,
    dim(`  loaded: ${engine.mark}; reference namespaces: ${engine.reference}`),
  );
  sources('Sources', 'what the sweep reads', engine.probes, ['sees ', 'blind']);
  if (events.length > 0) sources('Events', 'what the kernel reports to the service', events, ['on ', 'off']);

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
