/** Who listens where and whether that is allowed, the desk ports, the port that must stay down, connections out. */
import { BANNED_PORT } from '../../law/banned.ts';
import type { Intent } from '../intent.ts';
import type { ListenerFacts } from '../listener-rows.ts';
import { quoted } from '../paths.ts';
import { either, part, plain, plural, type Speech } from '../speech.ts';
import { isPort } from '../understand.ts';
import type { World } from '../world.ts';
import { namedIn } from './machine.ts';

const TOLD = 8;
/** Listeners of one port, and pids of one listener. */
const FEW = 4;

/** Who holds a listener. */
function sayListener(speech: Speech, row: string): void {
  const get = (key: keyof ListenerFacts) => speech.ground(`${row}.${key}`);
  const executable = get('executable');
  const pids = speech.rows(`${row}.pids`, FEW).map((pid) => speech.ground(pid));
  const where = part`${get('protocol')} ${get('address')} port ${get('port')}`;
  if (pids.length > 0)
    speech.say`${where} is held by ${executable.value === '' ? plain('a program whose executable could not be read') : executable} (pid ${speech.join(pids)}).`;
  else speech.say`${where}: the holder is ${get('owner')}.`;
}

/** Whether a listener is allowed, and by what. */
function sayAllowed(speech: Speech, world: World, row: string): void {
  const [by, findings] = [speech.ground(`${row}.allowed`), speech.ground(`${row}.findings.length`)];
  if (findings.value !== 0) {
    const id = speech.value<string>(`${row}.findings[0]`);
    speech.say`It is not allowed: ${speech.ground(`detection.findings[id=${id}].summary`)}.`;
    speech.suggest(`desk findings ${id}`);
  } else if (by.value === 'law') {
    const entry = world.lawEntryOf(speech.look(row) as ListenerFacts);
    speech.say`It is allowed by the ${by}${entry < 0 ? plain('') : part`: ${speech.ground(`law.listen[${entry}].why`)}`}.`;
    speech.suggest('desk law show');
  } else if (by.value === 'desk') speech.say`It is allowed: it belongs to the ${by} itself.`;
  else if (by.value === 'baseline') speech.say`It is allowed: the ${by} knows it.`;
  else if (by.value === '') speech.say`No check objects to it, though neither law nor baseline name it.`;
  else speech.say`It is excused, source ${by}.`;
}

export const port: Intent = {
  id: 'port',
  score: ({ question: { entities } }) => (entities.port === null ? 0 : 84),
  answer(speech, { question, world }) {
    const wanted = question.entities.port as number;
    if (!isPort(wanted)) {
      speech.say`There is no port ${plain(String(wanted))}; I cannot look there.`;
      return false;
    }
    speech.suggest('desk web check');
    const list = `listeners[port=${wanted}]`;
    const count = speech.ground(`${list}.length`);
    if (count.value === 0) {
      speech.say`Nobody listens on port ${plain(String(wanted))}: ${count} of ${speech.ground('listeners.length')} listeners.`;
      const down = speech.look(`page.ports[port=${wanted}].name`);
      if (down !== undefined)
        speech.say`It is the desk port ${speech.ground(`page.ports[port=${wanted}].name`)} and is down. ${speech.ground(`page.ports[port=${wanted}].reason`)}.`;
      return true;
    }
    for (const row of speech.rows(list, FEW)) {
      sayListener(speech, row);
      sayAllowed(speech, world, row);
    }
    return true;
  },
};

function sayVirus(speech: Speech): void {
  const up = speech.ground('av.datacenter_port_8766.up');
  const state = speech.ground('av.datacenter_port_8766.status');
  const number = speech.ground('page.banned.port');
  if (up.value === true) speech.say`Port ${number} must stay down and is up.`;
  else if (state.value === 'failed') speech.say`Whether port ${number} is up could not be looked at.`;
  else speech.say`Port ${number} is down, as it must be (state ${state}).`;
}

export const virus: Intent = {
  id: 'virus',
  score: ({ question }) => (question.entities.port === BANNED_PORT ? 86 : question.has('virus') ? 60 : 0),
  answer(speech) {
    sayVirus(speech);
    const list = `listeners[port=${BANNED_PORT}]`;
    speech.ground(`${list}.length`);
    for (const row of speech.rows(list, 2)) sayListener(speech, row);
    const id = speech.look<string>(`${list}[0].findings[0]`);
    if (id !== undefined) speech.suggest(`desk findings ${id}`);
    speech.suggest('desk av close once');
    return true;
  },
};

export const ports: Intent = {
  id: 'ports',
  score: ({ question }) => (question.has('port') && question.entities.port === null ? 54 : 0),
  answer(speech) {
    const [up, all] = [speech.ground('status.ports_up'), speech.ground('status.ports_n')];
    speech.say`${up} of ${all} desk ports are up.`;
    const list = speech.look<readonly { readonly port: number }[]>('page.ports') ?? [];
    for (const { port: number } of list.slice(0, 2 * TOLD)) {
      const row = `page.ports[port=${number}]`;
      const reason = speech.ground(`${row}.reason`);
      const stands = speech.ground(`${row}.up`);
      speech.say`Port ${speech.ground(`${row}.port`)} (${speech.ground(`${row}.name`)}) is ${either(stands, 'up', 'down')}${stands.value === true || reason.value === '' ? plain('') : part`: ${reason}`}.`;
    }
    speech.suggest('desk web check');
    return true;
  },
};

export const listeners: Intent = {
  id: 'listeners',
  score: (asked) => {
    const { question } = asked;
    if (!question.has('listen') || question.entities.port !== null) return 0;
    return namedIn(asked).length > 0 ? 69 : 60;
  },
  answer(speech, asked) {
    const [first] = namedIn(asked);
    speech.suggest('desk web check', 'desk findings');
    if (first !== undefined) {
      const executable = speech.look<string>(`processes[${first[0]}=${quoted(first[1])}].executable`) ?? '';
      const list = `listeners[executable=${quoted(executable)}]`;
      const count = speech.ground(`${list}.length`);
      if (count.value === 0)
        speech.say`${speech.ground(`processes[${first[0]}=${quoted(first[1])}].executable`)} holds no listener (${count}).`;
      return sayList(speech, list);
    }
    if (asked.question.has('outside')) {
      speech.say`${speech.ground('charge.antivirus.public_n')} listeners are bound beyond loopback, distinct by protocol, port and executable.`;
      speech.ground('listeners[scope=public].length');
      return sayList(speech, 'listeners[scope=public]');
    }
    speech.say`There are ${speech.ground('listeners.length')} listeners, ${speech.ground('listeners[scope=public].length')} of them beyond loopback.`;
    return sayList(speech, 'listeners');
  },
};

function sayList(speech: Speech, list: string): boolean {
  const rows = speech.rows(list, TOLD + 1);
  for (const row of rows.slice(0, TOLD)) sayListener(speech, row);
  if (rows.length > TOLD) speech.say`There are more.`;
  return true;
}

export const egress: Intent = {
  id: 'egress',
  score: ({ question }) => (question.has('connection') ? 55 : 0),
  answer(speech) {
    const [https, outside] = [
      speech.ground('detection.egress.desk_https'),
      speech.ground('detection.egress.outside_h'),
    ];
    speech.say`Processes of the desk hold ${https} ${plural(https, 'connection', 'connections')} that count, ${outside} of them off the allowlist; what counts: ${speech.ground('fields[path=detection.egress].meaning')}.`;
    speech.say`The allowlist names ${speech.ground('config.egress.allow.length')} places. Connections of other programs are not looked at.`;
    speech.suggest('desk findings');
    return true;
  },
};

/** A question about a machine that is not this one. */
export const elsewhere: Intent = {
  id: 'elsewhere',
  score: ({ question, world }) => {
    const { ip } = question.entities;
    if (
      ip !== null &&
      !world.listeners.some(({ address }) => address === ip) &&
      question.any('listen', 'port', 'process', 'well', 'run', 'up')
    )
      return 93;
    const text = question.text;
    const named =
      /\b(?:machine|server|host|computer|rechner|serveur|servidor|maschine|m[aá]quina)\s+(?:named |called |namens )?["']?([a-z][\w.]*[-\d.][\w.-]*)/iu.exec(
        text,
      )?.[1];
    if (named !== undefined && world.processes.named([named]).length === 0) return 88;
    return /\b(?:neighbou?r|nachbar|laptop|phone|handy|router|other (?:machine|computer|server)|andere[nrs]? (?:rechner|server)|voisin|vecino|google|amazon)\b/iu.test(
      text,
    )
      ? 88
      : 0;
  },
  answer(speech) {
    speech.say`I watch this machine alone and know nothing of another one.`;
    speech.suggest('desk status');
    return false;
  },
};
