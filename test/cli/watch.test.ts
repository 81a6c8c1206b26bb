/** `desk watch` on a terminal: it uses the alternate screen and always restores it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { liveView } from '../../src/records/live.ts';
import { page } from '../../src/records/page.ts';
import { FakeService } from '../support/cli.ts';
import { deskWords } from '../support/entry.ts';
import { needs, projectRoot } from '../support/require.ts';
import { findingFrom, stateFrom } from '../support/state.ts';

const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';
const SIZE = { rows: 24, columns: 80 };

const test = suite('watch');
const service = new FakeService();
test.before(() => service.start());
test.after(() => service.stop());

const findings = Array.from({ length: 40 }, (_, index) =>
  findingFrom({
    id: String(index).padStart(16, '0'),
    severity: 'high',
    summary: `process ${index} is traced by a program with a long name, of which there is much to be said`,
  }),
);
const state = stateFrom({ findings });
const bodies: Readonly<Record<string, () => unknown>> = {
  '/h7/live': () => liveView.assemble({ state, ageMs: 1, before: null }),
  '/h7/page': () => page.assemble(state),
};

/** Runs it on a terminal made by python3; prints the pid of the desk first. */
const ON_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', ${SIZE.rows}, ${SIZE.columns}, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
sys.stderr.write('%d\\n' % pid); sys.stderr.flush()
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    os.write(1, data)
os.waitpid(pid, 0)
`;

interface Watched {
  readonly child: ChildProcess;
  readonly pid: number;
  text(): string;
  /** Resolves when the text was printed this many times. */
  says(part: string, times?: number): Promise<void>;
}

async function watch(): Promise<Watched> {
  service.answer = ({ path }) => ({ body: bodies[path]?.() });
  const words = [process.execPath, ...deskWords(), 'watch', '--every', '100'];
  const child = spawn('python3', ['-c', ON_TERMINAL, ...words], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...service.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    child.emit('said');
  });
  const [pid] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string];
  const says = async (part: string, times = 1): Promise<void> => {
    while (text.split(part).length - 1 < times) await once(child, 'said');
  };
  return { child, pid: Number(pid), text: () => text, says };
}

/** A process that is continued before it has stopped then stops for good. */
async function stopped(pid: number): Promise<void> {
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await delay(10);
}

const define = needs('python3');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  define(test, `${signal} restores the terminal`, async () => {
    const { child, pid, says, text } = await watch();
    const ended = once(child, 'close');
    await says('Ctrl-C ends', 2);
    process.kill(pid, signal);
    await ended;
    assert.is(text().indexOf(ENTER), text().lastIndexOf(ENTER));
    assert.ok(text().lastIndexOf(LEAVE) > text().lastIndexOf('Ctrl-C ends'));
  });

define(test, 'suspending restores the terminal, and continuing takes it again', async () => {
  const { child, pid, says } = await watch();
  const ended = once(child, 'close');
  await says('Ctrl-C ends');
  process.kill(pid, 'SIGTSTP');
  await says(LEAVE);
  await stopped(pid);
  process.kill(pid, 'SIGCONT');
  await says(ENTER, 2);
  await says('Ctrl-C ends', 3);
  process.kill(pid, 'SIGINT');
  await ended;
});

define(test, 'when the service ends, the reason is printed on the normal screen', async () => {
  const { child, says, text } = await watch();
  const ended = once(child, 'close');
  await says('Ctrl-C ends');
  service.answer = () => 'no desk';
  await ended;
  assert.match(text().slice(text().lastIndexOf(LEAVE)), /does not answer/);
});

define(test, 'on a terminal of 80 by 24 the verdict is always the first line', async () => {
  const { child, pid, says, text } = await watch();
  const ended = once(child, 'close');
  await says('Ctrl-C ends', 2);
  process.kill(pid, 'SIGINT');
  await ended;
  const [, frame = ''] = text().split('\u001b[H');
  const lines = frame.split('\r\n');
  assert.match(lines[0] ?? '', /^The desk is not well: 40 scars/);
  assert.ok(lines.length <= SIZE.rows, String(lines.length));
});

test.run();
