/** The uids of the other processes, and how the ledger's folder is given to the mail process. */
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startMail } from '../../src/privileges/child.ts';
import { giveFolder, makeLedgerFolder, ownerOf } from '../../src/privileges/ledger-folder.ts';
import { ownUids } from '../../src/privileges/uids.ts';
import { needs, projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite<{ folder: string }>('uids', { folder: '' });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-uids-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

test('the three uids differ, belong to no account, and the owner of the ledger keeps its uid', () => {
  const chosen = ownUids(null);
  assert.ok(chosen !== null);
  const uids = [chosen.start, chosen.peek, chosen.mail];
  assert.is(new Set(uids).size, 3);
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('desk-'))
    .map((line) => Number(line.split(':')[2]));
  for (const uid of uids) assert.not.ok(uid === 0 || uid === 65534 || accounts.includes(uid), String(uid));
  assert.is(ownUids(60_902 + 30)?.mail, 60_932);
  // The folder of a root service that never used mail, or of a user.
  for (const owner of [0, 1000, 65_534]) assert.is.not(ownUids(owner)?.mail, owner);
});

test('the ledger of an earlier version is moved into the folder once', ({ folder }) => {
  for (const name of ['people.db', 'people.db-wal', 'people.json', 'desk.db'])
    writeFileSync(join(folder, name), name);
  const made = makeLedgerFolder(folder);
  assert.is(statSync(made).mode & 0o777, 0o700);
  for (const name of ['people.db', 'people.db-wal', 'people.json'])
    assert.is(readFileSync(join(made, name), 'utf8'), name);
  assert.ok(existsSync(join(folder, 'desk.db')));
  writeFileSync(join(folder, 'people.json'), 'of another user');
  assert.is(makeLedgerFolder(folder), made);
  assert.is(readFileSync(join(made, 'people.json'), 'utf8'), 'people.json');
});

test('an interrupted move is finished by the next start', ({ folder }) => {
  const names = ['people.db', 'people.db-wal', 'people.json'];
  for (const name of names) writeFileSync(join(folder, name), name);
  const module = new URL('../../src/privileges/ledger-folder.ts', import.meta.url).href;
  // The process ends as if killed, before each step that changes the folder.
  const script = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = Number(process.argv[1]);
    for (const name of ['mkdirSync', 'renameSync']) {
      const real = fs[name];
      fs[name] = (...words) => (left-- > 0 ? real(...words) : process.kill(process.pid, 'SIGKILL'));
    }
    syncBuiltinESMExports();
    const { makeLedgerFolder } = await import('${module}');
    makeLedgerFolder(process.argv[2]);`;
  for (const steps of ['0', '1', '2', '1', '0']) {
    const words = ['--import', 'tsx', '--input-type=module', '-e', script, steps, folder];
    const { signal, stderr } = spawnSync(process.execPath, words, { cwd: projectRoot, encoding: 'utf8' });
    assert.equal([signal, stderr], ['SIGKILL', '']);
    if (existsSync(join(folder, 'people')))
      for (const name of names) assert.ok(existsSync(join(folder, 'people', name)));
  }
  const made = makeLedgerFolder(folder);
  for (const name of names) assert.is(readFileSync(join(made, name), 'utf8'), name);
  assert.equal(readdirSync(folder), ['people']);
});

needs('root')(
  test,
  'the folder and the ledger files in it change owner; other files and the target of a link do not',
  (context) => {
    const { folder } = context as { folder: string };
    const outside = join(folder, 'outside');
    const given = join(folder, 'people');
    mkdirSync(given, { mode: 0o700 });
    for (const path of [outside, join(given, 'people.db'), join(given, 'other')])
      writeFileSync(path, '', { mode: 0o600 });
    symlinkSync(outside, join(given, 'people.json'));
    giveFolder(given, 60_902);
    const about = (path: string) => [statSync(path).uid, statSync(path).mode & 0o7777];
    assert.equal(about(given), [60_902, 0o700]);
    assert.equal(about(join(given, 'people.db')), [60_902, 0o600]);
    assert.equal(about(join(given, 'other')), [0, 0o600]);
    assert.equal(about(outside), [0, 0o600]);
    // Its owner may put anything there: nothing in it is changed again.
    chownSync(join(given, 'people.db'), 0, 0);
    giveFolder(given, 60_902);
    assert.is(ownerOf(join(given, 'people.db')), 0);
  },
);

needs('root')(
  test,
  'from another owner, a hard link is not given away and a pipe does not block',
  (context) => {
    const { folder } = context as { folder: string };
    const outside = join(folder, 'outside');
    const given = join(folder, 'people');
    mkdirSync(given, { mode: 0o700 });
    writeFileSync(outside, '', { mode: 0o600 });
    linkSync(outside, join(given, 'people.db'));
    symlinkSync('people.db-wal', join(given, 'people.db-wal'));
    assert.is(spawnSync('mkfifo', [join(given, 'people.vcf')]).status, 0);
    chownSync(given, 60_905, 60_905);
    giveFolder(given, 60_902);
    assert.equal([statSync(given).uid, statSync(given).gid], [60_902, 60_902]);
    assert.equal([statSync(outside).uid, statSync(outside).mode & 0o7777], [0, 0o600]);
    assert.is(statSync(join(given, 'people.vcf')).uid, 0);
  },
);

test('a folder that is a link is not followed', ({ folder }) => {
  const outside = join(folder, 'outside');
  mkdirSync(outside, { mode: 0o755 });
  symlinkSync(outside, join(folder, 'people'));
  assert.throws(() => giveFolder(join(folder, 'people'), 60_902), /ENOTDIR|ELOOP/);
  assert.is(statSync(outside).mode & 0o777, 0o755);
});

test('a child with an unreadable folder is not started', async ({ folder }) => {
  symlinkSync('loop', join(folder, 'loop'));
  const { pid, channel, ended, kill } = startMail(join(folder, 'loop', 'people'));
  assert.equal([pid, channel, await ended], [undefined, null, 'ELOOP']);
  kill();
});

needs('root')(
  test,
  'without CAP_KILL a child keeps the uid of the service, which could not kill another uid',
  () => {
    const module = new URL('../../src/privileges/child.ts', import.meta.url).href;
    const script = `import { readFileSync } from 'node:fs';
    const { startPeek } = await import('${module}');
    const child = startPeek();
    let status = '';
    // The last step of dropping privileges.
    while (!/^NoNewPrivs:\\s+1/m.test(status)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      status = readFileSync('/proc/' + child.pid + '/status', 'latin1');
    }
    console.log(/^Uid:\\s+(\\d+)/m.exec(status)[1]);
    child.kill();
    process.exit();`;
    const words = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const uidOf = (limit: string): string => {
      const { stdout, stderr } = spawnSync('setpriv', [`--bounding-set=${limit}`, ...words], {
        cwd: projectRoot,
        encoding: 'utf8',
        timeout: patientMs(30_000),
      });
      assert.is(stderr, '');
      return stdout.trim();
    };
    assert.is(uidOf('-kill'), '0');
    assert.match(uidOf('-sys_time'), /^609\d\d$|^610[01]\d$/);
  },
);

test.run();
