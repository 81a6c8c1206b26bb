/** Processes: one by its pid, some by name, those that are not wrapped, the dead ones. */

import { either, part, plain, plural, type Speech } from '../answer-builder.ts';
import type { Asked, Intent } from '../intent.ts';
import { quoted } from '../paths.ts';
import type { ProcessFacts } from '../process-rows.ts';
import type { World } from '../query-context.ts';
import { isPid, isPort, type Understood } from '../understand.ts';
import { sayPort } from './network.ts';

const TOLD = 8;
const MOST_NUMBERS = 4;

/** How a process is confined, one sentence. */
function sayWrap(speech: Speech, row: string): void {
  const [wrap, by, pid] = [
    speech.ground(`${row}.wrap`),
    speech.ground(`${row}.by`),
    speech.ground(`${row}.pid`),
  ];
  if (wrap.value === 'wrapped')
    speech.say`Process ${pid} is wrapped, by ${by.value === '' ? plain('what its leader does not show') : by}.`;
  else if (wrap.value === 'free')
    speech.say`Process ${pid} is not wrapped: its weakest thread runs without confinement.`;
  else if (wrap.value === 'blind')
    speech.say`How process ${pid} is confined could not be read (${by}): that is blind, not clean.`;
}

function sayProcess(speech: Speech, row: string): void {
  const get = (key: keyof ProcessFacts) => speech.ground(`${row}.${key}`);
  const kind = get('kind');
  if (kind.value === 'kernel') {
    speech.say`Process ${get('pid')} is a kernel thread, ${get('comm')}.`;
    return;
  }
  const parent = get('ppid');
  const parentName = `processes[pid=${String(parent.value)}].comm`;
  const named = speech.look(parentName) === undefined ? plain('') : part` (${speech.ground(parentName)})`;
  if (kind.value === 'fried') {
    get('uid');
    get('wrap');
    speech.say`Process ${get('pid')} (${get('comm')}) is a zombie or dead, state ${get('state')}: it has ended and its parent, process ${parent}${named}, has not taken note.`;
    return;
  }
  const [executable, start, threads] = [get('executable'), get('start'), get('threads')];
  speech.say`Process ${get('pid')} is ${get('comm')}, ${executable.value === '' ? plain('whose executable could not be read') : executable}, uid ${get('uid')}, ${threads} ${plural(threads, 'thread', 'threads')}.`;
  speech.say`It started at ${start}, from process ${parent}${named}.`;
  if (get('own').value === 1) speech.say`It belongs to the desk itself.`;
  sayWrap(speech, row);
}

function sayFindings(speech: Speech, world: World, pid: number): void {
  const ids = world.findingsOf(pid);
  speech.ground(`processes[pid=${pid}].findings`);
  if (ids.length === 0) speech.say`No finding is about it.`;
  for (const id of ids.slice(0, TOLD)) {
    const row = `detection.findings[id=${id}]`;
    speech.say`${speech.ground(`${row}.severity`)}: ${speech.ground(`${row}.summary`)}.`;
    if (speech.look(`${row}.remedy`) !== '') speech.say`What to do: ${speech.ground(`${row}.remedy`)}.`;
    speech.suggest(`desk findings ${id}`);
  }
}

const ALONE = /^(?:(?:what|tell me|who|was ist|what's|what is|und)\s*(?:about|is|mit)?\s+)?#?\d+[\s?!.]*$/iu;

export const process_: Intent = {
  id: 'process',
  score: ({ question, world }) => {
    const { pids, number } = question.entities;
    if (pids.length > 0) return 85;
    // A number alone is a process, if there is one of that number.
    return number !== null &&
      ALONE.test(question.text) &&
      world.read(`processes[pid=${number}].pid`) !== undefined
      ? 47
      : 0;
  },
  answer(speech, { question, world }) {
    const { pids, number } = question.entities;
    return sayPids(speech, world, pids.length > 0 ? pids : [number as number]);
  },
};

/** True when one of them is there. */
export function sayPids(speech: Speech, world: World, pids: readonly number[]): boolean {
  speech.suggest('desk spv antivirus once');
  const there = pids.filter((pid) => isPid(pid) && speech.look(`processes[pid=${pid}].pid`) !== undefined);
  for (const pid of pids) {
    if (there.includes(pid)) {
      sayProcess(speech, `processes[pid=${pid}]`);
      sayFindings(speech, world, pid);
      continue;
    }
    const count = speech.ground('processes.length');
    if (isPid(pid)) speech.ground(`processes[pid=${pid}].length`);
    speech.say`There is no process ${plain(String(pid))} now; ${count} are there, kernel threads counted.`;
  }
  return there.length > 0;
}

/** False when neither a process nor a listener has it. */
function sayNumber(speech: Speech, world: World, wanted: number): boolean {
  const listens = isPort(wanted) && Number(speech.ground(`listeners[port=${wanted}].length`).value) > 0;
  if (listens) sayPort(speech, world, wanted);
  if (speech.look(`processes[pid=${wanted}].pid`) !== undefined) return sayPids(speech, world, [wanted]);
  if (!listens)
    speech.say`Neither a process nor a listener has the number ${plain(String(wanted))}, among ${speech.ground('processes.length')} and ${speech.ground('listeners.length')}.`;
  return listens;
}

/** A number and next to nothing else: a process, a port, or both. */
export const number: Intent = {
  id: 'number',
  score: ({ question: { entities, words, names } }) =>
    entities.number !== null && entities.ip === null && names.length === 0 && words.length < 6 ? 43 : 0,
  answer(speech, { question, world }) {
    const wanted = (question.text.match(/(?<![\w.])\d{1,10}(?![\w.])/g) ?? [])
      .slice(0, MOST_NUMBERS)
      .map(Number);
    return wanted.map((one) => sayNumber(speech, world, one)).includes(true);
  },
};

const UID =
  /\b(?:user|uid|benutzer|utilisateur|usuario)\s*(?:id)?\s*[=:#]?\s*(\d{1,10})\b|\b(?:by|as|of|to|from|does|von|als|par|por|user|benutzer|utilisateur|usuario) (root)\b/iu;
/** Every machine has one user whose name tells the number. */
const uidIn = (text: string): number => {
  const [, uid, root] = UID.exec(text) ?? [];
  return root === undefined ? Number(uid) : 0;
};

/** What a user runs. */
export const user: Intent = {
  id: 'user',
  score: (asked) => {
    const { question } = asked;
    const [, uid, root] = UID.exec(question.text) ?? [];
    if (uid !== undefined) return 86;
    // "Does nginx run as root" is about nginx.
    return root !== undefined && question.any('process', 'run') && namedIn(asked).length === 0 ? 86 : 0;
  },
  answer(speech, { question }) {
    const list = `processes[uid=${uidIn(question.text)}]`;
    const count = speech.ground(`${list}.length`);
    speech.say`The user of that uid runs ${count} ${plural(count, 'process', 'processes')}.`;
    const rows = speech.rows(list, TOLD);
    for (const row of rows)
      speech.say`Pid ${speech.ground(`${row}.pid`)} is ${speech.ground(`${row}.comm`)}.`;
    if (Number(count.value) > rows.length) speech.say`There are more.`;
    speech.suggest('desk spv antivirus once');
    return true;
  },
};

const COMMAND_LINE =
  /\b(?:command line|cmdline|kommandozeile|ligne de commande|linea de comandos|arguments|argv)\b/;

/** What of a process is neither kept nor served. */
export const withheld: Intent = {
  id: 'withheld',
  score: ({ question }) => {
    const asked = question.has('environment') || question.says(COMMAND_LINE);
    return asked &&
      (question.has('process') || question.entities.pids.length > 0 || question.entities.number !== null)
      ? 92
      : 0;
  },
  answer(speech) {
    speech.say`I cannot say: a command line and an environment may hold secrets, so I read neither. Command lines are kept for the processes of findings only, with secrets masked: the command below shows them. Of an environment only loader variables are looked at.`;
    speech.suggest('desk findings');
    return false;
  },
};

/** How running processes are called that the question names, at most three. */
export function namedIn({ question, world }: Asked): readonly (readonly ['comm' | 'executable', string])[] {
  if (question.names.length === 0) {
    const said = question.any('process', 'run', 'wrap', 'unwrapped');
    return said ? world.processes.named(question.unlikelyNames.slice(0, 3)) : [];
  }
  const found = world.processes.named(question.names);
  return (
    found.length > 0 ? found : world.processes.named(question.names.map((name) => name.toLowerCase()))
  ).slice(0, 3);
}

const CALLS =
  /^(?:is|are|what|about|tell|me|running|lauft|laufen|der|die|le|el|prozess|process|called|named|it|and|how|wrapped|up)$/;

const fewWords = ({ words }: Understood): boolean => words.filter((word) => !CALLS.test(word)).length <= 3;

export const named: Intent = {
  id: 'named',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.pids.length > 0) return 0;
    if (question.names.length === 0) return namedIn(asked).length > 0 ? 66 : 0;
    const unknown =
      question.any('run', 'up') &&
      question.names.length === 1 &&
      !question.any('mail', 'site', 'link', 'magazine', 'change', 'find')
        ? 44
        : 0;
    if (namedIn(asked).length === 0) {
      const [name = ''] = question.names;
      const confined = question.any('wrap', 'unwrapped');
      const likely = question.names.length === 1 && (confined || fewWords(question));
      return likely && asked.world.processes.nearly(name) !== null ? (confined ? 68 : 44) : unknown;
    }
    if (question.has('wrap') || question.has('unwrapped')) return 68;
    return question.any('run', 'up', 'process', 'find') || fewWords(question) ? 66 : 40;
  },
  answer(speech, asked) {
    const found = namedIn(asked);
    speech.suggest('desk spv antivirus once');
    if (found.length === 0) {
      const name = String(asked.question.names[0]);
      speech.say`No process of the name "${plain(name)}" runs now, among ${speech.ground('processes.length')}. A name is a command name or the last part of an executable's path.`;
      const near = asked.world.processes.nearly(name);
      if (near === null) return false;
      const list = `processes[comm=${quoted(near)}]`;
      const count = speech.ground(`${list}.length`);
      speech.say`Nearly that name has ${speech.ground(`${list}[0].comm`)}, of which there ${plural(count, 'is', 'are')} ${count}.`;
      sayProcess(speech, `${list}[0]`);
      return true;
    }
    for (const [key, name] of found) {
      const list = `processes[${key}=${quoted(name)}]`;
      const count = speech.ground(`${list}.length`);
      const rows = speech.rows(list, TOLD);
      const pids = rows.map((row) => speech.ground(`${row}.pid`));
      speech.say`${count} ${plural(count, 'process is', 'processes are')} called ${speech.ground(`${list}[0].${key}`)}: pid ${speech.join(pids)}${plain(Number(count.value) > rows.length ? ' and more' : '')}.`;
      sayProcess(speech, `${list}[0]`);
      const free = rows.filter((row) => speech.value(`${row}.wrap`) === 'free');
      if (free.length > 0 && free.length < rows.length)
        speech.say`Not wrapped are pid ${speech.join(free.map((row) => speech.ground(`${row}.pid`)))}.`;
      sayFindings(speech, asked.world, Number(pids[0]?.value));
    }
    return true;
  },
};

export const unwrapped: Intent = {
  id: 'unwrapped',
  score: ({ question }) => {
    if (question.has('wrap') && (question.has('self') || question.words.includes('service'))) return 67;
    return question.any('wrap', 'unwrapped') ? 62 : 0;
  },
  answer(speech, { question }) {
    const own = speech.ground('av.live.always_wrap');
    if (question.has('self') || question.words.includes('service'))
      speech.say`The service itself is ${either(own, 'wrapped', 'not wrapped')}.`;
    const [free, all, wrapped] = [
      speech.ground('status.iron.spv_free'),
      speech.ground('charge.antivirus.spv_pids'),
      speech.ground('charge.antivirus.spv_wrapped'),
    ];
    speech.say`Of ${all} user-space processes ${wrapped} are wrapped and ${free} are not.`;
    const blind = speech.ground('live.counts.wrap_blind');
    if (blind.value !== 0) speech.say`The confinement of ${blind} could not be read.`;
    const rows = speech.rows('processes[wrap=free]', TOLD);
    if (rows.length > 0) {
      const told = rows.map((row) => part`${speech.ground(`${row}.comm`)} (${speech.ground(`${row}.pid`)})`);
      speech.say`Not wrapped, with pid: ${plain(told.map(({ text }) => text).join(', '))}${plain(Number(free.value) > rows.length ? ' and more' : '')}.`;
    }
    speech.suggest('desk spv antivirus once');
    return true;
  },
};

export const fried: Intent = {
  id: 'fried',
  score: ({ question }) => (question.has('fried') ? 62 : 0),
  answer(speech) {
    const count = speech.ground('av.live.fried');
    speech.say`There ${plural(count, 'is', 'are')} ${count} zombie or dead ${plural(count, 'process', 'processes')}.`;
    speech.ground('processes[kind=fried].length');
    for (const row of speech.rows('processes[kind=fried]', TOLD))
      speech.say`Pid ${speech.ground(`${row}.pid`)} is ${speech.ground(`${row}.comm`)}, child of ${speech.ground(`${row}.ppid`)}.`;
    speech.suggest('desk findings');
    return true;
  },
};

export const processes: Intent = {
  id: 'processes',
  score: ({ question }) => (question.has('process') ? (question.has('count') ? 52 : 33) : 0),
  answer(speech) {
    const [all, user] = [speech.ground('processes.length'), speech.ground('charge.antivirus.spv_pids')];
    speech.say`There are ${all} processes; ${user} of them are user-space processes, the others kernel threads, zombies or dead.`;
    speech.say`${speech.ground('charge.antivirus.spv_wrapped')} are wrapped and ${speech.ground('status.iron.spv_free')} are not; ${speech.ground('status.iron.bgf')} have no controlling terminal.`;
    speech.suggest('desk stats', 'desk spv antivirus once');
    return true;
  },
};
