/** Every check, one line each. */
import { bannedListener } from './banned-listener.ts';
import { cameraOrMicrophone } from './camera-or-microphone.ts';
import type { Check } from './check.ts';
import { clipboardReader } from './clipboard-reader.ts';
import { deletedLibrary } from './deleted-library.ts';
import { friedProcess } from './fried-process.ts';
import { kernelThreadImpostor } from './kernel-thread-impostor.ts';
import { learningOpen } from './learning-open.ts';
import { offListEgress } from './off-list-egress.ts';
import { orphanParent } from './orphan-parent.ts';
import { overwrittenImage } from './overwritten-image.ts';
import { ownerlessSocket } from './ownerless-socket.ts';
import { preloadEnvironment } from './preload-environment.ts';
import { publicListener } from './public-listener.ts';
import { shellOnSocket } from './shell-on-socket.ts';
import { traced } from './traced.ts';
import { unknownLocalListener } from './unknown-local-listener.ts';
import { unlearnedProcess } from './unlearned-process.ts';
import { unreadableProcess } from './unreadable-process.ts';
import { writableCode } from './writable-code.ts';

export const CHECKS: readonly Check[] = [
  orphanParent,
  kernelThreadImpostor,
  preloadEnvironment,
  traced,
  writableCode,
  deletedLibrary,
  overwrittenImage,
  shellOnSocket,
  clipboardReader,
  cameraOrMicrophone,
  publicListener,
  unknownLocalListener,
  bannedListener,
  ownerlessSocket,
  offListEgress,
  unlearnedProcess,
  learningOpen,
  friedProcess,
  unreadableProcess,
];
