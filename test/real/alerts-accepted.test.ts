/** What a person accepts or learns is reported as accepted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePorts } from '../support/free-ports.ts';
import { testsNeeding } from '../support/require.ts';
import { inScene, type Scene, Watched } from './alert-scene.ts';
import { runDesk, type Service, until } from './running.ts';

const test = suite('alerts, accepted');
const asRoot = testsNeeding(test, 'root');

const inMedium = (work: (scene: Scene) => Promise<void>) => inScene(work, { more: 'least = "medium"\n' });

const firstUse = (service: Service) =>
  until(async () => (await service.get('/scar')).json.a.generation > 0, 'first use', 60_000);

test('a finding that is accepted: the message says so, and why', () =>
  inMedium(async ({ ntfy, home, boot, titles }) => {
    await using service = await boot();
    await firstUse(service);
    const [port = 0] = await freePorts(1);
    const another = new Watched(port);
    await another.up();
    try {
      const about = (title: string): boolean => title.includes(`:${port}`);
      await until(() => titles().some(about), 'the alert');
      const id = await until(async () => {
        const { json } = await service.get('/detection');
        const findings = json.findings as readonly { id: string; subject: { port?: number } }[];
        return findings.find(({ subject }) => subject.port === port)?.id;
      }, 'the finding');
      const { code, stderr } = await runDesk(home, ['accept', id, '--why', 'a test of ours', '--yes']);
      assert.is(code, 0, stderr);
      await until(() => titles().filter(about).length === 2, 'its end');
      const last = ntfy.messages.findLast(({ title }) => about(title));
      assert.match(last?.title ?? '', /: accepted: .*:\d+/);
      assert.match(last?.message ?? '', /^accepted:\n.* \(a test of ours\)$/m);
    } finally {
      await another.down();
    }
  }));

asRoot('a changed program that is learned: the message says so', () =>
  inMedium(async ({ ntfy, boot, titles }) => {
    mkdirSync('/opt', { recursive: true });
    const folder = mkdtempSync('/opt/desk-alerts-');
    const path = join(folder, 'program');
    const start = () => spawn(path, ['300'], { stdio: 'ignore' });
    copyFileSync('/bin/sleep', path);
    const children = [start()];
    try {
      await using service = await boot();
      await firstUse(service);
      copyFileSync('/bin/sleep', join(folder, 'next'));
      appendFileSync(join(folder, 'next'), 'other content');
      renameSync(join(folder, 'next'), path);
      children.push(start());
      const about = (title: string): boolean => title.includes(path);
      await until(() => titles().some(about), 'the alert');
      // Other activity on this machine may be a scar that forbids learning.
      const learn = async () => (await service.post('/learn', {}, service.bearer)).status === 200;
      await until(learn, 'learning', 60_000);
      await until(() => titles().filter(about).length === 2, 'its end');
      const last = ntfy.messages.findLast(({ title }) => about(title));
      assert.match(last?.message ?? '', /^accepted:\n.* \(learned\)$/m);
    } finally {
      for (const child of children) if (child.kill('SIGKILL')) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    }
  }),
);

test.run();
