/** Allowed sources of the mail password, and files that are refused. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CREDENTIAL, readPassword } from '../../../src/features/mail/password.ts';
import { needs } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite<{ folder: string; file: string }>('mail password', {} as { folder: string; file: string });

test.before.each((context) => {
  context.folder = tempFolder('desk-password-');
  context.file = join(context.folder, 'password');
});

const write = (path: string, content: string | Uint8Array, mode = 0o600): void =>
  writeFileSync(path, content, { mode });

function refusal(file: string, credentials?: string): string {
  const result = readPassword(file, credentials);
  if (result.ok) throw new Error('the password was accepted');
  return result.reason;
}

test('a private password file is read without its line end, all else is kept', ({ file }) => {
  for (const [content, secret] of [
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    [' "ß…\\% \n', ' "ß…\\% '],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    ['\ufeffsecret', '\ufeffsecret'],
  ] as const) {
    write(file, content);
    assert.equal(readPassword(file, undefined), { ok: true, secret, from: file });
  }
});

test('an invalid password is refused and never shown', ({ file }) => {
  for (const [content, words] of [
    ['', /is empty/],
    ['\n', /is empty/],
    ['hidden\nhidden', /several lines/],
    ['hidden\n\n', /several lines/],
    ['hidden\0', /several lines/],
    [Buffer.from('hidden\xff', 'latin1'), /not UTF-8/],
    ['hidden'.repeat(171), /longer than 1024 bytes/],
    [`${'hidden'.repeat(20_000)}`, /longer than 1024 bytes/],
  ] as const) {
    write(file, content);
    const reason = refusal(file);
    assert.match(reason, words);
    assert.match(reason, file);
    assert.not.match(reason, 'hidden');
  }
});

test('files that others can read, links and special files are refused with what to do', ({
  folder,
  file,
}) => {
  write(file, 'secret');
  for (const mode of [0o640, 0o604, 0o660, 0o644, 0o700 | 0o010]) {
    chmodSync(file, mode);
    assert.match(
      refusal(file),
      new RegExp(`is open to others \\(mode 0${mode.toString(8)}\\); run "chmod 600`),
    );
  }
  chmodSync(file, 0o600);
  symlinkSync(file, join(folder, 'link'));
  assert.match(refusal(join(folder, 'link')), /is a symbolic link/);
  assert.match(refusal(folder), /not a regular file/);
  execFileSync('mkfifo', ['-m', '600', join(folder, 'fifo')]);
  assert.match(refusal(join(folder, 'fifo')), /not a regular file/);
  assert.match(refusal(join(folder, 'none')), /does not exist: write the password into it/);
  assert.match(refusal(join(file, 'beneath')), /does not exist/);
  assert.match(refusal('password'), /not an absolute path/);
  assert.match(refusal(''), /name that as password_file in \[mail\]/);
});

needs('root')(test, "another user's file is refused", ({ file }) => {
  write(file, 'secret');
  chownSync(file, 65534, 65534);
  assert.match(refusal(file), /belongs to uid 65534; the owner must be root; .*"chown root:root /);
});

test('the systemd credential has precedence over the file and may have the modes of systemd', ({
  folder,
  file,
}) => {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  write(file, 'from the file\n');
  assert.equal(readPassword(file, credentials), { ok: true, secret: 'from the file', from: file });
  const credential = join(credentials, CREDENTIAL);
  write(credential, 'from systemd\n', 0o440);
  assert.equal(readPassword(file, credentials), { ok: true, secret: 'from systemd', from: credential });
  write(file, 'x', 0o600);
  chmodSync(credential, 0o600);
  write(credential, '');
  assert.match(refusal(file, credentials), /is empty/);
});

test.run();
