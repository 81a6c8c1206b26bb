/** Processes: one by its pid, some by name, those that are not wrapped, the dead ones. */

import type { ProcessRow } from '../../../records/process-columns.ts';
import { type AnswerBuilder, counted, either, part, plain, plural } from '../answer-builder.ts';
import { isProgramName } from '../families.ts';
import { plainOf } from '../grammar/read.ts';
import { LANGUAGES, vocabulary } from '../grammar/vocabulary.ts';
import type { Intent, Query } from '../intent.ts';
import { quoted } from '../paths.ts';
import type { Named } from '../process-rows.ts';
import type { QueryContext } from '../query-context.ts';
import { isPid, isPort, type Question } from '../understand.ts';
import { sayPort } from './network.ts';

const MOST_SHOWN = 8;
const MOST_NUMBERS = 4;

/** How a process is confined, one sentence. */
function sayWrap(out: AnswerBuilder, row: string): void {
  const [wrap, by, pid] = [out.ground(`${row}.wrap`), out.ground(`${row}.by`), out.ground(`${row}.pid`)];
  if (wrap.value === 'wrapped')
    out.say`Process ${pid} is wrapped, by ${by.value === '' ? plain('what its leader does not show') : by}.`;
  else if (wrap.value === 'free')
    out.say`Process ${pid} is not wrapped: its weakest thread runs without confinement.`;
  else if (wrap.value === 'blind')
    out.say`How process ${pid} is confined could not be read (${by}): that is blind, not clean.`;
}

function sayProcess(out: AnswerBuilder, row: string): void {
  const get = out.at<keyof ProcessRow>(row);
  const kind = get('kind');
  if (kind.value === 'kernel') {
    out.say`Process ${get('pid')} is a kernel thread, ${get('comm')}.`;
    return;
  }
  const parent = get('ppid');
  const parentName = `processes[pid=${String(parent.value)}].comm`;
  const named = out.read(parentName) === undefined ? plain('') : part` (${out.ground(parentName)})`;
  if (kind.value === 'fried') {
    get('uid');
    get('wrap');
    out.say`Process ${get('pid')} (${get('comm')}) is a zombie or dead, state ${get('state')}: it has ended and its parent, process ${parent}${named}, has not taken note.`;
    return;
  }
  const [executable, start, threads] = [get('executable'), get('start'), get('threads')];
  out.say`Process ${get('pid')} is ${get('comm')}, ${executable.value === '' ? plain('whose executable could not be read') : executable}, uid ${get('uid')}, ${counted(threads, 'thread', 'threads')}.`;
  out.say`It started at ${start}, from process ${parent}${named}.`;
  if (get('own').value === 1) out.say`It belongs to the desk itself.`;
  sayWrap(out, row);
}

function sayFindings(out: AnswerBuilder, context: QueryContext, pid: number): void {
  const ids = context.findingsOf(pid);
  out.ground(`processes[pid=${pid}].findings`);
  if (ids.length === 0) out.say`No finding is about it.`;
  for (const id of ids.slice(0, MOST_SHOWN)) {
    const row = `detection.findings[id=${id}]`;
    const get = out.at(row);
    out.say`${get('severity')}: ${get('summary')}.`;
    if (out.read(`${row}.remedy`) !== '') out.say`What to do: ${get('remedy')}.`;
    out.suggest(`desk findings ${id}`);
  }
}

const ALONE = /^(?:(?:what|tell me|who|was ist|what's|what is|und)\s*(?:about|is|mit)?\s+)?#?\d+[\s?!.]*$/iu;

export const process_: Intent = {
  id: 'process',
  score: ({ question, context }) => {
    const { pids, number } = question.entities;
    if (pids.length > 0) return 85;
    // A number alone is a pid, if a process has it.
    return number !== null &&
      ALONE.test(question.text) &&
      context.read(`processes[pid=${number}].pid`) !== undefined
      ? 47
      : 0;
  },
  answer(out, { question, context }) {
    const { pids, number } = question.entities;
    return sayPids(out, context, pids.length > 0 ? pids : [number as number]);
  },
};

/** True when one of them exists. */
export function sayPids(out: AnswerBuilder, context: QueryContext, pids: readonly number[]): boolean {
  out.suggest('desk spv antivirus once');
  const there = pids.filter((pid) => isPid(pid) && out.read(`processes[pid=${pid}].pid`) !== undefined);
  for (const pid of pids) {
    if (there.includes(pid)) {
      sayProcess(out, `processes[pid=${pid}]`);
      sayFindings(out, context, pid);
      continue;
    }
    const count = out.ground('processes.length');
    if (isPid(pid)) out.ground(`processes[pid=${pid}].length`);
    out.say`Process ${plain(String(pid))} does not exist now; ${count} do, kernel threads counted.`;
  }
  return there.length > 0;
}

/** False when neither a process nor a listener has it. */
function sayNumber(out: AnswerBuilder, context: QueryContext, wanted: number): boolean {
  const listens = isPort(wanted) && Number(out.ground(`listeners[port=${wanted}].length`).value) > 0;
  if (listens) sayPort(out, context, wanted);
  if (out.read(`processes[pid=${wanted}].pid`) !== undefined) return sayPids(out, context, [wanted]);
  if (!listens)
    out.say`Neither a process nor a listener has the number ${plain(String(wanted))}, among ${out.ground('processes.length')} and ${out.ground('listeners.length')}.`;
  return listens;
}

/** A number with few other words: a pid, a port, or both. */
export const number: Intent = {
  id: 'number',
  score: ({ question: { entities, words, names } }) =>
    entities.number !== null && entities.ip === null && names.length === 0 && words.length < 6 ? 43 : 0,
  answer(out, { question, context }) {
    const wanted = (question.text.match(/(?<![\w.])\d{1,10}(?![\w.])/g) ?? [])
      .slice(0, MOST_NUMBERS)
      .map(Number);
    return wanted.map((one) => sayNumber(out, context, one)).includes(true);
  },
};

const COMMAND_LINE =
  /\b(?:command line|cmdline|kommandozeile|ligne de commande|linea de comandos|arguments|argv)\b/;

/** Data of processes that is neither kept nor served. */
export const withheld: Intent = {
  id: 'withheld',
  score: ({ question }) => {
    const asked = question.has('environment') || question.says(COMMAND_LINE);
    return asked &&
      (question.has('process') || question.entities.pids.length > 0 || question.entities.number !== null)
      ? 92
      : 0;
  },
  answer(out) {
    out.say`I cannot say: a command line and an environment may hold secrets, so I read neither. Command lines are kept for the processes of findings only, with secrets masked: the command below shows them. Of an environment only loader variables are checked.`;
    out.suggest('desk findings');
    return false;
  },
};

/** Names of running processes in the question, at most three. */
export function namedIn({ question, context: { processes } }: Query): readonly Named[] {
  const { names, unlikelyNames } = question;
  if (names.length === 0)
    return question.any('process', 'run', 'wrap', 'unwrapped')
      ? processes.named(unlikelyNames.slice(0, 3))
      : [];
  const found = processes.named(names);
  return (found.length > 0 ? found : processes.named(names.map((name) => name.toLowerCase()))).slice(0, 3);
}

const CALLS =
  /^(?:is|are|what|about|tell|me|running|lauft|laufen|der|die|le|el|prozess|process|called|named|it|and|how|wrapped|up)$/;

const fewWords = ({ words }: Question): boolean => words.filter((word) => !CALLS.test(word)).length <= 3;

const isVocabulary = (name: string): boolean =>
  LANGUAGES.some((language) => vocabulary(language).single.has(plainOf(name))) && !isProgramName(name);

export const named: Intent = {
  id: 'named',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.pids.length > 0) return 0;
    // A word of questions is no name, where nothing is called so.
    const isWord = question.names.every((name) => isVocabulary(name));
    if (question.names.length > 0 && isWord && namedIn(asked).length === 0) return 0;
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
      return likely && asked.context.processes.nearly(name) !== null ? (confined ? 68 : 44) : unknown;
    }
    if (question.has('wrap') || question.has('unwrapped')) return 68;
    return question.any('run', 'up', 'process', 'find') || fewWords(question) ? 66 : 40;
  },
  answer(out, asked) {
    const found = namedIn(asked);
    out.suggest('desk spv antivirus once');
    if (found.length === 0) {
      const name = String(asked.question.names[0]);
      out.say`No process of the name "${plain(name)}" runs now, among ${out.ground('processes.length')}. A name is a command name or the last part of an executable's path.`;
      const near = asked.context.processes.nearly(name);
      if (near === null) return false;
      const list = `processes[comm=${quoted(near)}]`;
      const count = out.ground(`${list}.length`);
      out.say`Nearly that name has ${out.ground(`${list}[0].comm`)}, of which there ${plural(count, 'is', 'are')} ${count}.`;
      sayProcess(out, `${list}[0]`);
      return true;
    }
    for (const [key, name] of found) {
      const list = `processes[${key}=${quoted(name)}]`;
      const count = out.ground(`${list}.length`);
      const rows = out.rows(list, MOST_SHOWN);
      const pids = rows.map((row) => out.ground(`${row}.pid`));
      out.say`${counted(count, 'process is', 'processes are')} called ${out.ground(`${list}[0].${key}`)}: pid ${out.join(pids, count.value)}.`;
      sayProcess(out, `${list}[0]`);
      const free = rows.filter((row) => out.value(`${row}.wrap`) === 'free');
      if (free.length > 0 && free.length < rows.length)
        out.say`Not wrapped are pid ${out.join(free.map((row) => out.ground(`${row}.pid`)))}.`;
      sayFindings(out, asked.context, Number(pids[0]?.value));
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
  answer(out, { question }) {
    const own = out.ground('av.live.always_wrap');
    if (question.has('self') || question.words.includes('service'))
      out.say`The service itself is ${either(own, 'wrapped', 'not wrapped')}.`;
    const [free, all, wrapped] = [
      out.ground('status.iron.spv_free'),
      out.ground('charge.antivirus.spv_pids'),
      out.ground('charge.antivirus.spv_wrapped'),
    ];
    out.say`Of ${all} user-space processes ${wrapped} are wrapped and ${free} are not.`;
    const blind = out.ground('live.counts.wrap_blind');
    if (blind.value !== 0) out.say`The confinement of ${blind} could not be read.`;
    const rows = out.rows('processes[wrap=free]', MOST_SHOWN);
    if (rows.length > 0) {
      const named = rows.map((row) => part`${out.ground(`${row}.comm`)} (${out.ground(`${row}.pid`)})`);
      out.say`Not wrapped, with pid: ${out.join(named, free.value)}.`;
    }
    out.suggest('desk spv antivirus once');
    return true;
  },
};

export const fried: Intent = {
  id: 'fried',
  score: ({ question }) => (question.has('fried') ? 62 : 0),
  answer(out) {
    const count = out.ground('av.live.fried');
    out.say`There ${plural(count, 'is', 'are')} ${count} zombie or dead ${plural(count, 'process', 'processes')}.`;
    out.ground('processes[kind=fried].length');
    for (const get of out.items('processes[kind=fried]', MOST_SHOWN))
      out.say`Pid ${get('pid')} is ${get('comm')}, child of ${get('ppid')}.`;
    out.suggest('desk findings');
    return true;
  },
};

export const processes: Intent = {
  id: 'processes',
  score: ({ question }) => (question.has('process') ? (question.has('count') ? 52 : 33) : 0),
  answer(out) {
    const [all, user] = [out.ground('processes.length'), out.ground('charge.antivirus.spv_pids')];
    out.say`There are ${all} processes; ${user} of them are user-space processes, the others kernel threads, zombies or dead.`;
    out.say`${out.ground('charge.antivirus.spv_wrapped')} are wrapped and ${out.ground('status.iron.spv_free')} are not; ${out.ground('status.iron.bgf')} have no controlling terminal.`;
    out.suggest('desk stats', 'desk spv antivirus once');
    return true;
  },
};
