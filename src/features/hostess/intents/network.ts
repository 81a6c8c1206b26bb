/** Who listens where and whether that is allowed, the desk ports, the port that must stay down, connections out. */
import { LISTENER_ROLES } from '../../../config/schema.ts';
import { BANNED_PORT } from '../../../policy/banned.ts';
import type { ListenerRow } from '../../../records/listener-columns.ts';
import { type AnswerBuilder, counted, either, ours, part, plain, plural } from '../answer-builder.ts';
import { plainOf } from '../grammar/read.ts';
import type { Intent, Query } from '../intent.ts';
import { quoted } from '../paths.ts';
import type { QueryContext } from '../query-context.ts';
import { SINCE_START } from '../times.ts';
import { isPort, type Question } from '../understand.ts';
import { HOW_TO, SETTING } from './by-meaning.ts';
import { EXPLAIN } from './explain.ts';
import { unknown } from './fact.ts';
import { sayUnjudged } from './judged.ts';
import { namedIn, sayPids } from './machine.ts';
import { NO_CONNECTIONS } from './machine-facts.ts';

const MOST_SHOWN = 8;
/** Listeners of one port, and pids of one listener. */
const FEW = 4;

/** Who holds a listener. */
function sayListener(out: AnswerBuilder, row: string): void {
  const get = out.at<keyof ListenerRow>(row);
  const executable = get('executable');
  const pids = out.rows(`${row}.pids`, FEW).map((pid) => out.ground(pid));
  const where = part`${get('protocol')} ${get('address')} port ${get('port')}`;
  if (pids.length > 0)
    out.say`${where} is held by ${executable.value === '' ? ours('a program whose executable could not be read') : executable} (pid ${out.join(pids)}).`;
  else out.say`${where}: the holder is ${get('owner')}.`;
}

/** Whether a listener is allowed, and by what. */
function sayAllowed(out: AnswerBuilder, context: QueryContext, row: string): void {
  const [by, findings] = [out.ground(`${row}.allowed`), out.ground(`${row}.findings.length`)];
  if (findings.value !== 0) {
    const id = out.value<string>(`${row}.findings[0]`);
    out.say`It is not allowed: ${out.ground(`detection.findings[id=${id}].summary`)}.`;
    out.suggest(`desk findings ${id}`);
  } else if (by.value === 'law') {
    const entry = context.lawEntryOf(out.read(row) as ListenerRow);
    out.say`It is allowed by the ${by}${entry < 0 ? plain('') : part`: ${out.ground(`law.listen[${entry}].why`)}`}.`;
    out.suggest('desk law show');
  } else if (by.value === 'desk') out.say`It is allowed: it belongs to the ${by} itself.`;
  else if (by.value === 'baseline') out.say`It is allowed: the ${by} knows it.`;
  else if (by.value === '') out.say`No check objects to it, though neither law nor baseline name it.`;
  else out.say`It is allowed, source ${by}.`;
}

/** With a context: whether each is allowed too. */
function sayListeners(out: AnswerBuilder, rows: readonly string[], context?: QueryContext): void {
  for (const row of rows) {
    sayListener(out, row);
    if (context !== undefined) sayAllowed(out, context, row);
  }
}

export const port: Intent = {
  id: 'port',
  // A process and a port are both answered.
  score: ({ question: { entities } }) =>
    entities.ports.length === 0 ? 0 : entities.pids.length > 0 ? 85.5 : 84,
  answer(out, asked) {
    const {
      question: { entities, text, says },
      context,
    } = asked;
    const known = entities.ports.map((wanted) =>
      sayPort(out, context, wanted, text.includes(String(wanted))),
    );
    // A port of the desk is changed by its configuration key.
    if (says(HOW_TO) && says(SETTING))
      for (const name of LISTENER_ROLES)
        if (entities.ports.includes(context.read(`config.listen.${name}.port`) as number))
          EXPLAIN.key(out, `listen.${name}.port`, asked);
    const there = entities.pids.length > 0 && sayPids(out, context, entities.pids);
    return there || known.includes(true);
  },
};

/** False for an invalid port. `said`: the question has its number. */
export function sayPort(out: AnswerBuilder, context: QueryContext, wanted: number, said = true): boolean {
  if (!isPort(wanted)) {
    out.say`There is no port ${plain(String(wanted))}; I cannot check it.`;
    return false;
  }
  out.suggest('desk web check');
  if (wanted === BANNED_PORT) sayVirus(out);
  const list = `listeners[port=${wanted}]`;
  const count = out.ground(`${list}.length`);
  if (count.value === 0) {
    const down = `page.ports[port=${wanted}]`;
    const get = out.at(down);
    const isListed = out.read(`${down}.name`) !== undefined;
    // A service asked for by name: the question has no number.
    if (!isListed && !said) out.put('computed', { port: wanted });
    const number = isListed ? get('port') : said ? plain(String(wanted)) : out.ground('computed.port');
    if (out.read('page.ports_known') === false)
      out.say`I saw nothing listen on port ${number}, and not every listener could be read: ${out.ground('page.ports_known')} for ports_known.`;
    else {
      out.say`Nothing listens on port ${number}: ${count} of ${out.ground('listeners.length')} listeners.`;
      const law = out.read<readonly { readonly ports: readonly number[] }[]>('law.listen') ?? [];
      const entry = law.findIndex(({ ports }) => ports.includes(wanted));
      if (entry >= 0)
        out.say`Allowed: ${out.ground(`law.listen[${entry}].protocol`)} port ${out.ground(`law.listen[${entry}].ports`)}, ${out.ground(`law.listen[${entry}].scope`)}: ${out.ground(`law.listen[${entry}].why`)}.`;
      if (isListed) out.say`It is the desk port ${get('name')} and is down. ${get('reason')}.`;
    }
  }
  sayListeners(out, out.rows(list, FEW), context);
  return true;
}

function sayVirus(out: AnswerBuilder): void {
  const up = out.ground('av.datacenter_port_8766.up');
  const state = out.ground('av.datacenter_port_8766.status');
  const number = out.ground('page.banned.port');
  if (up.value === true) out.say`Port ${number} must stay down and is up.`;
  else if (state.value === 'failed') out.say`Whether port ${number} is up could not be checked.`;
  else out.say`Port ${number} is down, as it must be (state ${state}).`;
}

const BANS = /\b(?:ban(?:s|ned)|forbid\w*|verb\w+|interdi\w+|prohib\w+)\b/;

export const virus: Intent = {
  id: 'virus',
  score: ({ question: { entities, has } }) => {
    if (entities.ports.length === 1 && entities.ports[0] === BANNED_PORT && entities.pids.length === 0)
      return 86;
    return has('virus') ? 60 : 0;
  },
  answer(out, { question }) {
    sayVirus(out);
    const list = `listeners[port=${BANNED_PORT}]`;
    out.ground(`${list}.length`);
    if (question.has('law') || question.says(BANS)) out.say`The law bans ${out.ground('law.banned')}.`;
    sayListeners(out, out.rows(list, 2));
    if (question.says(HOW_TO))
      out.say`${out.ground('commands[name=av close].usage')}: ${out.ground('commands[name=av close].summary')}.`;
    const id = out.read<string>(`${list}[0].findings[0]`);
    if (id !== undefined) out.suggest(`desk findings ${id}`);
    if (question.entities.ports.length === 0) {
      // The question is about more than a port.
      const [count, scars] = [out.ground('detection.findings.length'), out.ground('scar.scar_count')];
      out.say`I know no viruses by name: what that port means is one thing, beside it ${counted(count, 'finding is open', 'findings are open')}, ${scars} of them ${plural(scars, 'a scar', 'scars')}.`;
      sayUnjudged(out, null);
      out.suggest('desk findings');
    }
    out.suggest('desk av close once');
    return true;
  },
};

/** The port of the desk that the question names: the office, the control service. */
function deskPortIn({ question, context }: Query): number | undefined {
  const configured = context.read('page.ports') as readonly {
    readonly port: number;
    readonly name: string;
  }[];
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
  answer: (out, asked) => sayPort(out, asked.context, deskPortIn(asked) as number),
};

export const ports: Intent = {
  id: 'ports',
  score: ({ question }) => (question.has('port') && question.entities.ports.length === 0 ? 54 : 0),
  answer(out) {
    const [up, all] = [out.ground('status.ports_up'), out.ground('status.ports_n')];
    out.say`${up} of ${all} desk ports are up.`;
    const list = out.read<readonly { readonly port: number }[]>('page.ports') ?? [];
    for (const { port: number } of list.slice(0, 2 * MOST_SHOWN)) {
      const row = `page.ports[port=${number}]`;
      const get = out.at(row);
      const reason = get('reason');
      const isUp = get('up');
      const down = out.read(`${row}.known`) === false ? 'unknown' : 'down';
      out.say`Port ${get('port')} (${get('name')}) is ${either(isUp, 'up', down)}${isUp.value === true || reason.value === '' ? plain('') : part`: ${reason}`}.`;
    }
    out.suggest('desk web check');
    return true;
  },
};

/** Outside too, but not listeners. */
const ofOtherSubject = ({ any }: Question): boolean =>
  any('site', 'magazine', 'mail', 'connection', 'certificate', 'name_service', 'link', 'future', 'people');
const KNOWN = /\b(?:know[ns]?|expect(?:s|ed)?|learned|kennt|bekannt|connait|connu\w*|conoce\w*)\b/;
const unallowed = ({ has, says }: Question): boolean =>
  has('unlearned') || has('find', 'listen') || has('allowed', 'not') || (has('not') && says(KNOWN));
/** The address of the question, if a listener is bound to it. */
const boundTo = ({ question: { entities }, context }: Query): string | null =>
  entities.ip !== null && context.listeners.some(({ address }) => address === entities.ip)
    ? entities.ip
    : null;
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
    if (outside && !ofOtherSubject(question)) return namedIn(asked).length > 0 ? 69 : 56;
    if ((listens || question.has('outside')) && namedIn(asked).length > 0) return 69;
    return listens || question.has('port', 'outside') || question.says(/\b(?:udp|tcp) (?:ports?|sockets?)\b/)
      ? 60
      : 0;
  },
  answer(out, asked) {
    const [first] = namedIn(asked);
    out.suggest('desk web check', 'desk findings');
    if (first !== undefined) {
      const executable = out.read<string>(`processes[${first[0]}=${quoted(first[1])}].executable`) ?? '';
      const list = `listeners[executable=${quoted(executable)}]`;
      const count = out.ground(`${list}.length`);
      if (count.value === 0)
        out.say`${out.ground(`processes[${first[0]}=${quoted(first[1])}].executable`)} holds no listener (${count}).`;
      return sayList(out, list, asked.context);
    }
    if (asked.question.has('outside') || asked.question.says(/\bworld\b/)) {
      const distinct = out.ground('charge.antivirus.public_n');
      out.say`${counted(distinct, 'listener is', 'listeners are')} bound beyond loopback, distinct by protocol, port and executable.`;
      out.ground('listeners[scope=public].length');
      return sayList(out, 'listeners[scope=public]');
    }
    if (unallowed(asked.question)) {
      const found = asked.context.listeners.flatMap(({ findings }, at) =>
        findings.length > 0 ? [`listeners[${at}]`] : [],
      );
      out.say`Of ${out.ground('listeners.length')} listeners those that a finding is about are not allowed; findings about listeners beyond loopback: ${out.ground('detection.findings[check=public-listener].length')}, on loopback: ${out.ground('detection.findings[check=unknown-local-listener].length')}, on banned ports: ${out.ground('detection.findings[check=banned-listener].length')}.`;
      sayListeners(out, found.slice(0, MOST_SHOWN), asked.context);
      return true;
    }
    const address = boundTo(asked);
    const protocol = /\b(?:udp|tcp)\b/.exec(asked.question.plain)?.[0];
    const [by, are] = asked.question.says(LOOPBACK)
      ? ['scope=loopback', 'bound to loopback']
      : address !== null
        ? [`address=${address}`, `bound to ${address}`]
        : [`protocol=${protocol}`, protocol];
    if (are !== undefined) {
      const list = `listeners[${by}]`;
      out.say`${out.ground(`${list}.length`)} of ${out.ground('listeners.length')} listeners are ${plain(are)}.`;
      return sayList(out, list);
    }
    out.say`There are ${out.ground('listeners.length')} listeners, ${out.ground('listeners[scope=public].length')} of them beyond loopback.`;
    return sayList(out, 'listeners', asked.question.has('allowed') ? asked.context : undefined);
  },
};

function sayList(out: AnswerBuilder, list: string, context?: QueryContext): boolean {
  const rows = out.rows(list, MOST_SHOWN + 1);
  sayListeners(out, rows.slice(0, MOST_SHOWN), context);
  out.sayMore(MOST_SHOWN, rows.length);
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
  answer(out) {
    out.say`Since boot ${out.ground('status.iron.EZZIE')} TCP connections were opened here and ${out.ground('status.iron.ESSIE')} accepted, in this network namespace.`;
    out.suggest('desk stats');
    return true;
  },
};

/** Of the desk, or out of this machine. */
const OWN_CONNECTIONS =
  /\b(?:desk|hostess|you|your|egress|allow\w*|out|outgoing|outbound|leave|https?|draussen|aussen|ausgehend\w*|hinaus|salen|salientes?|fuera|sortent|sortant\w*|dehors|exterieur)\b/;

export const egress: Intent = {
  id: 'egress',
  score: ({ question }) => (question.has('connection') && !question.has('mail') ? 55 : 0),
  answer(out, { question }) {
    if (!OWN_CONNECTIONS.test(plainOf(question.text))) {
      out.say`${plain(unknown((text) => text[out.language], NO_CONNECTIONS))}.`;
      out.suggest('desk query listeners', 'desk accounts');
      return false;
    }
    const [https, outside] = [
      out.ground('detection.egress.desk_https'),
      out.ground('detection.egress.outside_h'),
    ];
    out.say`Processes of the desk hold ${counted(https, 'connection', 'connections')} that count, ${outside} of them off the allowlist; what counts: ${out.ground('fields[path=detection.egress].meaning')}.`;
    out.say`The allowlist names ${out.ground('config.egress.allow.length')} places. Connections of other programs are not checked.`;
    out.suggest('desk findings');
    return true;
  },
};

/** "Paul's server", "le serveur de Paul". */
const OWNED =
  /\b\p{Lu}[\p{L}-]{1,40}['’]s (?:machine|server|computer|box|pc|mac)\b|\b(?:machine|server|computer|rechner|maschine|serveur|ordinateur|servidor|ordenador) (?:of|von|de|d') ?\p{Lu}\p{L}+/u;

/** About another machine. */
export const elsewhere: Intent = {
  id: 'elsewhere',
  score: ({ question, context }) => {
    const { ip } = question.entities;
    if (
      ip !== null &&
      !context.listeners.some(({ address }) => address === ip) &&
      question.any('listen', 'port', 'process', 'well', 'run', 'up')
    )
      return 93;
    const text = question.text;
    const named =
      /\b(?:machine|server|host|computer|rechner|serveur|servidor|maschine|m[aá]quina)\s+(?:named |called |namens )?["']?([a-z][\w.]*[-\d.][\w.-]*)/iu.exec(
        text,
      )?.[1];
    if (named !== undefined && context.processes.named([named]).length === 0) return 88;
    if (OWNED.test(text)) return 88;
    return /\b(?:neighbou?r|nachbar|laptop|phone|handy|router|other (?:machine|computer|server)|andere[nrs]? (?:rechner|server)|voisin|vecino|google|amazon)\b/iu.test(
      text,
    )
      ? 88
      : 0;
  },
  answer(out) {
    out.say`I watch this machine alone and know nothing of another one.`;
    out.suggest('desk status');
    return false;
  },
};
