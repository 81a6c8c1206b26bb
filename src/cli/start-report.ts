/** What `desk boot` says once it stands: what it listens on, what it could not, engine, first sweep, where to look next. */
import { webAuthority } from '../base/addresses.ts';
import { bad, dim, good, type Line, strong, type Terminal, warn } from '../base/terminal.ts';
import { gapsOf, ownBlindClasses } from '../records/coverage.ts';
import { headlineOf, verdictOf } from '../records/verdict.ts';
import type { Service } from '../service/service.ts';

const tones = { good, warn, bad } as const;
const roles = ['control', 'office', 'public', 'themed'] as const;

export class StartReport {
  readonly #service: Service;
  readonly #readyMs = Math.round(performance.now());

  constructor(service: Service) {
    this.#service = service;
  }

  record() {
    const { desk, configPath, state, store, firstUse } = this.#service;
    const moment = desk.latest();
    const { service, loop } = desk.facts();
    return {
      word: 'DESK_BOOT',
      version: service.version,
      pid: service.pid,
      ready_ms: this.#readyMs,
      listeners: roles.map((role) => desk.listener(role)),
      engine: moment && {
        backend: moment.snapshot.engine.backend,
        backend_reason: moment.snapshot.engine.backendReason,
        mark: moment.snapshot.engine.mark,
        workers: moment.snapshot.engine.workers,
        sweep_us: moment.snapshot.sweepUs,
        processes: moment.snapshot.counts.userSpace,
        blind_processes: moment.snapshot.counts.blindProcesses,
        findings: moment.judgement.findings.length,
        unseen: ownBlindClasses(moment),
      },
      verdict: moment && {
        ...verdictOf(moment),
        covered: gapsOf(moment).length === 0,
        headline: headlineOf(moment),
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
      grace: moment?.desk.remedies.pending ?? [],
      recovered: store.recovered,
      baseline: {
        generation: moment?.desk.baseline.generation ?? 0,
        rows: moment?.desk.baseline.rows ?? 0,
        to_review: moment?.desk.baseline.toReview ?? 0,
        first_use: firstUse,
      },
    };
  }

  print(out: Terminal): void {
    const {
      version,
      pid,
      ready_ms,
      listeners,
      engine,
      verdict,
      loop,
      config,
      state,
      grace,
      recovered,
      baseline,
    } = this.record();
    const row = (name: string, ...pieces: Line): void => out.line(dim(`  ${name.padEnd(9)}`), ...pieces);
    out.line(strong('Hostess Desk'), ` ${version}`, dim(`  pid ${pid}, ready in ${ready_ms} ms`));
    for (const { role, host, port, state: standing, reason } of listeners) {
      const url = `http://${webAuthority(host, port)}/`;
      if (standing === 'bound') row(role, good('listens  '), url);
      else if (standing === 'off') row(role, dim('off'));
      else {
        row(role, bad('not up   '), url);
        out.wrapped(' '.repeat(20), reason);
      }
    }
    if (engine) {
      const {
        backend,
        backend_reason,
        mark,
        workers,
        sweep_us,
        processes,
        blind_processes,
        findings,
        unseen,
      } = engine;
      row(
        'engine',
        `${backend}, mark ${mark}, ${workers} workers; first sweep ${(sweep_us / 1000).toFixed(1)} ms over ${processes} processes`,
      );
      if (backend_reason !== '') out.wrapped(' '.repeat(11), `not bpf: ${backend_reason}`);
      if (blind_processes > 0)
        row(
          'blind',
          warn(
            `${blind_processes} of them ${blind_processes === 1 ? 'hides' : 'hide'} something from this process`,
          ),
          dim('  desk doctor says what and why'),
        );
      for (const { reason, cure } of unseen) {
        row('blind', warn(reason));
        out.wrapped(' '.repeat(11), cure);
      }
      row(
        'findings',
        findings > 0 ? warn(findings) : verdict?.covered ? good('none') : 'none in what could be seen',
        dim(findings === 0 ? '' : '  desk findings'),
      );
    }
    if (verdict) row('verdict', tones[verdict.tone](verdict.headline), dim(`  grade ${verdict.grade}`));
    row('loop', loop.on ? `${loop.mode}, every ${loop.period_ms} ms` : 'off', dim(told(loop)));
    row('baseline', ...learnedLine(baseline));
    row('config', config ?? 'none, the defaults apply');
    row('state', state);
    for (const { finding, at } of grace) {
      out.wrapped(bad('  ! '), `A banned port is up and is shut down at ${at} (desk findings ${finding}).`);
      // A line of its own: it is to be copied.
      out.line('    ', `desk accept ${finding} --why "…"`, dim('  keeps it'));
    }
    if (recovered)
      out.wrapped(
        bad('  ! '),
        `${recovered.reason} It starts unlearned${recovered.setAside === '' ? '' : `; the old one is ${recovered.setAside}`}. Learn again with "desk secure learn once".`,
      );
    row('next', dim('desk status · desk findings · desk watch · desk open'));
  }
}

/** What is learned, and what of it a person should look at. */
function learnedLine({
  generation,
  rows,
  to_review,
  first_use,
}: ReturnType<StartReport['record']>['baseline']): Line {
  if (first_use) return ['first use', dim('  learned once everything was looked at')];
  if (rows === 0) return [warn('nothing is learned'), dim('  desk secure learn once')];
  const held = `generation ${generation}, ${rows} rows`;
  if (to_review === 0) return [held];
  return [held, warn(`  ${to_review} to look through`), dim('  desk baseline review')];
}

/** What the loop cannot hear of, in brief. */
function told({ event_reason, sources }: ReturnType<StartReport['record']>['loop']): string {
  if (event_reason !== '') return `  ${event_reason}`;
  const silent = sources.filter(({ works }) => !works).map(({ id }) => id);
  return silent.length === 0 ? '' : `  without ${silent.join(' and ')}`;
}
