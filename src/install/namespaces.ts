/**
 * The units of desk-namespaces, which opens sockets in other network namespaces, and those of process events, for a service under an
 * account of its own (native/start/namespaces.h, docs/decisions/namespaces.md). desk.service wants the socket, and stops both when it stops. Pure.
 */
import { NAMESPACES_SOCKET } from '../engine/native/foreign-types.ts';
import { commandLine, UNIT_MARKER, unitWord } from './unit-syntax.ts';

export const NAMESPACES_UNITS = {
  socket: 'desk-namespaces.socket',
  service: 'desk-namespaces.service',
} as const;

/** `account`: the user of desk.service, who alone may connect and is answered. @throws RangeError for a name that no unit file can hold */
export const namespacesSocketText = (account: string): string => `${UNIT_MARKER}
[Unit]
Description=Hostess Desk: where desk.service asks for sockets of other network namespaces and of process events
Documentation=man:desk(1)
PartOf=desk.service

[Socket]
ListenSequentialPacket=${NAMESPACES_SOCKET}
SocketUser=${unitWord(account)}
SocketMode=0600
Backlog=16
RemoveOnStop=yes
`;

/** `starter`: absolute path of desk-start. @throws RangeError for a path that no unit file can hold */
export const namespacesServiceText = (starter: string): string => `${UNIT_MARKER}
[Unit]
Description=Hostess Desk: opens sockets of other network namespaces and of process events for desk.service
Documentation=man:desk(1)
PartOf=desk.service
Requires=${NAMESPACES_UNITS.socket}
After=${NAMESPACES_UNITS.socket}

[Service]
ExecStart=${commandLine([starter, 'namespaces'])}
DynamicUser=yes
AmbientCapabilities=CAP_SYS_ADMIN CAP_NET_ADMIN
CapabilityBoundingSet=CAP_SYS_ADMIN CAP_NET_ADMIN
NoNewPrivileges=yes
TimeoutStopSec=2
LimitCORE=0
LimitNOFILE=64
TasksMax=8
MemoryMax=32M
UMask=0077
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictNamespaces=net
RestrictAddressFamilies=AF_NETLINK
RestrictRealtime=yes
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources @aio @ipc @keyring @memlock @setuid @timer
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
IPAddressDeny=any
PrivateNetwork=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
KeyringMode=private
`;
