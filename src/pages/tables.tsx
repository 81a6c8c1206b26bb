/** The process table and the listener table. */
import type { ListenerTable as Listeners, ProcessTable as Processes } from '../records/tables.ts';
import { BigTable, type BigTableShape } from './big-table.tsx';
import { Link, Soft, State, Time, type Tone } from './parts.tsx';

/** Letters of proc_pid_stat(5). */
const STATES: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  D: 'waiting for disk',
  Z: 'zombie',
  T: 'stopped',
  t: 'traced',
  W: 'paging',
  X: 'dead',
  x: 'dead',
  K: 'wakekill',
  P: 'parked',
  I: 'idle',
};
export const stateWord = (letter: string): string => STATES[letter] ?? 'unknown';

const WRAP_TONE: Readonly<Record<Processes['wrap'][number], Tone>> = {
  wrapped: 'good',
  free: 'calm',
  blind: 'warn',
  none: 'calm',
};
const KIND_WORD: Readonly<Record<Processes['kind'][number], string>> = {
  process: 'process',
  kernel: 'kernel thread',
  fried: 'zombie or dead',
};

const known = (value: string | number | null | undefined) => value ?? 'unknown';

const Path = ({ children }: { children: string }) => <span class="path">{children}</span>;

const processes: BigTableShape<Processes> = {
  id: 'processes',
  path: '/h7/processes',
  title: 'Processes',
  noun: ['process', 'processes'],
  command: 'desk spv antivirus once',
  searchHint: 'Filter by name, path, pid, user, state',
  sort: { key: 'findings', descending: true },
  identity: ({ pid }, row) => String(pid[row]),
  columns: [
    { key: 'pid', head: 'Pid', number: true, values: ({ pid }) => pid },
    { key: 'comm', head: 'Name', values: ({ comm }) => comm },
    {
      key: 'wrap',
      head: 'Confinement',
      values: ({ wrap, by }) => wrap.map((state, row) => `${state} ${by[row]}`),
      cell: ({ wrap, by }, row) => (
        <>
          <State tone={WRAP_TONE[wrap[row] ?? 'none']}>{wrap[row]}</State> <Soft>{by[row]}</Soft>
        </>
      ),
    },
    {
      key: 'executable',
      head: 'Executable',
      values: ({ executable }) => executable,
      cell: ({ executable }, row) => <Path>{executable[row] ?? ''}</Path>,
    },
    { key: 'uid', head: 'User', number: true, values: ({ uid }) => uid },
    { key: 'ppid', head: 'Parent', number: true, values: ({ ppid }) => ppid },
    {
      key: 'state',
      head: 'State',
      values: ({ state }) => state.map(stateWord),
      cell: ({ state }, row) => stateWord(state[row] ?? ''),
    },
    { key: 'threads', head: 'Threads', number: true, values: ({ threads }) => threads },
    {
      key: 'start',
      head: 'Started',
      values: ({ start }) => start,
      // The year is in the words about a row.
      cell: ({ start }, row) => (start[row] === null ? null : <Time at={start[row] ?? ''} part="yearless" />),
    },
    {
      key: 'findings',
      head: 'Findings',
      number: true,
      values: ({ findings }) => findings,
      cell: ({ findings }, row) =>
        (findings[row] ?? 0) > 0 ? <State tone="bad">{findings[row]}</State> : '0',
    },
  ],
  picks: [
    ['all', 'All', null],
    ['free', 'Free', ({ wrap }, row) => wrap[row] === 'free'],
    ['wrapped', 'Wrapped', ({ wrap }, row) => wrap[row] === 'wrapped'],
    ['blind', 'Blind', ({ wrap }, row) => wrap[row] === 'blind'],
    ['findings', 'With findings', ({ findings }, row) => (findings[row] ?? 0) > 0],
  ],
  searched: (one, row) => [
    one.pid[row] ?? '',
    one.comm[row] ?? '',
    one.executable[row] ?? '',
    one.uid[row] ?? '',
    stateWord(one.state[row] ?? ''),
    one.wrap[row] ?? '',
    one.by[row] ?? '',
    KIND_WORD[one.kind[row] ?? 'process'],
  ],
  detail: (one, row) => [
    ['Process', `${one.pid[row]} ${one.comm[row]}`],
    ['Executable', one.executable[row] || 'none, or unread'],
    ['Confinement', [one.wrap[row], one.by[row]].filter(Boolean).join(': ')],
    ['Kind', `${KIND_WORD[one.kind[row] ?? 'process']}${one.own[row] === 1 ? ', of the desk' : ''}`],
    ['State', stateWord(one.state[row] ?? '')],
    ['User', known(one.uid[row])],
    ['Parent', known(one.ppid[row])],
    ['Threads', known(one.threads[row])],
    ['Started', one.start[row] === null ? 'unknown' : <Time at={one.start[row] ?? ''} />],
    ['Open findings', known(one.findings[row])],
  ],
};

const ALLOWED: Readonly<Record<Listeners['allowed'][number], string>> = {
  desk: 'the desk itself',
  law: 'by law',
  baseline: 'learned',
  accepted: 'accepted',
  benign: 'benign',
  '': 'by nothing',
};

const listeners: BigTableShape<Listeners> = {
  id: 'listeners',
  path: '/h7/listeners',
  title: 'Listeners',
  noun: ['listener', 'listeners'],
  searchHint: 'Filter by port, address, path, pid, user',
  sort: { key: 'findings', descending: true },
  identity: ({ inode, protocol, port }, row) => `${protocol[row]} ${port[row]} ${inode[row]}`,
  columns: [
    { key: 'port', head: 'Port', number: true, values: ({ port }) => port },
    { key: 'protocol', head: 'Protocol', values: ({ protocol }) => protocol },
    { key: 'address', head: 'Address', values: ({ address }) => address },
    {
      key: 'scope',
      head: 'Reach',
      values: ({ scope }) => scope,
      cell: ({ scope }, row) => <State tone={scope[row] === 'public' ? 'warn' : 'calm'}>{scope[row]}</State>,
    },
    {
      key: 'executable',
      head: 'Executable',
      values: ({ executable }) => executable,
      cell: ({ executable, owner }, row) =>
        executable[row] ? <Path>{executable[row]}</Path> : <span class="soft">{owner[row]}</span>,
    },
    {
      key: 'pids',
      head: 'Held by',
      number: true,
      values: ({ pids }) => pids.map((held) => held[0] ?? null),
      cell: ({ pids }, row) => pids[row]?.join(', '),
    },
    { key: 'uid', head: 'User', number: true, values: ({ uid }) => uid },
    {
      key: 'allowed',
      head: 'Allowed',
      values: ({ allowed }) => allowed.map((by) => ALLOWED[by]),
      cell: ({ allowed }, row) => ALLOWED[allowed[row] ?? ''],
    },
    {
      key: 'findings',
      head: 'Findings',
      number: true,
      values: ({ findings }) => findings.map((ids) => ids.length),
      cell: ({ findings }, row) =>
        (findings[row]?.length ?? 0) > 0 ? <State tone="bad">{findings[row]?.length}</State> : '0',
    },
  ],
  picks: [
    ['all', 'All', null],
    ['public', 'Public', ({ scope }, row) => scope[row] === 'public'],
    ['loopback', 'Loopback', ({ scope }, row) => scope[row] === 'loopback'],
    ['unowned', 'Without owner', ({ owner }, row) => owner[row] !== 'held'],
    ['findings', 'With findings', ({ findings }, row) => (findings[row]?.length ?? 0) > 0],
  ],
  searched: (one, row) => [
    one.port[row] ?? '',
    one.protocol[row] ?? '',
    one.address[row] ?? '',
    one.scope[row] ?? '',
    one.executable[row] ?? '',
    one.pids[row]?.join(' ') ?? '',
    one.uid[row] ?? '',
    one.owner[row] ?? '',
    ALLOWED[one.allowed[row] ?? ''],
  ],
  detail: (one, row) => [
    ['Listener', `${one.protocol[row]} ${one.address[row]} port ${one.port[row]}`],
    ['Reach', one.scope[row]],
    ['Executable', one.executable[row] || 'unknown'],
    ['Held by', one.pids[row]?.length ? `pid ${one.pids[row]?.join(', ')}` : one.owner[row]],
    ['Made by user', known(one.uid[row])],
    ['Socket inode', known(one.inode[row])],
    ['Allowed', ALLOWED[one.allowed[row] ?? '']],
    [
      'Open findings',
      one.findings[row]?.length
        ? one.findings[row]?.map((id) => (
            <span key={id}>
              <Link to={`/findings/${id}`}>{id}</Link>{' '}
            </span>
          ))
        : 'none',
    ],
  ],
};

export const ProcessTable = () => <BigTable shape={processes} />;
export const ListenerTable = () => <BigTable shape={listeners} />;
