/** Whether this process sees listeners of other network namespaces: it enters them, or another process opens sockets there for it. */
import { accessSync, constants } from 'node:fs';
import { codeText } from '../base/error-code.ts';
import { NAMESPACES_SOCKET } from '../engine/native/foreign-types.ts';
import { hasStarter, starterTrouble } from './child.ts';
import { holds, ownPrivileges } from './own.ts';

/** They do not change after the start. */
let enters: boolean | undefined;

function mayEnter(): boolean {
  const own = ownPrivileges();
  return own !== null && holds(own, 'SYS_ADMIN', 'SYS_PTRACE');
}

/** Why it does not; "" when it does. */
export function namespacesTrouble(socket = NAMESPACES_SOCKET): string {
  if (hasStarter()) return starterTrouble();
  enters ??= mayEnter();
  if (enters) return '';
  try {
    accessSync(socket, constants.W_OK);
    return '';
  } catch (error) {
    return `${socket} cannot be used (${codeText(error)}), so listeners of containers are not seen: install the service with "sudo desk install --yes" or its package, and see "systemctl status desk-namespaces.socket"`;
  }
}
