/** Every check, one line each. */
import { bannedListener } from './banned-listener.ts';
import { baselineTampered } from './baseline-tampered.ts';
import { cameraOrMicrophone } from './camera-or-microphone.ts';
import { changedProgram } from './changed-program.ts';
import type { Check } from './check.ts';
import { clipboardReader } from './clipboard-reader.ts';
import { deletedExecutable } from './deleted-executable.ts';
import { deletedLibrary } from './deleted-library.ts';
import { deviceNode } from './device-node.ts';
import { friedProcess } from './fried-process.ts';
import { hiddenPort } from './hidden-port.ts';
import { hiddenProcess } from './hidden-process.ts';
import { kernelTaint } from './kernel-taint.ts';
import { kernelThreadImpostor } from './kernel-thread-impostor.ts';
import { learningOpen } from './learning-open.ts';
import { lostSight } from './lost-sight.ts';
import { memfdExecutable } from './memfd-executable.ts';
import { moduleViews } from './module-views.ts';
import { nameMismatch } from './name-mismatch.ts';
import { oddExecutablePath } from './odd-executable-path.ts';
import { offListEgress } from './off-list-egress.ts';
import { orphanHelper } from './orphan-helper.ts';
import { orphanParent } from './orphan-parent.ts';
import { overwrittenImage } from './overwritten-image.ts';
import { ownerlessSocket } from './ownerless-socket.ts';
import { packagedFile } from './packaged-file.ts';
import { packetSocket } from './packet-socket.ts';
import { preloadEnvironment } from './preload-environment.ts';
import { preloadFile } from './preload-file.ts';
import { promiscuousInterface } from './promiscuous-interface.ts';
import { publicListener } from './public-listener.ts';
import { shellOnSocket } from './shell-on-socket.ts';
import { staleRuntimeFile } from './stale-runtime-file.ts';
import { startupEntry } from './startup-entry.ts';
import { traced } from './traced.ts';
import { unknownLocalListener } from './unknown-local-listener.ts';
import { unlearnedProcess } from './unlearned-process.ts';
import { unreadableProcess } from './unreadable-process.ts';
import { vitalSign } from './vital-sign.ts';
import { writableCode } from './writable-code.ts';

export const CHECKS: readonly Check[] = [
  hiddenProcess,
  orphanParent,
  deletedExecutable,
  memfdExecutable,
  oddExecutablePath,
  kernelThreadImpostor,
  nameMismatch,
  preloadFile,
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
  hiddenPort,
  packetSocket,
  promiscuousInterface,
  offListEgress,
  unlearnedProcess,
  changedProgram,
  lostSight,
  learningOpen,
  baselineTampered,
  friedProcess,
  kernelTaint,
  moduleViews,
  deviceNode,
  startupEntry,
  packagedFile,
  vitalSign,
  staleRuntimeFile,
  orphanHelper,
  unreadableProcess,
];
