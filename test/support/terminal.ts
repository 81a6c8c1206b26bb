/** A program on a terminal made by python3, with what an emulator (xterm) shows of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import xterm from '@xterm/headless';
import { projectRoot } from './require.ts';

/**
 * Arguments: rows, columns, program. Commands on stdin, one a line: `keys HEX`, `size ROWS COLUMNS`, `modes`, `hangup`. On stdout
 * what the program prints; on stderr `pid N`, `modes HEX` (the attributes of termios(3)) at the start and when asked, `exit STATUS`.
 */
const DRIVER = `
import fcntl, os, pty, select, struct, sys, termios
def size(rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', int(rows), int(columns), 0, 0))
def tell(text):
    os.write(2, (text + '\\n').encode())
def modes():
    a = termios.tcgetattr(slave)
    tell('modes ' + repr(a[:6]).encode().hex())
fd, slave = pty.openpty()
size(sys.argv[1], sys.argv[2])
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for one in (0, 1, 2): os.dup2(slave, one)
    os.closerange(3, 64)
    os.execv(sys.argv[3], sys.argv[3:])
tell('pid %d' % pid)
modes()
waiting = b''
hung = False
while True:
    ready, _, _ = select.select([0] + ([] if hung else [fd]), [], [], 0.02)
    if fd in ready and not hung:
        try: os.write(1, os.read(fd, 65536))
        except OSError: pass
    if 0 in ready:
        data = os.read(0, 65536)
        if not data: os.kill(pid, 9)
        waiting += data
        while b'\\n' in waiting:
            line, waiting = waiting.split(b'\\n', 1)
            words = line.decode().split()
            if words[0] == 'keys': os.write(fd, bytes.fromhex(words[1]))
            elif words[0] == 'size': size(words[1], words[2])
            elif words[0] == 'modes': modes()
            elif words[0] == 'hangup':
                hung = True
                os.close(fd)
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        while not hung and select.select([fd], [], [], 0)[0]: os.write(1, os.read(fd, 65536))
        if not hung: modes()
        tell('exit %d' % os.waitstatus_to_exitcode(status))
        break
`;

/** An emulator of this size. */
export function emulator(columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  return {
    terminal,
    write: (text: string | Uint8Array): Promise<void> =>
      new Promise((resolve) => terminal.write(text, resolve)),
    /** What is on the screen, without the spaces at the end of lines. */
    lines: (): string[] =>
      Array.from({ length: terminal.rows }, (_, row) =>
        (terminal.buffer.active.getLine(row)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd(),
      ),
  };
}

export class OnTerminal implements AsyncDisposable {
  readonly screen: ReturnType<typeof emulator>;
  /** All that it printed. */
  text = '';
  /** The attributes of the terminal each time they were asked for; before the program first, after it last. */
  readonly modes: string[] = [];
  pid = 0;
  /** Exit status, negative for a signal; null while it runs. */
  status: number | null = null;
  readonly #child: ChildProcess;
  #written: Promise<void> = Promise.resolve();
  #heard: (() => void)[] = [];

  constructor(
    words: readonly string[],
    { columns, rows, env }: { columns: number; rows: number; env: Readonly<Record<string, string>> },
  ) {
    this.screen = emulator(columns, rows);
    this.#child = spawn('python3', ['-c', DRIVER, String(rows), String(columns), ...words], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (part: Buffer) => {
      this.text += part.toString('latin1');
      this.#written = this.#written.then(() => this.screen.write(part)).then(() => this.#hear());
    });
    let exited = Number.NaN;
    this.#child.on('close', () => void this.#written.then(() => this.#end(exited)));
    let lines = '';
    this.#child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      lines += part;
      const whole = lines.split('\n');
      lines = whole.pop() ?? '';
      for (const line of whole) {
        const [word, value = ''] = line.split(' ');
        if (word === 'pid') this.pid = Number(value);
        else if (word === 'modes') this.modes.push(value);
        else if (word === 'exit') exited = Number(value);
        else process.stderr.write(`${line}\n`);
      }
      this.#hear();
    });
  }

  #end(status: number): void {
    this.status = status;
    this.#hear();
  }

  #hear(): void {
    for (const resolve of this.#heard.splice(0)) resolve();
  }

  /** Resolves when it is so; it is asked again whenever something was heard. Rejects when the program has ended before. */
  async until(what: () => boolean): Promise<void> {
    while (!what()) {
      if (this.status !== null) throw new Error(`It ended (${this.status}): ${this.text.slice(-2000)}`);
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }

  /** Until a line of the screen has the text. */
  shows(text: string | RegExp): Promise<void> {
    return this.until(() =>
      this.screen.lines().some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line))),
    );
  }

  ended(): Promise<void> {
    return this.until(() => this.status !== null);
  }

  async askModes(): Promise<string> {
    const { length } = this.modes;
    this.#tell('modes');
    await this.until(() => this.modes.length > length);
    return this.modes.at(-1) as string;
  }

  keys(text: string): void {
    this.#tell(`keys ${Buffer.from(text).toString('hex')}`);
  }

  resize(columns: number, rows: number): void {
    this.screen.terminal.resize(columns, rows);
    this.#tell(`size ${rows} ${columns}`);
  }

  /** The terminal is closed, as when the window of an emulator is. */
  hangUp(): void {
    this.#tell('hangup');
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  #tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.on('error', () => undefined).end();
    await this.ended();
  }
}
