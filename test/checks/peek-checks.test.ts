/** The checks of tier 2 on hand-made facts: what fails, its severity and class, and which benign cause explains it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../src/checks/check.ts';
import { BROKEN, HUNG, type PeekFacts, UNKNOWN } from '../../src/checks/peek-facts.ts';
import type { ProcessSubject } from '../../src/checks/subjects.ts';
import { verdictsOf } from '../../src/features/inspection/judge.ts';
import { classKey, isKeyKnown, isSuppressed } from '../../src/findings/finding-class.ts';
import { explained } from '../support/judge.ts';
import { factsFrom, law, mapping, mappings, PEEK_CHECKS, processFrom } from '../support/peek.ts';

const verdicts = (facts: PeekFacts, subject: ProcessSubject = processFrom()) =>
  verdictsOf(PEEK_CHECKS, [facts, facts], { subject, law });

/** The only fail, and what explains it. */
function only(facts: PeekFacts, subject?: ProcessSubject): Fail & { readonly cause: string } {
  const found = verdicts(facts, subject);
  assert.is(found.fails.length, 1, found.fails.map(({ check }) => check.id).join());
  const { suppressed } = explained(found, law, null, 0);
  return { ...(found.fails[0] as Fail), cause: suppressed[0]?.name ?? '' };
}

const summed = ({ check, severity, evidenceClass, cause }: ReturnType<typeof only>) =>
  [check.id, severity, evidenceClass, cause].join(' ').trim();

test('a quiet process passes every check', () => {
  const { pass, fail, blind } = verdicts(factsFrom());
  assert.equal([pass, fail, blind], [PEEK_CHECKS.length, 0, 0]);
});

test('one reading reports nothing: two must agree', () => {
  const loud = factsFrom({ environment: { LD_AUDIT: '/x' } });
  const context = { subject: processFrom(), law };
  for (const readings of [[loud], [loud, factsFrom()], [factsFrom(), loud]])
    assert.equal(verdictsOf(PEEK_CHECKS, readings, context).fails, []);
  const both = verdictsOf(PEEK_CHECKS, [loud, loud], context);
  assert.equal([both.fail, both.fails[0]?.confirmed], [1, true]);
  assert.is(verdictsOf(PEEK_CHECKS, [], context).pass, 0);
});

test('preload-environment: the most dangerous variable is the class, and root makes it critical', () => {
  const all = { LD_LIBRARY_PATH: '/l', LD_PRELOAD: '/p.so', LD_AUDIT: '/a.so' };
  const found = only(factsFrom({ environment: all }));
  assert.is(summed(found), 'preload-environment medium audit');
  assert.equal(found.evidence, all);
  assert.is(found.subject.kind === 'process' && found.subject.pid, 700);
  const preload = factsFrom({ environment: { LD_PRELOAD: '/p.so', LD_LIBRARY_PATH: '/l' } });
  assert.is(summed(only(preload, processFrom({ uid: 0 }))), 'preload-environment critical preload');
  // A setuid program, and one whose uid could not be read, count as root.
  assert.is(only(preload, processFrom({ euid: 0 })).severity, 'critical');
  assert.is(only(preload, processFrom({ uid: null })).severity, 'critical');
  const path = factsFrom({ environment: { LD_LIBRARY_PATH: '/l' } });
  assert.is(summed(only(path)), 'preload-environment medium library-path');
  assert.is(only(path, processFrom({ executable: '/snap/x/1/bin/x' })).cause, 'snap-packages');
});

test('preload-environment: preloads by tools of the distribution are explained, by name and folder', () => {
  const causeOf = (environment: Record<string, string>) => only(factsFrom({ environment })).cause;
  const fakeroot = '/usr/lib/x86_64-linux-gnu/libfakeroot:/usr/lib64/libfakeroot:/usr/lib32/libfakeroot';
  for (const environment of [
    { LD_PRELOAD: 'libfakeroot-sysv.so', LD_LIBRARY_PATH: fakeroot },
    { LD_PRELOAD: '/usr/libexec/coreutils/libstdbuf.so' },
    { LD_PRELOAD: 'libeatmydata.so:/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1' },
  ])
    assert.is(causeOf(environment), 'build-preloads', JSON.stringify(environment));
  for (const environment of [
    { LD_PRELOAD: 'libfakeroot-sysv.so', LD_LIBRARY_PATH: `${fakeroot}:/tmp` },
    { LD_PRELOAD: 'libfakeroot-sysv.so', LD_LIBRARY_PATH: `${fakeroot}:` },
    { LD_PRELOAD: 'libstdbuf.so', LD_LIBRARY_PATH: '/usr/lib/../../tmp' },
    { LD_PRELOAD: '/tmp/libstdbuf.so' },
    { LD_PRELOAD: './libstdbuf.so' },
    { LD_PRELOAD: '/usr/lib/../../tmp/libstdbuf.so' },
    { LD_PRELOAD: 'libstdbuf.so:/usr/lib/libevil.so' },
    { LD_PRELOAD: 'libstdbuf.so', LD_AUDIT: 'libstdbuf.so' },
    { LD_LIBRARY_PATH: fakeroot },
  ])
    assert.is(causeOf(environment), '', JSON.stringify(environment));
});

test('preload-environment: a partially read variable is reported as partly known, and nothing explains it', () => {
  const cut = { text: 'libstdbuf.so', whole: false };
  const found = only(factsFrom({ environment: { LD_PRELOAD: cut } }));
  assert.is(summed(found), 'preload-environment medium partly known');
  assert.equal(found.evidence, { LD_PRELOAD: UNKNOWN, LD_PRELOAD_in_part: 'libstdbuf.so' });
  assert.not.ok(isKeyKnown(found));
  assert.not.ok(isSuppressed(new Set([classKey(found)]), found), 'a baseline does not either');
  const environment = { LD_PRELOAD: 'libstdbuf.so', LD_LIBRARY_PATH: { text: '/usr/lib', whole: false } };
  for (const executable of ['/usr/bin/x', '/snap/x/1/bin/x', '/usr/games/steam'])
    assert.is(only(factsFrom({ environment }), processFrom({ executable })).cause, '', executable);
});

test('preload-environment: a name that any user may choose does not explain a process of root', () => {
  const facts = factsFrom({ environment: { LD_PRELOAD: '/tmp/x.so' } });
  const steam = (parts: Partial<ProcessSubject>) =>
    only(facts, processFrom({ executable: '/tmp/steam', ...parts })).cause;
  assert.is(steam({}), 'game-overlays');
  assert.is(steam({ uid: 0 }), '');
  assert.is(steam({ euid: 0 }), '');
});

test('a truncated list of code is unknown: neither an upgrade nor learned code explains it', () => {
  const some = Array.from({ length: 16 }, () => mapping('/memfd:a (deleted)'));
  const cut = { ...mappings(...some), total: 17, whole: false };
  const code = only(factsFrom({ maps: { anonymousCode: cut } }));
  assert.equal([code.evidence.files, code.evidence.some_files], [UNKNOWN, '/memfd:a (deleted)']);
  const libraries = only(factsFrom({ maps: { deletedCode: { ...cut, replaced: false } } }));
  assert.is(summed(libraries), 'deleted-library low gone');
  assert.is(libraries.evidence.libraries, UNKNOWN);
  for (const found of [code, libraries]) {
    assert.not.ok(isKeyKnown(found));
    assert.not.ok(isSuppressed(new Set([classKey(found)]), found));
  }
  const upgraded = { ...cut, replaced: true };
  assert.is(only(factsFrom({ maps: { deletedCode: upgraded } })).cause, 'package-upgrade');
});

test('writable-code: a few pages of callbacks in an interpreter are a note, more are not', () => {
  const python = processFrom({ executable: '/usr/bin/python3.11', identity: '/usr/bin/python3.11:app' });
  const pages = (...counts: number[]) =>
    mappings(...counts.map((count) => mapping('', 'rwxp', '7f0000000000', count * 4096)));
  const of = (writableCode: ReturnType<typeof pages>, more = {}) =>
    summed(only(factsFrom({ maps: { writableCode, ...more } }), python));
  assert.is(of(pages(1)), 'writable-code low callbacks');
  assert.is(of(pages(1, 3)), 'writable-code low callbacks');
  assert.is(of(pages(5)), 'writable-code medium writable');
  assert.is(of({ ...pages(1), total: 17 }), 'writable-code medium writable');
  assert.is(of(mappings(mapping('/tmp/x', 'rwxp', '7f0000000000', 4096))), 'writable-code medium writable');
  assert.is(of(pages(1), { anonymousCode: mappings(mapping('')) }), 'writable-code medium writable');
  const other = summed(only(factsFrom({ maps: { writableCode: pages(1) } })));
  assert.is(other, 'writable-code medium writable');
});

test('writable-code: memfd comes before writable before anonymous, and JIT runtimes are explained by name', () => {
  const writable = mappings(mapping('', 'rwxp'));
  const anonymous = mappings(mapping(''));
  const memfd = mappings(mapping('/memfd:x (deleted)'));
  assert.is(summed(only(factsFrom({ maps: { writableCode: writable } }))), 'writable-code medium writable');
  assert.is(
    summed(only(factsFrom({ maps: { anonymousCode: anonymous } }))),
    'writable-code medium anonymous',
  );
  const both = factsFrom({ maps: { writableCode: writable, anonymousCode: memfd } });
  assert.is(summed(only(both)), 'writable-code medium memfd');
  assert.equal(only(both).evidence, {
    writable: 1,
    anonymous: 1,
    files: '/memfd:x (deleted)',
    mappings: '7f0000000000 rwxp, 7f0000000000 r-xp /memfd:x (deleted)',
  });
  for (const executable of [
    '/usr/bin/node',
    '/home/a/.nvm/versions/node/v20/bin/node',
    '/usr/bin/node (deleted)',
  ])
    assert.is(only(both, processFrom({ executable })).cause, 'jit-runtimes', executable);
  assert.is(only(both, processFrom({ executable: '/usr/sbin/nginx' })).cause, 'regex-compilers');
  // The name of a process is not the name of its program.
  for (const parts of [
    { comm: 'node' },
    { executable: '/usr/bin/notnode' },
    { executable: '/opt/node/evil' },
  ])
    assert.is(only(both, processFrom(parts)).cause, '');
});

test('deleted-library: a replaced library is an upgrade, a deleted one is not, and young processes pass', () => {
  const of = (replaced: boolean) => ({
    maps: { deletedCode: { ...mappings(mapping('/usr/lib/a.so (deleted)')), replaced } },
  });
  assert.is(summed(only(factsFrom(of(true)))), 'deleted-library low replaced package-upgrade');
  assert.is(summed(only(factsFrom(of(false)))), 'deleted-library low gone');
  assert.is(verdicts(factsFrom({ ...of(false), ageSec: law.librarySec - 1 })).fail, 0);
  assert.is(verdicts(factsFrom({ ...of(false), ageSec: law.librarySec })).fail, 1);
});

test('overwritten-image: code without a file at a low address, or at the start address of the program', () => {
  const first = (parts: object) => ({
    maps: { first: { ...mapping('', 'r-xp', '400000'), anonymousCode: true, holdsCode: false, ...parts } },
  });
  assert.is(summed(only(factsFrom(first({})))), 'overwritten-image high');
  assert.is(
    summed(only(factsFrom(first({ start: '555555554000', holdsCode: true })))),
    'overwritten-image high',
  );
  // Code of a runtime, mapped at a random address below the program.
  assert.is(verdicts(factsFrom(first({ start: '16a2b3c4d000' }))).fail, 0);
  assert.is(verdicts(factsFrom(first({ anonymousCode: false, holdsCode: true }))).fail, 0);
  const chromium = processFrom({ executable: '/usr/lib/chromium/chromium' });
  assert.is(only(factsFrom(first({})), chromium).cause, 'browser-sandboxes');
});

test('shell-on-socket: any program counts, shells by name; units started for one connection are explained', () => {
  const socket = (address?: string, port = 40000) => ({
    fd: 0,
    target: 'socket:[7]',
    protocol: 'TCP',
    peer: address === undefined ? null : { address, port },
  });
  const facts = (unit = '', ...sockets: ReturnType<typeof socket>[]) =>
    factsFrom({ unit, descriptors: { standardSockets: sockets.length === 0 ? [socket()] : sockets } });
  assert.is(summed(only(facts())), 'shell-on-socket high program');
  for (const executable of [
    '/bin/sh',
    '/usr/bin/bash',
    '/usr/bin/dash (deleted)',
    '/usr/bin/python3.11',
    '/bin/busybox',
  ])
    assert.is(only(facts(), processFrom({ executable })).evidenceClass, 'shell', executable);
  for (const executable of ['/usr/bin/shred', '/usr/bin/fish-like', '/usr/sbin/sshd2'])
    assert.is(only(facts(), processFrom({ executable })).evidenceClass, 'program', executable);
  assert.is(only(facts(), processFrom({ executable: '/usr/sbin/in.tftpd' })).cause, 'inetd-units');
  for (const executable of ['/tmp/sshd', '/home/a/rsync', '/tmp/in.tftpd', '/tmp/usr/sbin/sshd'])
    assert.is(only(facts(), processFrom({ executable })).cause, '', executable);
  const shell = processFrom({ executable: '/bin/sh' });
  const unit = 'echo@3-127.0.0.1:7-127.0.0.1:40000.service';
  const six = 'echo@3-4711-2001:db8::1:7-2001:db8::2:40000.service';
  for (const found of [
    only(facts(unit, socket('127.0.0.1')), shell),
    only(facts(six, socket('2001:db8::2')), shell),
  ])
    assert.is(summed(found), 'shell-on-socket high socket-unit inetd-units');
  // A shell connected to another peer than the one the unit was started for.
  for (const found of [
    only(facts('getty@tty1.service'), shell),
    only(facts(unit), shell),
    only(facts(unit, socket('127.0.0.1', 40001)), shell),
    only(facts(unit, socket('127.0.0.1'), socket('203.0.113.7')), shell),
  ])
    assert.is(summed(found), 'shell-on-socket critical shell');
});

test('shell-on-socket: names the peer of the connection and its kind of network', () => {
  const socket = (fd: number, address?: string, port = 4444) => ({
    fd,
    target: `socket:[${fd}]`,
    protocol: 'TCP',
    peer: address === undefined ? null : { address, port },
  });
  const say = (...standardSockets: ReturnType<typeof socket>[]) => {
    const { summary, evidence } = only(factsFrom({ descriptors: { standardSockets } }));
    const { descriptors, peer, peer_is } = evidence;
    return { summary: summary.replace('quiet (pid 700) has its ', ''), descriptors, peer, peer_is };
  };
  const all = say(socket(0, '203.0.113.7'), socket(1, '203.0.113.7'), socket(2, '203.0.113.7'));
  assert.is(all.summary, 'input, output and error output connected to 203.0.113.7:4444');
  assert.is(all.descriptors, 'fd 0,1,2 → 203.0.113.7:4444');
  assert.equal([all.peer, all.peer_is], ['203.0.113.7:4444', 'the internet']);
  assert.is(say(socket(0, '2001:db8::7')).peer, '[2001:db8::7]:4444');
  assert.is(say(socket(0, '127.0.0.1')).peer_is, 'this machine');
  assert.is(say(socket(0, 'fe80::1')).peer_is, 'a private network');
  assert.is(say(socket(0, '172.31.0.1')).peer_is, 'a private network');
  assert.is(say(socket(0, '172.32.0.1')).peer_is, 'the internet');
  const two = say(socket(0, '10.0.0.1'), socket(1, '203.0.113.7', 22));
  assert.is(two.summary, 'input and output connected to 10.0.0.1:4444 and 203.0.113.7:22');
  const unknown = say(socket(0));
  assert.is(unknown.summary, 'input connected to a TCP socket whose other end is not known');
  assert.equal([unknown.peer, unknown.descriptors], ['', 'fd 0 → unknown']);
});

test('clipboard-reader: holders of input devices fail, and known tools by name', () => {
  const devices = [{ fd: 5, target: '/dev/input/event3' }];
  const facts = factsFrom({ descriptors: { devices } });
  assert.is(summed(only(facts)), 'clipboard-reader medium input-device');
  assert.is(only(facts, processFrom({ executable: '/usr/lib/xorg/Xorg' })).cause, 'display-servers');
  assert.is(
    only(facts, processFrom({ executable: '/usr/lib/systemd/systemd-logind' })).cause,
    'input-daemons',
  );
  assert.is(
    summed(only(factsFrom(), processFrom({ executable: '/usr/bin/xclip' }))),
    'clipboard-reader medium clipboard-tool',
  );
});

test('camera-or-microphone: cameras, capture devices and both fail, the keyboard does not', () => {
  const of = (...targets: string[]) =>
    factsFrom({ descriptors: { devices: targets.map((target, fd) => ({ fd, target })) } });
  assert.is(summed(only(of('/dev/video0'))), 'camera-or-microphone low camera');
  assert.is(summed(only(of('/dev/snd/pcmC0D0c'))), 'camera-or-microphone low microphone');
  assert.match(only(of('/dev/snd/pcmC0D0c', '/dev/video1')).summary, /camera and microphone/);
  assert.is(only(of('/dev/video0'), processFrom({ executable: '/usr/bin/pipewire' })).cause, 'call-software');
});

test('unreadable-process: a hung process is high and its other checks are blind, an empty command line is low', () => {
  const hung = verdicts(HUNG);
  assert.equal([hung.pass, hung.fail, hung.blind], [0, 1, PEEK_CHECKS.length - 1]);
  assert.is(summed(only(HUNG)), 'unreadable-process high blocks-readers');
  assert.is(summed(only(factsFrom({ emptyCommandLine: true }))), 'unreadable-process low empty-command-line');
});

test('unreadable facts make the checks that need them blind, with one note each, and keep their findings of that process', () => {
  const refusal = (code: string) => ({ errno: 13, code, source: 'maps' });
  const found = verdicts(factsFrom({ maps: refusal('EACCES'), environment: refusal('EACCES') }));
  const blind = ['preload-environment', 'writable-code', 'deleted-library', 'overwritten-image'];
  assert.equal(found.notes.map(({ check }) => check).sort(), blind.sort());
  assert.ok(found.notes.every(({ cure }) => /root/.test(cure)));
  assert.equal([found.pass, found.fail, found.blind], [PEEK_CHECKS.length - 4, 0, 4]);
  assert.ok(found.hidden('writable-code', processFrom()));
  assert.not.ok(found.hidden('writable-code', processFrom({ start: '701' })));
  assert.not.ok(found.hidden('shell-on-socket', processFrom()));
  assert.is(verdicts(BROKEN).blind, PEEK_CHECKS.length);
  for (const code of ['EFBIG', 'EIO', 'ESRCH'])
    assert.is(verdicts(factsFrom({ maps: refusal(code) })).blind, 3);
});

test.run();
