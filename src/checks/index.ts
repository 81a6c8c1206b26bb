/** Every check, one line each. */
import { bannedListener } from './banned-listener.ts';
import { baselineTampered } from './baseline-tampered.ts';
import type { Check } from './check.ts';
import { friedProcess } from './fried-process.ts';
import { kernelThreadImpostor } from './kernel-thread-impostor.ts';
import { learningOpen } from './learning-open.ts';
import { lostSight } from './lost-sight.ts';
import { orphanParent } from './orphan-parent.ts';
import { ownerlessSocket } from './ownerless-socket.ts';
import { publicListener } from './public-listener.ts';
import { traced } from './traced.ts';
import { unknownLocalListener } from './unknown-local-listener.ts';
import { unlearnedProcess } from './unlearned-process.ts';

export const CHECKS: readonly Check[] = [
  orphanParent,
  kernelThreadImpostor,
  traced,
  publicListener,
  unknownLocalListener,
  bannedListener,
  ownerlessSocket,
  unlearnedProcess,
  lostSight,
  learningOpen,
  baselineTampered,
  friedProcess,
];
