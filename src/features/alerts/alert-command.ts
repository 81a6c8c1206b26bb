import { plural } from '../../base/plural.ts';
import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { superfluous } from '../../desk/failure.ts';
import type { AlertsAnswer, AlertTestAnswer } from '../../records/alerts.ts';
import * as operations from './operations.ts';

/** Deliveries that are shown. */
const LATEST = 10;
/** A command of the user's may take 30 s, and a server 15. */
const TEST_MS = 60_000;

export const alertCommand: Command = {
  name: 'alert',
  summary: 'Shows where alerts go and what was delivered, or sends a test',
  arguments: [
    { name: 'action', meaning: 'what to do, list by default', choices: ['list', 'test'], optional: true },
    { name: 'target', meaning: 'name of the target to test; all without it', optional: true },
  ],
  examples: [
    ['desk alert', 'targets, heartbeats, and the last deliveries'],
    ['desk alert test', 'sends a test message to every target and says what each answered'],
    ['desk alert test phone', 'the same for one target'],
  ],
  async run({ answer, client }, { arguments: { action = 'list', target } }) {
    if (action === 'list') {
      if (target !== undefined) throw superfluous(`"${target}"`, 'alert list');
      return answer(await (await client()).ask(operations.alerts, {}), show);
    }
    const service = await client({ timeoutMs: TEST_MS });
    const tested = await service.ask(operations.alertTest, target === undefined ? {} : { target });
    return answer(
      tested,
      showTest,
      tested.results.every(({ ok }) => ok),
    );
  },
};

function showTest(out: Terminal, { results }: AlertTestAnswer): void {
  out.table(
    [{ title: '' }, { title: 'target' }, { title: 'ms' }, { title: 'answer', shrink: 'end' }],
    results.map(({ ok, target, ms, detail }) => [
      ok ? good('arrived') : bad('failed'),
      target,
      `${Math.round(ms)}`,
      detail,
    ]),
  );
}

const minute = (time: string | null): string => time?.slice(0, 16).replace('T', ' ') ?? '';

function show(out: Terminal, { targets, heartbeats, quiet, deliveries }: AlertsAnswer): void {
  if (quiet !== null)
    out.wrapped(
      warn('quiet  '),
      `until ${minute(quiet.until)} UTC, ${quiet.why}: only critical findings alert`,
    );
  if (targets.length === 0)
    out.line('No alerts are sent.', dim('  Add a target with [[alerts.to]] in the configuration.'));
  else
    out.table(
      [
        { title: 'target' },
        { title: 'kind' },
        { title: 'from' },
        { title: 'last sent, UTC' },
        { title: 'open' },
        { title: 'state', shrink: 'end' },
      ],
      targets.map(({ name, kind, least, sent, reported, reason, waiting, tries }) => [
        strong(name),
        kind,
        least,
        sent === null ? dim('never') : minute(sent),
        `${reported}`,
        reason !== ''
          ? bad(`failed ${plural(tries, 'time')}: ${reason}`)
          : waiting === ''
            ? good('ok')
            : 'on its way',
      ]),
    );
  if (heartbeats.length > 0)
    out.table(
      [
        { title: 'heartbeat' },
        { title: 'every' },
        { title: 'last sent, UTC' },
        { title: 'state', shrink: 'end' },
      ],
      heartbeats.map(({ name, every_sec, sent, reason }) => [
        strong(name),
        `${every_sec} s`,
        sent === null ? dim('never') : minute(sent),
        reason === '' ? (sent === null ? dim('waits for a recheck') : good('ok')) : bad(reason),
      ]),
    );
  if (deliveries.length === 0) return;
  out.line();
  out.table(
    [{ title: 'delivered, UTC' }, { title: 'target' }, { title: 'kind' }, { title: 'title', shrink: 'end' }],
    deliveries.slice(0, LATEST).map(({ at, target, kind, title }) => [minute(at), target, kind, title]),
  );
}
