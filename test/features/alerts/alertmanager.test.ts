/** Alerts in a real Alertmanager, by the template of docs/alerts.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { messageOf, shortened } from '../../../src/features/alerts/message.ts';
import { senderOf } from '../../../src/features/alerts/senders.ts';
import { freePorts } from '../../support/free-ports.ts';
import { projectRoot, testsNeeding } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { item } from './items-of.ts';

const test = suite('alertmanager');
const it = testsNeeding(test, 'alertmanager');

/** The keys that the document shows for it. */
function documented(): Record<string, string> {
  const text = readFileSync(join(projectRoot, 'docs/alerts.md'), 'utf8');
  const [, , example = ''] = /### Alertmanager(.*?)```toml\n(.*?)```/s.exec(text) ?? [];
  return parse(example) as Record<string, string>;
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: { readonly state: string };
}

it('what opens is an active alert there, and ends when it is resolved', async () => {
  const folder = tempFolder('desk-alertmanager-');
  const [port = 0] = await freePorts(1);
  const config = join(folder, 'alertmanager.yml');
  const notified: string[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => notified.push(chunk));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port: receives } = receiver.address() as AddressInfo;
  writeFileSync(
    config,
    `route: { receiver: hook, group_by: [id], group_wait: 0s }
receivers: [{ name: hook, webhook_configs: [{ url: "http://127.0.0.1:${receives}/" }] }]
`,
  );
  const child = spawn(
    'prometheus-alertmanager',
    [
      ...[`--config.file=${config}`, `--storage.path=${folder}/data`, '--cluster.listen-address='],
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  try {
    const active = async (): Promise<readonly Alert[] | null> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`).catch(() => null);
      return answer?.status === 200 ? ((await answer.json()) as readonly Alert[]) : null;
    };
    await until(async () => (await active()) !== null, 'the Alertmanager');
    const place = `localhost:${port}`;
    const { url: _url, ...keys } = documented();
    const { alerts, egress } = configSchema.parse({
      alerts: { to: [{ name: 'am', kind: 'webhook', url: `http://${place}/api/v2/alerts`, ...keys }] },
      egress: { allow: [place], private: [place] },
    });
    const [target] = alerts.to;
    assert.ok(target);
    const send = senderOf(target, { egress: new EgressGuard(egress), mail: () => null, remindHours: 24 });
    const signal = new AbortController().signal;
    const since = new Date(Date.now() - 60_000).toISOString();
    const [a, b] = [
      item('a', { since, severity: 'high' }),
      item('b', { since, title: 'with "quotes" \\ and\nlines' }),
    ];
    const common = { id: '0011223344556677', host: 'box' };
    const opened = messageOf({
      ...{
        ...common,
        kind: 'opened',
        atMs: Date.now(),
        opened: [a, b],
        resolved: [],
        open: 2,
        worstOpen: 'high',
      },
    });
    for (const again of [false, true])
      assert.equal(await send({ message: opened, again, signal }), { ok: true, detail: 'answered 200' });
    const found = await until(
      async () => ((await active()) ?? []).length === 2 && (await active()),
      'both alerts',
    );
    const labels = found
      .map(({ labels: of }) => of)
      .sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1));
    assert.equal(labels[0], { alertname: 'unknown-listener', id: 'a', severity: 'high', instance: 'box' });
    assert.ok(found.every(({ status }) => status.state === 'active'));
    assert.ok(found.some(({ annotations }) => annotations.summary === 'with "quotes" \\ and\\u000alines'));
    const resolved = messageOf({
      ...{ ...common, kind: 'changed', atMs: Date.now(), opened: [], open: 1, worstOpen: 'medium' },
      resolved: [{ id: 'a', severity: 'high', check: 'unknown-listener', title: 'finding a', since }],
    });
    assert.ok((await send({ message: resolved, again: false, signal })).ok);
    await until(async () => {
      const left = (await active()) ?? [];
      return left.length === 1 && left[0]?.labels.id === 'b';
    }, 'the end of the first');
    // A person sees it although it has ended, and waited for its target for an hour.
    const over = messageOf({
      ...{ ...common, kind: 'opened', atMs: Date.now() - 3_600_000, resolved: [], open: 0, worstOpen: null },
      opened: [
        item('c', {
          since: new Date(Date.now() - 7_200_000).toISOString(),
          severity: 'critical',
          over: true,
        }),
      ],
    });
    assert.ok((await send({ message: over, again: false, signal })).ok);
    await until(
      () => notified.join('').includes('over already: finding c'),
      'a notification of what is over',
    );
    const without = { atMs: Date.now(), opened: [], resolved: [], open: 0, worstOpen: null };
    const tried = messageOf({ ...without, id: '0011', kind: 'test', host: 'box' });
    const short = shortened({ ...opened, id: '0022' });
    for (const message of [tried, short])
      assert.ok((await send({ message, again: false, signal })).ok, message.kind);
    const [one, other] = await until(async () => {
      const more = ((await active()) ?? []).filter(({ labels: of }) => of.id?.startsWith('00'));
      return more.length === 2 && more.sort((a, b) => ((a.labels.id ?? '') < (b.labels.id ?? '') ? -1 : 1));
    }, 'those that have no items');
    assert.equal(one?.labels, { alertname: 'test', id: '0011', severity: 'low', instance: 'box' });
    assert.equal([other?.labels.alertname, other?.annotations.summary], ['desk', opened.title]);
  } finally {
    receiver.close();
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

test.run();
