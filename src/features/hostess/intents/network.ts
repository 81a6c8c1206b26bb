/** Who listens where and whether that is allowed, the desk ports, the port that must stay down, connections out. */
import { BANNED_PORT } from '../../../law/banned.ts';
import { either, part, plain, plural, type Speech } from '../answer-builder.ts';
import type { Asked, Intent } from '../intent.ts';
import type { ListenerFacts } from '../listener-rows.ts';
import { quoted } from '../paths.ts';
import type { World } from '../query-context.ts';
import { SINCE_START } from '../times.ts';
import { isPort, type Understood } from '../understand.ts';
import { sayUnjudged } from './judged.ts';
import { namedIn, sayPids } from './machine.ts';
import { HOW_TO, SETTING } from './sought.ts';
import { TELL } from './tell.ts';

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
  // Of a process and a port both are told.
  score: ({ question: { entities } }) =>
    entities.ports.length === 0 ? 0 : entities.pids.length > 0 ? 85.5 : 84,
  answer(speech, asked) {
    const {
      question: { entities, text, says },
      world,
    } = asked;
    const known = entities.ports.map((wanted) => sayPort(speech, world, wanted, /\d/.test(text)));
    // How one of the desk is moved: by its key.
    if (says(HOW_TO) && says(SETTING))
      for (const name of ['control', 'office', 'public', 'themed'])
        if (entities.ports.includes(world.read(`config.listen.${name}.port`) as number))
          TELL.key(speech, `listen.${name}.port`, asked);
    const there = entities.pids.length > 0 && sayPids(speech, world, entities.pids);
    return there || known.includes(true);
  },
};

/** False when there is no such port. `said`: the question has its number. */
export function sayPort(speech: Speech, world: World, wanted: number, said = true): boolean {
  if (!isPort(wanted)) {
    speech.say`There is no port ${plain(String(wanted))}; I cannot look there.`;
    return false;
  }
  speech.suggest('desk web check');
  if (wanted === BANNED_PORT) sayVirus(speech);
  const list = `listeners[port=${wanted}]`;
  const count = speech.ground(`${list}.length`);
  if (count.value === 0) {
    const down = `page.ports[port=${wanted}]`;
    // A service may have been asked for by its name: then no number was said.
    const number =
      speech.look(`${down}.name`) === undefined
        ? plain(said ? String(wanted) : 'of that name')
        : speech.ground(`${down}.port`);
    if (speech.look('page.ports_known') === false)
      speech.say`I saw nothing listen on port ${number}, and not every listener could be looked at: ${speech.ground('page.ports_known')} for ports_known.`;
    else {
      speech.say`Nothing listens on port ${number}: ${count} of ${speech.ground('listeners.length')} listeners.`;
      if (speech.look(`${down}.name`) !== undefined)
        speech.say`It is the desk port ${speech.ground(`${down}.name`)} and is down. ${speech.ground(`${down}.reason`)}.`;
    }
  }
  for (const row of speech.rows(list, FEW)) {
    sayListener(speech, row);
    sayAllowed(speech, world, row);
  }
  return true;
}

function sayVirus(speech: Speech): void {
  const up = speech.ground('av.datacenter_port_8766.up');
  const state = speech.ground('av.datacenter_port_8766.status');
  const number = speech.ground('page.banned.port');
  if (up.value === true) speech.say`Port ${number} must stay down and is up.`;
  else if (state.value === 'failed') speech.say`Whether port ${number} is up could not be looked at.`;
  else speech.say`Port ${number} is down, as it must be (state ${state}).`;
}

const BANS = /\b(?:ban(?:s|ned)|forbid\w*|verb\w+|interdi\w+|prohib\w+)\b/;

export const virus: Intent = {
  id: 'virus',
  score: ({ question: { entities, has } }) => {
    if (entities.ports.length === 1 && entities.ports[0] === BANNED_PORT && entities.pids.length === 0)
      return 86;
    return has('virus') ? 60 : 0;
  },
  answer(speech, { question }) {
    sayVirus(speech);
    const list = `listeners[port=${BANNED_PORT}]`;
    speech.ground(`${list}.length`);
    if (question.has('law') || question.says(BANS)) speech.say`The law bans ${speech.ground('law.banned')}.`;
    for (const row of speech.rows(list, 2)) sayListener(speech, row);
    if (question.says(HOW_TO))
      speech.say`${speech.ground('commands[name=av close].usage')}: ${speech.ground('commands[name=av close].summary')}.`;
    const id = speech.look<string>(`${list}[0].findings[0]`);
    if (id !== undefined) speech.suggest(`desk findings ${id}`);
    if (question.entities.ports.length === 0) {
      // Who asks for viruses asks for more than a port.
      const [count, scars] = [speech.ground('detection.findings.length'), speech.ground('scar.scar_count')];
      speech.say`I know no viruses by name: what that port means is one thing, beside it ${count} ${plural(count, 'finding is open', 'findings are open')}, ${scars} of them ${plural(scars, 'a scar', 'scars')}.`;
      sayUnjudged(speech, null);
      speech.suggest('desk findings');
    }
    speech.suggest('desk av close once');
    return true;
  },
};

/** The port of the desk that the question names: the office, the control service. */
function deskPortIn({ question, world }: Asked): number | undefined {
  const configured = world.read('page.ports') as readonly { readonly port: number; readonly name: string }[];
  return configured.find(({ name }) => question.words.includes(name.toLowerCase()))?.port;
}

export const deskPort: Intent = {
  id: 'desk-port',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.ports.length > 0 || !question.any('port', 'listen', 'up', 'down', 'run', 'why'))
      return 0;
    if (
      question.any('outside', 'mail', 'certificate', 'link', 'connection', 'site') ||
      namedIn(asked).length > 0
    )
      return 0;
    return deskPortIn(asked) === undefined ? 0 : 62.6;
  },
  answer: (speech, asked) => sayPort(speech, asked.world, deskPortIn(asked) as number),
};

export const ports: Intent = {
  id: 'ports',
  score: ({ question }) => (question.has('port') && question.entities.ports.length === 0 ? 54 : 0),
  answer(speech) {
    const [up, all] = [speech.ground('status.ports_up'), speech.ground('status.ports_n')];
    speech.say`${up} of ${all} desk ports are up.`;
    const list = speech.look<readonly { readonly port: number }[]>('page.ports') ?? [];
    for (const { port: number } of list.slice(0, 2 * TOLD)) {
      const row = `page.ports[port=${number}]`;
      const reason = speech.ground(`${row}.reason`);
      const stands = speech.ground(`${row}.up`);
      const down = speech.look(`${row}.known`) === false ? 'unknown' : 'down';
      speech.say`Port ${speech.ground(`${row}.port`)} (${speech.ground(`${row}.name`)}) is ${either(stands, 'up', down)}${stands.value === true || reason.value === '' ? plain('') : part`: ${reason}`}.`;
    }
    speech.suggest('desk web check');
    return true;
  },
};

/** What lies outside too, and is no listener. */
const ELSEWHERE = [
  'site',
  'magazine',
  'mail',
  'connection',
  'certificate',
  'name_service',
  'link',
  'future',
  'people',
] as const;
const KNOWN = /\b(?:know[ns]?|expect(?:s|ed)?|learned|kennt|bekannt|connait|connu\w*|conoce\w*)\b/;
const unallowed = ({ has, says }: Understood): boolean =>
  has('unlearned') || has('find', 'listen') || has('allowed', 'not') || (has('not') && says(KNOWN));
/** An address that the question names and a listener is bound to. */
const boundTo = ({ question: { entities }, world }: Asked): string | null =>
  entities.ip !== null && world.listeners.some(({ address }) => address === entities.ip) ? entities.ip : null;
const LOOPBACK = /\b(?:loopback|localhost|local|internal\w*|lokal\w*|locale?s?|interne?\w*)\b/;

export const listeners: Intent = {
  id: 'listeners',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.ports.length > 0) return 0;
    const listens = question.has('listen');
    if (boundTo(asked) !== null) return 60;
    if (unallowed(question) && question.any('listen', 'port')) return 62.5;
    const outside =
      question.has('outside') || question.says(/\b(?:to|from) (?:the )?(?:whole |entire )?world\b/);
    if (outside && !question.any(...ELSEWHERE)) return namedIn(asked).length > 0 ? 69 : 56;
    if ((listens || question.has('outside')) && namedIn(asked).length > 0) return 69;
    return listens || question.has('port', 'outside') || question.says(/\b(?:udp|tcp) (?:ports?|sockets?)\b/)
      ? 60
      : 0;
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
      return sayList(speech, list, asked.world);
    }
    if (asked.question.has('outside') || asked.question.says(/\bworld\b/)) {
      const distinct = speech.ground('charge.antivirus.public_n');
      speech.say`${distinct} ${plural(distinct, 'listener is', 'listeners are')} bound beyond loopback, distinct by protocol, port and executable.`;
      speech.ground('listeners[scope=public].length');
      return sayList(speech, 'listeners[scope=public]');
    }
    if (unallowed(asked.question)) {
      const found = asked.world.listeners.flatMap(({ findings }, at) =>
        findings.length > 0 ? [`listeners[${at}]`] : [],
      );
      speech.say`Of ${speech.ground('listeners.length')} listeners those that a finding is about are not allowed; findings about listeners beyond loopback: ${speech.ground('detection.findings[check=public-listener].length')}, on loopback: ${speech.ground('detection.findings[check=unknown-local-listener].length')}, on banned ports: ${speech.ground('detection.findings[check=banned-listener].length')}.`;
      for (const row of found.slice(0, TOLD)) {
        sayListener(speech, row);
        sayAllowed(speech, asked.world, row);
      }
      return true;
    }
    if (asked.question.says(LOOPBACK)) {
      speech.say`${speech.ground('listeners[scope=loopback].length')} of ${speech.ground('listeners.length')} listeners are bound to loopback.`;
      return sayList(speech, 'listeners[scope=loopback]');
    }
    const address = boundTo(asked);
    if (address !== null) {
      const list = `listeners[address=${address}]`;
      speech.say`${speech.ground(`${list}.length`)} of ${speech.ground('listeners.length')} listeners are bound to ${plain(address)}.`;
      return sayList(speech, list);
    }
    const protocol = /\b(?:udp|tcp)\b/.exec(asked.question.plain)?.[0];
    if (protocol !== undefined) {
      const list = `listeners[protocol=${protocol}]`;
      speech.say`${speech.ground(`${list}.length`)} of ${speech.ground('listeners.length')} listeners are ${plain(protocol)}.`;
      return sayList(speech, list);
    }
    speech.say`There are ${speech.ground('listeners.length')} listeners, ${speech.ground('listeners[scope=public].length')} of them beyond loopback.`;
    return sayList(speech, 'listeners', asked.question.has('allowed') ? asked.world : undefined);
  },
};

/** With the world: whether each is allowed too. */
function sayList(speech: Speech, list: string, world?: World): boolean {
  const rows = speech.rows(list, TOLD + 1);
  for (const row of rows.slice(0, TOLD)) {
    sayListener(speech, row);
    if (world !== undefined) sayAllowed(speech, world, row);
  }
  if (rows.length > TOLD) speech.say`There are more.`;
  return true;
}

/** How many connections were made, by the counters of the kernel. */
export const connections: Intent = {
  id: 'connections',
  score: ({ question }) =>
    question.has('connection') &&
    (question.has('accepted') || question.says(/\bboot\b/) || question.says(SINCE_START))
      ? 61
      : 0,
  answer(speech) {
    speech.say`Since boot ${speech.ground('status.iron.EZZIE')} TCP connections were opened here and ${speech.ground('status.iron.ESSIE')} accepted, in this network namespace.`;
    speech.suggest('desk stats');
    return true;
  },
};

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

/** "Paul's server", "le serveur de Paul". */
const OWNED =
  /\b\p{Lu}[\p{L}-]{1,40}['’]s (?:machine|server|computer|box|pc|mac)\b|\b(?:machine|server|computer|rechner|maschine|serveur|ordinateur|servidor|ordenador) (?:of|von|de|d') ?\p{Lu}\p{L}+/u;

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
    if (OWNED.test(text)) return 88;
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
