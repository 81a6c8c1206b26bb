import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readToken } from '../../src/state-folder/files.ts';
import { programWords } from '../support/entry.ts';
import { tellFigure } from '../support/long-form.ts';
import { NAMESPACE_NEEDS, type Namespace, startNamespace } from '../support/namespace.ts';
import type { Outcome } from '../support/remote-vectors.ts';
import { testsNeeding } from '../support/require.ts';
import { bearer, booted, curl, follow } from './remote-scene.ts';
import { until } from './running.ts';

const it = testsNeeding(test, ...NAMESPACE_NEEDS, 'curl');
const ATTACK = programWords('../support/remote-attack.ts', import.meta.url);
const DESK = '10.99.0.1';
const OTHER = '10.99.0.2';
it('from another network namespace no operation, no person and no command line is reached, and a revoked token ends its stream', () =>
  booted(
    `[listen.remote]\nenabled = true\n[identity]\naddress = "canary@example.org"\n`,
    async ({ namespace, desk, token }) => {
      await using other = await startNamespace();
      const link = async (one: Namespace, ...words: readonly string[]) => {
        const { code, stderr } = await one.run(['ip', ...words]);
        assert.is(code, 0, stderr);
      };
      await link(
        namespace,
        'link',
        'add',
        'd0',
        'type',
        'veth',
        'peer',
        'name',
        'd1',
        'netns',
        `${other.pid}`,
      );
      for (const [one, name, address] of [
        [namespace, 'd0', DESK],
        [other, 'd1', OTHER],
      ] as const) {
        await link(one, 'addr', 'add', `${address}/24`, 'dev', name);
        await link(one, 'link', 'set', name, 'up');
      }
      const remote = await token('other');
      const url = (path: string) => `https://${DESK}:18773${path}`;

      // Something to hide: a finding whose evidence has a command line, an environment and a path.
      const hidden = namespace.spawn(
        ['python3', '-c', 'import time; time.sleep(600) # --password=canary-word'],
        {
          env: { LD_PRELOAD: '/canary-folder/x.so' },
        },
      );
      try {
        const local = async () => (await desk.run(['findings', '--json'])).stdout;
        await until(async () => (await local()).includes('canary-folder'), 'a finding with the canary');

        const control = readToken(desk.state, 'control.token') as string;
        const mail = readToken(desk.state, 'mail.token') as string;
        const { stdout, stderr } = await other.run([process.execPath, ...ATTACK, DESK, '18773'], {
          env: { TOKENS: JSON.stringify({ remote, control, mail, made: `desk_${'A'.repeat(43)}` }) },
          timeoutMs: 300_000,
        });
        assert.is.not(stdout, '', stderr);
        const { outcomes, bodies } = JSON.parse(stdout) as { outcomes: readonly Outcome[]; bodies: string };
        assert.equal(
          outcomes.filter(({ right }) => !right),
          [],
        );
        const reached = outcomes.filter(({ name, status }) => name.startsWith('POST ') && status < 400);
        tellFigure('hostile requests from another namespace', outcomes.length);
        tellFigure('operations reached', reached.length);
        assert.equal(reached, []);
        assert.ok(outcomes.some(({ status }) => status === 429));

        // The attack has used up the new connections of this address for a moment.
        let view = { status: 0, body: '' };
        await until(async () => {
          view = await curl(other, ...bearer(remote), url('/view.json'));
          return view.status !== 0;
        }, 'a connection after the attack');
        assert.is(view.status, 200, view.body);
        assert.match(view.body, '"check":"preload-environment"');
        for (const body of [bodies, view.body]) assert.not.match(body, /canary/);
        assert.not.match(view.body, control);
        // No other listener is there.
        for (const port of [18772, 18770, 80])
          assert.is((await curl(other, `http://${DESK}:${port}/`)).status, 0, `${port}`);
        // What one address is refused for does not count for another.
        await until(
          async () => (await curl(other, ...bearer('wrong'), url('/view.json'))).status === 429,
          'wrong tokens that are refused for their number',
        );
        assert.is((await curl(namespace, ...bearer('wrong'), url('/view.json'))).status, 401);
      } finally {
        hidden.kill('SIGKILL');
      }

      const stream = follow(other, url('/events'), remote);
      await stream.begun();
      const revoked = await desk.run(['token', 'revoke', 'other']);
      const doneMs = Date.now();
      assert.is(revoked.code, 0, revoked.stderr);
      await stream.end;
      tellFigure(
        'stream ended after the command that revoked its token',
        Math.max(0, stream.seen.endedMs - doneMs),
        'ms',
      );
      assert.not.match(stream.seen.text, /canary/);
      assert.is.not((await curl(other, ...bearer(remote), url('/view.json'))).status, 200);
    },
  ));

test.run();
