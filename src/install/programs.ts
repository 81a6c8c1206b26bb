/** Programs that an installation runs: systemctl(1), systemd-sysusers(8). */
import { spawnSync } from 'node:child_process';
import { shellWord } from '../base/shell-word.ts';
import { exit, Failure } from '../desk/failure.ts';

/** A start waits until the service is ready, or gives up (TimeoutStartSec= of the unit, which the service may extend). */
const PATIENCE_MS = 900_000;

export type Words = readonly [program: string, ...words: string[]];

/** For a service of the whole machine: root runs no program of a folder that the caller's PATH names. */
export function onlySystemPrograms(): void {
  process.env.PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
}

/** systemctl(1) for this manager. */
export const control = (manager: 'system' | 'user'): Words =>
  manager === 'system' ? ['systemctl'] : ['systemctl', '--user'];

export const commandText = (words: Words): string => words.map(shellWord).join(' ');

/** Runs a program to its end. @throws Failure when it cannot be started or ends with another code than 0; `remedy` says what to do then */
export function runProgram([program, ...words]: Words, remedy: string): void {
  const { error, status, signal, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error === undefined && status === 0) return;
  const why = error?.message ?? (stderr.trim() || `It ended with ${status ?? signal}.`);
  throw new Failure(exit.refused, `"${commandText([program, ...words])}" failed.`, why, remedy);
}

/** Whether a program ends with 0. */
export const succeeds = ([program, ...words]: Words): boolean =>
  spawnSync(program, words, { stdio: 'ignore', timeout: PATIENCE_MS }).status === 0;
