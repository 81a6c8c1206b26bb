/** Every check, one line each. */
import { bannedListener } from './banned-listener.ts';
import type { Check } from './check.ts';
import { deletedExecutable } from './deleted-executable.ts';
import { deviceNode } from './device-node.ts';
import { friedProcess } from './fried-process.ts';
import { hiddenPort } from './hidden-port.ts';
import { hiddenProcess } from './hidden-process.ts';
import { kernelTaint } from './kernel-taint.ts';
import { kernelThreadImpostor } from './kernel-thread-impostor.ts';
import { learningOpen } from './learning-open.ts';
import { memfdExecutable } from './memfd-executable.ts';
import { moduleViews } from './module-views.ts';
import { nameMismatch } from './name-mismatch.ts';
import { oddExecutablePath } from './odd-executable-path.ts';
import { orphanHelper } from './orphan-helper.ts';
import { orphanParent } from './orphan-parent.ts';
import { ownerlessSocket } from './ownerless-socket.ts';
import { packetSocket } from './packet-socket.ts';
import { preloadFile } from './preload-file.ts';
import { promiscuousInterface } from './promiscuous-interface.ts';
import { publicListener } from './public-listener.ts';
import { staleRuntimeFile } from './stale-runtime-file.ts';
import { traced } from './traced.ts';
import { unknownLocalListener } from './unknown-local-listener.ts';
import { unlearnedProcess } from './unlearned-process.ts';

export const CHECKS: readonly Check[] = [
  hiddenProcess,
  orphanParent,
  deletedExecutable,
  memfdExecutable,
  oddExecutablePath,
  kernelThreadImpostor,
  nameMismatch,
  preloadFile,
  traced,
  publicListener,
  unknownLocalListener,
  bannedListener,
  ownerlessSocket,
  hiddenPort,
  packetSocket,
  promiscuousInterface,
  unlearnedProcess,
  learningOpen,
  friedProcess,
  kernelTaint,
  moduleViews,
  deviceNode,
  staleRuntimeFile,
  orphanHelper,
];
