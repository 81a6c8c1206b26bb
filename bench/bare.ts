/** A bare server of bench/rounds, the peer of a route of the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ask, until } from '../test/real/running.ts';
import { freePorts } from '../test/support/free-ports.ts';
import { project } from './compiled.ts';

interface Bare extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/** Starts it with its port and `words`; resolves when it answers `path` with 200. */
export async function startBare(program: string, words: readonly string[], path: string): Promise<Bare> {
  const [port = 0] = await freePorts(1);
  const server = join(project, 'bench/rounds', program);
  const child = spawn(process.execPath, ['--import', 'tsx', server, String(port), ...words], {
    cwd: project,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const exited = once(child, 'exit');
  const dispose = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const answers = () =>
    ask(port, path).then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await until(answers, 'the bare server');
  } catch (error) {
    await dispose();
    throw error;
  }
  return { pid: child.pid as number, port, [Symbol.asyncDispose]: dispose };
}
