/** The privileges this process has, read from proc_pid_status(5). */
import { readFileSync } from 'node:fs';
import { CAPABILITY, type Capability } from './table.ts';

export interface OwnPrivileges {
  readonly uid: number;
  readonly permitted: bigint;
  readonly noNewPrivileges: boolean;
}

export function ownPrivileges(): OwnPrivileges | null {
  let status: string;
  try {
    status = readFileSync('/proc/self/status', 'latin1');
  } catch {
    return null;
  }
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return {
    uid: Number(field('Uid').split('\t')[1] ?? Number.NaN),
    permitted: BigInt(`0x${field('CapPrm') || '0'}`),
    noNewPrivileges: field('NoNewPrivs') === '1',
  };
}

export const holds = ({ permitted }: OwnPrivileges, ...names: readonly Capability[]): boolean =>
  names.every((name) => (permitted & (1n << BigInt(CAPABILITY[name]))) !== 0n);
