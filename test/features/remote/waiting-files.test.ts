/** Given files on a file system that may not answer: read by a helper first, once for each change; where they hang, the former certificate stays. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mountsIn, waitingMount } from '../../../src/base/file-systems.ts';
import { selfSigned } from '../../../src/features/remote/certificate.ts';
import { IdentityKeeper } from '../../../src/features/remote/identity.ts';
import type { ReadFirst } from '../../../src/features/remote/waiting-files.ts';
import { loopbackConfig } from '../../support/fake-desk.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const log = pino({ level: 'silent' });
const MOUNT = {
  ...{ device: '0:1', root: '/', point: '/mnt/keys', options: [], type: 'nfs4' },
  ...{ source: 'server:/keys', superOptions: [] },
};

function put(folder: string, untilMs = Date.now() + 100 * 86_400_000): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = selfSigned({ key, names: ['desk.example'], fromMs: Date.now() - 86_400_000, untilMs });
  writeFileSync(join(folder, 'c'), text);
  writeFileSync(join(folder, 'k'), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return new X509Certificate(text).fingerprint256;
}

function keeper(clock: () => number = Date.now) {
  const folder = memoryFolder('desk-waiting-');
  const paths = { certificate: join(folder, 'c'), key: join(folder, 'k') };
  const config = loopbackConfig({ listen: { remote: { enabled: true, ...paths } } }).listen.remote;
  const helper = { hangs: false, state: 1, asked: 0, rests: 0 };
  const reader: ReadFirst = {
    read: async () => {
      helper.asked += 1;
      if (helper.hangs) return 'reading it hangs';
      return {
        files: [],
        unread: [{ path: '', error: String(helper.state) }],
        cut: false,
        databases: [],
        busy: false,
      };
    },
    rest: async () => {
      helper.rests += 1;
    },
    close: async () => undefined,
  };
  const held = new IdentityKeeper(memoryFolder('desk-identity-'), log, clock, {
    makeReader: async () => reader,
    mountOf: () => MOUNT,
  });
  return { folder, config, helper, held };
}

test('a file system that hangs keeps the former certificate, says why, and is used again when it answers', async () => {
  const { folder, config, helper, held } = keeper();
  const first = put(folder);
  helper.hangs = true;
  await held.refresh(config);
  assert.is(held.identity, null);
  assert.match(held.trouble?.what ?? '', 'cannot be read: reading it hangs');
  assert.not.match(held.trouble?.what ?? '', 'former');
  assert.match(held.trouble?.remedy ?? '', 'of type nfs4 at /mnt/keys answers');

  helper.hangs = false;
  await held.refresh(config, { now: true });
  assert.is(held.identity?.fingerprint, first);
  assert.is(held.trouble, null);

  helper.hangs = true;
  await held.refresh(config, { now: true });
  assert.is(held.identity?.fingerprint, first);
  assert.match(held.trouble?.what ?? '', 'reading it hangs; the former certificate is still shown');
  assert.is(helper.rests, 3);
});

test('nothing is read by this thread before the helper answers, nor again until it sees a change', async () => {
  const { folder, config, helper, held } = keeper();
  const first = put(folder);
  const reading = held.refresh(config);
  assert.is(held.identity, null);
  await reading;
  assert.is(held.identity?.fingerprint, first);
  const second = put(folder);
  await held.refresh(config, { now: true });
  assert.is(held.identity?.fingerprint, first, 'the helper has seen no change');
  helper.state = 2;
  await held.refresh(config, { now: true });
  assert.is(held.identity?.fingerprint, second);
  // The helper costs some tenths of a second.
  const { asked } = helper;
  await held.refresh(config);
  assert.is(helper.asked, asked);
});

test('a certificate that comes to its end is reported although its file does not change', async () => {
  const clock = { now: Date.now() };
  const { folder, config, held } = keeper(() => clock.now);
  put(folder, clock.now + 20 * 86_400_000);
  await held.refresh(config);
  assert.is(held.trouble, null);
  clock.now += 15 * 86_400_000;
  await held.refresh(config, { now: true });
  assert.match(held.trouble?.what ?? '', 'ends at');
});

test('the way to a file is followed over links, up to the first file system of another machine', () => {
  const folder = memoryFolder('desk-mounts-');
  mkdirSync(join(folder, 'far'));
  mkdirSync(join(folder, 'near'));
  writeFileSync(join(folder, 'near/c'), '');
  symlinkSync('../far/c', join(folder, 'near/over'));
  const mounts = mountsIn(
    [
      '1 0 0:1 / / rw - ext4 /dev/x rw',
      `2 1 0:2 / ${folder}/far rw - nfs4 server:/x rw`,
      `3 1 0:3 / ${folder}/with\\040blank rw - fuse.sshfs x rw`,
    ].join('\n'),
  );
  const typeAt = (name: string) => waitingMount(join(folder, name), mounts)?.type ?? null;
  assert.is(typeAt('near/c'), null);
  assert.is(typeAt('near/over'), 'nfs4');
  assert.is(typeAt('far/c'), 'nfs4');
  assert.is(typeAt('farther'), null);
  assert.is(typeAt('with blank/c'), 'fuse.sshfs');
  assert.is(typeAt('near/../far/c'), 'nfs4');
  assert.is(typeAt('none/c'), null);
});

test.run();
