/** Tokens of other machines: made, kept, limited in time, revoked; whatever the disk does. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FILE, MOST_TOKENS, RemoteTokens } from '../../../src/features/remote/remote-tokens.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const log = pino({ level: 'silent' });
const DAY = 86_400_000;

function keeper(folder = memoryFolder('desk-tokens-')) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const open = () => new RemoteTokens(folder, log, () => clock.now);
  return { folder, clock, open, tokens: open(), file: join(folder, FILE) };
}

/** Makes a write fail for root too: a folder is where the temporary file would be. */
const blockWrites = (file: string) => {
  const blocked = `${file}.${process.pid}.tmp`;
  mkdirSync(join(blocked, 'x'), { recursive: true });
  return () => rmSync(blocked, { recursive: true });
};

test('a token has 32 random bytes, and the file holds only what cannot be used', () => {
  const { tokens, file } = keeper();
  const made = Array.from({ length: 20 }, (_, at) => tokens.make(`t${at}`, DAY));
  assert.is(new Set(made.map(({ token }) => token)).size, 20);
  for (const { token } of made) {
    assert.match(token, /^desk_[\w-]{43}$/);
    assert.is(Buffer.from(token.slice(5), 'base64url').length, 32);
    assert.ok(!readFileSync(file, 'utf8').includes(token.slice(5)));
  }
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.equal(readdirSync(join(file, '..')), [FILE]);
});

test('only the whole token is valid, and only until its end', () => {
  const { tokens, clock } = keeper();
  const { token, entry } = tokens.make('laptop', DAY);
  assert.is(tokens.idOf(token), entry.id);
  for (const wrong of [
    '',
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    token.slice(5),
    entry.id,
    `desk_${'A'.repeat(43)}`,
  ])
    assert.is(tokens.idOf(wrong), null, wrong);
  clock.now += DAY - 1;
  assert.is(tokens.idOf(token), entry.id);
  clock.now += 1;
  assert.is(tokens.idOf(token), null);
  assert.equal(
    tokens.list().map(({ name, expired }) => [name, expired]),
    [['laptop', true]],
  );
  // The name is free again, and an old entry is dropped in time.
  tokens.make('laptop', DAY);
  clock.now += 40 * DAY;
  tokens.make('other', DAY);
  assert.equal(
    tokens.list().map(({ name }) => name),
    ['other'],
  );
});

test('tokens and their last use outlive a restart', () => {
  const { tokens, clock, open } = keeper();
  const { token, entry } = tokens.make('laptop', DAY);
  clock.now += 60_000;
  tokens.idOf(token);
  tokens.close();
  const again = open();
  assert.is(again.idOf(token), entry.id);
  assert.is(again.list()[0]?.usedMs, clock.now);
});

test('the last use alone is written once an hour at most', () => {
  const { tokens, clock, file } = keeper();
  const { token } = tokens.make('laptop', 30 * DAY);
  const before = readFileSync(file, 'utf8');
  tokens.idOf(token);
  tokens.refresh();
  assert.is(readFileSync(file, 'utf8'), before);
  clock.now += 3_600_000;
  tokens.refresh();
  assert.is.not(readFileSync(file, 'utf8'), before);
});

test('a name is used once, and there are not too many', () => {
  const { tokens } = keeper();
  tokens.make('laptop', DAY);
  assert.throws(() => tokens.make('laptop', DAY), /"laptop" exists/);
  for (let count = 1; count < MOST_TOKENS; count += 1) tokens.make(`t${count}`, DAY);
  assert.throws(() => tokens.make('more', DAY), /64 tokens already/);
});

test('a revoked token is invalid at once and ends what uses it, by id or name', () => {
  const { tokens, open } = keeper();
  const [one, two] = [tokens.make('one', DAY), tokens.make('two', DAY)];
  const ended: string[] = [];
  tokens.hold(one.entry.id, () => ended.push('one'));
  tokens.hold(two.entry.id, () => ended.push('two'));
  tokens.hold(one.entry.id, () => ended.push('let go'))();
  tokens.revoke(one.entry.id);
  assert.equal(ended, ['one']);
  assert.is(tokens.idOf(one.token), null);
  assert.is(tokens.idOf(two.token), two.entry.id);
  tokens.revoke('two');
  assert.equal(ended, ['one', 'two']);
  assert.throws(() => tokens.revoke('two'), /No token has this id or name/);
  assert.equal(open().list(), []);
});

test('what is revoked while the file cannot be written is invalid, reported, and written later', () => {
  const { tokens, file, open } = keeper();
  const { token } = tokens.make('laptop', DAY);
  const unblock = blockWrites(file);
  assert.throws(
    () => tokens.revoke('laptop'),
    /invalid from now on, but .* cannot be written .* valid again after a restart/,
  );
  assert.is(tokens.idOf(token), null);
  assert.match(tokens.trouble, /revoked tokens \(laptop\)/);
  assert.throws(() => tokens.make('more', DAY), /no token was made/);
  assert.is(tokens.list().length, 0);
  unblock();
  tokens.refresh();
  assert.is(tokens.trouble, '');
  assert.is(open().idOf(token), null);
});

test('revoking again writes what could not be written', () => {
  const { tokens, file, open } = keeper();
  const { token } = tokens.make('laptop', DAY);
  const unblock = blockWrites(file);
  assert.throws(() => tokens.revoke('laptop'), /cannot be written/);
  unblock();
  assert.is(tokens.revoke('laptop').name, 'laptop');
  assert.is(open().idOf(token), null);
});

test('a damaged or open file makes no token valid, and says what to do', () => {
  for (const spoil of [
    (file: string) => writeFileSync(file, '{'),
    (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('"version": 1', '"version": 2')),
    (file: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"name": "laptop"/, '"name": ""')),
    (file: string) => chmodSync(file, 0o644),
  ]) {
    const { tokens, file, open } = keeper();
    const { token } = tokens.make('laptop', DAY);
    spoil(file);
    const again = open();
    assert.is(again.idOf(token), null);
    assert.match(again.trouble, /^remote\.tokens .*no token of another machine is valid/);
    assert.throws(() => again.make('other', DAY), /remote\.tokens/);
    assert.ok(existsSync(file));
  }
});

test.run();
