/** What `desk boot` reports once it is ready: what it listens on, what failed, engine, first sweep, where to look next. */
import { hostPort, webAuthority } from '../base/addresses.ts';
import { bad, dim, good, type Line, strong, type Terminal, warn } from '../base/terminal.ts';
import { LISTENER_ROLES } from '../config/schema.ts';
import { REMOTE } from '../desk/remote.ts';
import { gapsOf, ownBlindClasses } from '../records/coverage.ts';
import { headlineOf, verdictOf } from '../records/verdict.ts';
import type { Service } from '../service/service.ts';
import type { Reported } from '../service/service-manager.ts';

const tones = { good, warn, bad } as const;

export function startRecord({ desk, configPath, state, store, firstUse }: Service) {
  const deskState = desk.latest();
  const { service, loop } = desk.facts();
  return {
    word: 'DESK_BOOT',
    version: service.version,
    pid: service.pid,
    ready_ms: Math.round(performance.now()),
    listeners: LISTENER_ROLES.map((role) => desk.listener(role)),
    remote: {
      tls: desk.config.listen.remote.tls,
      fingerprint: desk.find(REMOTE)?.identity()?.fingerprint ?? '',
    },
    engine: deskState && {
      backend: deskState.snapshot.engine.backend,
      backend_reason: deskState.snapshot.engine.backendReason,
      mark: deskState.snapshot.engine.mark,
      workers: deskState.snapshot.engine.workers,
      sweep_us: deskState.snapshot.sweepUs,
      processes: deskState.snapshot.counts.userSpace,
      blind_processes: deskState.snapshot.counts.blindProcesses,
      findings: deskState.judgement.findings.length,
      unseen: ownBlindClasses(deskState),
    },
    verdict: deskState && {
      ...verdictOf(deskState),
      covered: gapsOf(deskState).length === 0,
      headline: headlineOf(deskState),
    },
    loop: {
      on: loop.on,
      mode: loop.mode,
      period_ms: loop.periodMs,
      event_reason: loop.eventReason,
      sources: loop.sources,
    },
    config: configPath,
    state: state.path,
    grace: deskState?.desk.remedies.pending ?? [],
    recovered: store.recovered,
    baseline: {
      generation: deskState?.desk.baseline.generation ?? 0,
      rows: deskState?.desk.baseline.rows ?? 0,
      to_review: deskState?.desk.baseline.toReview ?? 0,
      first_use: firstUse,
    },
  };
}

/** Status reported to the service manager. */
export function reported({ desk }: Service): Reported {
  const state = desk.latest();
  const office = desk.listener('office');
  const place = office.state === 'bound' ? `http://${webAuthority(office.host, office.port)}/` : 'no office';
  const seen = state
    ? `${headlineOf(state)}; ${state.snapshot.counts.userSpace} processes, ${state.judgement.findings.length} findings`
    : 'nothing seen yet';
  return { loop: desk.facts().loop, status: `${place} · ${seen}` };
}

type StartRecord = ReturnType<typeof startRecord>;

export function printStart(out: Terminal, record: StartRecord): void {
  const { engine, verdict, loop, recovered } = record;
  const row = (name: string, ...pieces: Line): void => out.line(dim(`  ${name.padEnd(9)}`), ...pieces);
  const more = (text: string): void => out.wrapped(' '.repeat(11), text);
  out.line(
    strong('Hostess Desk'),
    ` ${record.version}`,
    dim(`  pid ${record.pid}, ready in ${record.ready_ms} ms`),
  );
  for (const { role, host, port, state, reason } of record.listeners) {
    const url =
      role === 'remote' && record.remote.tls
        ? `https://${hostPort(host, port)}/`
        : `http://${webAuthority(host, port)}/`;
    if (state === 'bound') {
      row(role, good('listens  '), url);
      if (role === 'remote' && record.remote.fingerprint !== '') more(`SHA-256 ${record.remote.fingerprint}`);
    } else if (state === 'off') row(role, dim('off'));
    else {
      row(role, bad('not up   '), url);
      out.wrapped(' '.repeat(20), reason);
    }
  }
  if (engine) {
    const { findings, blind_processes: blind } = engine;
    const sweep = `first sweep ${(engine.sweep_us / 1000).toFixed(1)} ms over ${engine.processes} processes`;
    row('engine', `${engine.backend}, build ${engine.mark}, ${engine.workers} workers; ${sweep}`);
    if (engine.backend_reason !== '') more(`not bpf: ${engine.backend_reason}`);
    if (blind > 0)
      row(
        'blind',
        warn(`${blind} of them ${blind === 1 ? 'hides' : 'hide'} something from this process`),
        dim('  desk doctor says what and why'),
      );
    for (const { reason, cure } of engine.unseen) {
      row('blind', warn(reason));
      more(cure);
    }
    row(
      'findings',
      findings > 0 ? warn(findings) : verdict?.covered ? good('none') : 'none in what could be seen',
      dim(findings === 0 ? '' : '  desk findings'),
    );
  }
  if (verdict) row('verdict', tones[verdict.tone](verdict.headline), dim(`  grade ${verdict.grade}`));
  row('loop', loop.on ? `${loop.mode}, every ${loop.period_ms} ms` : 'off', dim(missing(loop)));
  row('baseline', ...learnedLine(record.baseline));
  row('config', record.config ?? 'none, the defaults apply');
  row('state', record.state);
  for (const { finding, at } of record.grace) {
    out.wrapped(bad('  ! '), `A banned port is up and is shut down at ${at} (desk findings ${finding}).`);
    // A line of its own, so that it can be copied.
    out.line('    ', `desk accept ${finding} --why "…"`, dim('  keeps it'));
  }
  if (recovered)
    out.wrapped(
      bad('  ! '),
      `${recovered.reason} It starts unlearned${recovered.setAside === '' ? '' : `; the old one is ${recovered.setAside}`}. Learn again with "desk secure learn once".`,
    );
  row('next', dim('desk status · desk findings · desk watch · desk open'));
}

/** What is learned, and how much of it a person should review. */
function learnedLine({ generation, rows, to_review, first_use }: StartRecord['baseline']): Line {
  if (first_use) return ['first use', dim('  learned after the first full scan')];
  if (rows === 0) return [warn('nothing is learned'), dim('  desk secure learn once')];
  const held = `generation ${generation}, ${rows} rows`;
  return to_review === 0 ? [held] : [held, warn(`  ${to_review} to review`), dim('  desk baseline review')];
}

/** Which events the loop does not get, in brief. */
function missing({ event_reason, sources }: StartRecord['loop']): string {
  if (event_reason !== '') return `  ${event_reason}`;
  const silent = sources.filter(({ works }) => !works).map(({ id }) => id);
  return silent.length === 0 ? '' : `  no events from: ${silent.join(', ')}`;
}
