/** Questions that must not or cannot be answered, recognised before all others. */
import { plain } from '../answer-builder.ts';
import { areAlike } from '../document-index.ts';
import { asksForMiner } from '../grammar/breach.ts';
import { GOALS, type Goal } from '../grammar/goal-table.ts';
import { thingsIn, verbsIn } from '../grammar/goal-words.ts';
import { fitOf, IN_CONFIG, isSpent, noteIn } from '../grammar/goals.ts';
import { CLOSE_FINDING } from '../grammar/machine-goals.ts';
import { plainOf, UNKNOWN } from '../grammar/read.ts';
import type { Language } from '../grammar/vocabulary.ts';
import type { Intent, Query } from '../intent.ts';
import { folded } from '../knowledge.ts';
import { isOrdinary, isStopWord } from '../lexicon.ts';
import { quoted } from '../paths.ts';
import type { Question } from '../understand.ts';
import { UNMEASURED } from '../vitals/unmeasured.ts';
import { costs } from './about.ts';
import { servesPurpose } from './by-meaning.ts';

const ORDER =
  /^(?:(?:please|bitte|por favor|s'il (?:te|vous) plait|now|just|hey|hostess|can you|could you|would you|kannst du|peux-tu|puedes)[\s,]+)*(?:delete|remove|add|put|create|upgrade|turn|switch|write(?= to\b)|whitelist|open(?= (?:the |a )?(?:port|firewall)\b)|erase|wipe|kill|stop|shut|restart|reboot|terminate|disable|enable|install|uninstall|execute|run|start|accept|learn|clear|close|quarantine(?=\s+\w)|restore|forget|unban|ban|allow|block|change|set|make|send|reset|sudo|rm|losch\w*|entfern\w*|beende\w*|stopp\w*|starte?|tote|unmute|supprim\w*|efface\w*|arrete\w*|redemarre\w*|tue|ferme\w*|bloque\w*|installe\w*|borra\w*|elimina\w*|mata|deten|reinicia|apaga|cierra|bloquea|instala|sperr\w*|blockier\w*|schliess\w*|installier\w*|akzeptier\w*|acepta|accepte|schalt\w*|quita|desactiva|activa|enleve\w*|retire|coupe|desactive\w*|neutralis\w*|(?:erlaube?|verbiete?|permite|autoris\w*|autoriza|interdis\w*|prohibe)(?= (?:den |bitte |el |le )*(?:port|puerto)\b))\b|^(?:bitte )?(?:den )?port \d+ (?:bitte )?(?:sperren|erlauben|freigeben|blockieren|verbieten|schliessen|offnen|zulassen)\b/u;

/** The goal of an order; undefined where it is none of those that are known. */
function goalFor(text: string): Goal | undefined {
  const [verbs, things] = [verbsIn(text), thingsIn(text)];
  return GOALS.filter(
    ({ outside, command, keys, verbs }) =>
      verbs !== '' && (outside || command !== undefined || keys !== undefined),
  )
    .map((goal) => ({ goal, fit: fitOf(goal, verbs, things) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)[0]?.goal;
}

/** Goals of the desk itself: an order names it. */
const OF_DESK = /^(?:restart|stop-service|start-service|update|install|uninstall|backup|listen-port)$/;
const NAMES_DESK = /\b(?:desk|hostess|config\w*|konfig\w*|you|yourself|dich|toi|te)\b/;
function ownGoal(text: string): Goal | null {
  const goal = goalFor(text);
  return goal === undefined || (OF_DESK.test(goal.id) && !NAMES_DESK.test(text)) ? null : goal;
}

/** An order that reads like a question for a list. */
const ORDER_ALL =
  /^(?:accept|learn|delete|kill|stop|block|forget|close|remove|akzeptiere?|losche|beende|schliesse|acepta|borra|cierra|elimina|accepte|supprime|ferme|arrete) (?:all|every\w*|the|this|that|my|it|alle\w*|den|die|das|diesen?|tod[oa]s?|el|la|los|las|tous|toutes|tout|le|les) ?/u;

/** An order whatever row it names: "remove user bob". */
const ORDER_FOR =
  /^(?:(?:please|bitte|por favor|s'il (?:te|vous) plait|can you|could you|would you|kannst du|peux-tu|puedes)[\s,]+)*(?:delete|remove|erase|wipe|kill|stop|restart|reboot|terminate|shut down|disable|uninstall|unmute|losche?|losch|entferne?|beende|stoppe?|tote|supprimer?|efface|arrete|redemarre|tue|borra|elimina|mata|deten|unmute|reinicia|apaga|quita|autorise(?= le port))(?! (?:needed|required|necessary|pending|erforderlich|notig|necesario|necessaire|times?|count)\b) \S/u;

/** An order followed by a question: the question is answered. */
const ASKED_AFTER = /\p{L}[.!;] [^.!;]{8,}\?$/u;

export const order: Intent = {
  id: 'order',
  score: ({ question }) => (ORDER.test(question.plain) && !ASKED_AFTER.test(question.text) ? 97 : 0),
  answer(out, { question, reading }) {
    out.say`I change nothing; I only answer. What changes something is a command of yours, and says what it will do before.`;
    // A program of the machine is not started or ended by a command of ours.
    const isOfProgram = reading.slots.some(
      ({ part, value, text }) =>
        part === 'program' ||
        part === 'stranger' ||
        (part === 'unread' &&
          value === UNKNOWN &&
          !isSpent(plainOf(question.text), plainOf(text)) &&
          !isStopWord(folded(text)) &&
          !isOrdinary(folded(text))),
    );
    const asked = plainOf(question.text).replace(
      /^((?:un)?ban|allow|permit|block|whitelist|unblock) (?=\d{2,5}\b)/,
      '$1 port ',
    );
    const goal = isOfProgram ? null : ownGoal(asked);
    const isTold =
      goal?.outside ||
      goal?.id === CLOSE_FINDING.id ||
      /^(?:allow-port|disallow-port|forget)$/.test(goal?.id ?? '');
    if ((isTold || goal?.id === 'ban') && goal?.note !== undefined)
      out.say`${plain(noteIn(goal.note[out.language], plainOf(question.text)))}.`;
    if (goal?.keys !== undefined && !isTold)
      out.say`${plain(IN_CONFIG[out.language])} ${out.join(goal.keys.map((key) => out.ground(`keys[key=${quoted(key)}].key`)))}.`;
    const line = isTold ? undefined : goal?.lines?.find((one) => !/[{…]/.test(one));
    if (line !== undefined) {
      out.ground(`commands[name=${quoted(goal?.command ?? '')}].usage`);
      out.say`The command for it: ${plain(line)}.`;
      if (!/\b[A-Z]{2,}\b/.test(line)) out.suggest(line);
    }
    const { finding } = question.entities;
    if (finding !== null) out.suggest(`desk findings ${finding}`);
    if (question.has('baseline')) out.suggest('desk baseline diff', 'desk secure learn once');
    if (question.any('find', 'scar')) out.suggest('desk scar cook check');
    out.suggest('desk help');
    return false;
  },
};

const TRICK =
  /\b(?:ignore|disregard|forget|vergiss|ignoriere|oublie|ignora)\b.{0,40}\b(?:instruction|instructions|rules|prompt|previous|anweisung\w*|regeln|consignes|instrucciones)\b|\bsystem prompt\b|\bfrom now on you\b|\bab (?:jetzt|sofort) bist du\b|\ba partir de ahora eres\b|\ba partir de maintenant tu es\b|\b(?:olvida|oublie|vergiss|ignoriere|ignore)\b.{0,30}\b(?:reglas?|r[eè]gles?|regeln|instrucciones|instructions|anweisungen|consignes)\b|\byou are now\b|\bdu bist (?:jetzt|nun)\b|^\s*pretend\b|\bact as\b|\brepeat after me\b|\bjailbreak\b|\bsay that\b|<\/?(?:system|assistant|user)>|\[\/?inst\]/iu;

export const trick: Intent = {
  id: 'trick',
  score: ({ question }) => (TRICK.test(question.text) ? 100 : 0),
  answer(out) {
    out.say`I do not take instructions, and cannot answer by what a message says: I tell what was measured. Ask me about the desk.`;
    out.suggest('desk status');
    return false;
  },
};

const PUT =
  /\b(?:put|sets?|setzt|store|configure|change|choose|rotate|renew|trage|setze|speicher\w*|hinterleg\w*|andere|mettre|mets|changer|pongo|poner|cambiar|guard\w+)\b/;

/** Their number is no secret. */
const SSH_KEYS = /\bssh keys?\b|\bssh ?schlussel\b|\bcles? ssh\b|\b(?:llaves?|claves?) ssh\b/;

/** Whether accounts have one. */
const OF_ACCOUNTS = /\b(?:accounts?|acounts?|konten|konto|cuentas?|comptes?)\b/;
const OF_LOGIN =
  /\b(?:need|needs|require[sd]?|without|no|empty|set|log ?in|login|sign in|supply|send|brauch\w*|notig|ohne|kein\w*|anmeld\w*|einlog\w*|necesit\w*|hace falta|sin|iniciar|entrar|besoin|faut il|sans|connecter|connexion)\b[^.?!]{0,40}\b(?:token|tokens|password|passwords|passwort|passworter|contrasenas?|mots? de passe|jeton)\b|\b(?:token|password|passwort|contrasena|mot de passe)\b[^.?!]{0,40}\b(?:log ?in|login|needed|required|noetig|notig|necesari[oa]|necessaire|anmelden|entrar)\b/;

export const secret: Intent = {
  id: 'secret',
  score: (asked) => {
    const { question } = asked;
    // Where to put a secret is not secret.
    if (
      (question.says(PUT) || question.says(/\bwithout (?:a |the |any )?(?:token|password)/)) &&
      servesPurpose(asked)
    )
      return 0;
    if (question.says(SSH_KEYS) || question.says(OF_ACCOUNTS)) return 0;
    // Whether one is needed, set or asked for is no secret.
    if (OF_LOGIN.test(question.plain)) return 0;
    const key = question.says(/\bkey\b/) && question.says(/\b(?:api|private|secret|baseline|encryption)\b/);
    return question.has('secret') || key ? 93 : 0;
  },
  answer(out) {
    out.say`I never tell a secret: no password, token or key is part of any record, and I cannot read them.`;
    out.suggest('desk mail');
    return false;
  },
};

export const future: Intent = {
  id: 'future',
  score: ({ question }) => {
    if (question.has('certificate') || (question.has('mail') && question.says(/\bimport/))) return 0;
    const next = question.says(/\bnext (?:attack|week|month|time|crash|failure|year)\b/);
    return question.has('future') || next ? 66 : 0;
  },
  answer(out) {
    out.say`I do not know the future: I report what was measured, and that is not yet measured. The last sweep was at ${out.ground('live.ts')}.`;
    out.suggest('desk watch');
    return false;
  },
};

/** Parts of the desk that have a version. */
const VERSIONED = /\b(?:desk|hostess|you|your|interface|law|engine|backend|build|mark|kernel)\b/;
const OF_SYSTEM =
  /\b(?:kernel|os|linux|distro|system) versions?\b|\bversion of (?:the |my |this )?(?:kernel|os|linux|distro|operating system)\b/;
const FROM_NAME = 3;
/** The version of another program, named near the word: "the openssl version", "which version does vim have". */
const versionOfOther = ({ says, names, words }: Question): boolean => {
  if (says(OF_SYSTEM)) return true;
  const at = words.findIndex((word) => /^version(?:en|es|s)?$/.test(word));
  return (
    at >= 0 &&
    !says(VERSIONED) &&
    names.some((name) => {
      const from = words.indexOf(name.toLowerCase());
      return from >= 0 && Math.abs(from - at) <= FROM_NAME && /^\p{L}+$/u.test(name);
    })
  );
};

/** What no record measures. */
export const unmeasured: Intent = {
  id: 'unmeasured',
  score: ({ question }) =>
    question.term === null &&
    ((question.says(UNMEASURED) && !question.has('site', 'speed')) || versionOfOther(question)) &&
    !costs(question) &&
    (!question.any('temperature', 'check', 'version') || versionOfOther(question))
      ? 87
      : 0,
  answer(out) {
    out.say`I do not know: no record measures that.`;
    out.suggest('desk status', 'desk stats');
    return false;
  },
};

/** The quarantine is read by a command only. */
export const quarantine: Intent = {
  id: 'quarantine',
  score: ({ question }) => (question.has('quarantine') ? 49 : 0),
  answer(out) {
    out.say`I do not know: no record that I read lists what was set aside; ${out.ground('commands[name=quarantine].usage')} does.`;
    out.suggest('desk quarantine list');
    return false;
  },
};

const PAST =
  /(?<!\b(?:i|we|ich|wir|j) )\b(?:was(?! (?:ist|sind|hat|gibt|los|war|kann|passiert))|listened|ran|held|lief|were|did|had|war|waren|hatte|etait|etaient|avait|era|eran|estaba|fue|habia)\b/u;

/** Of most values only the newest is available here. */
export const past: Intent = {
  id: 'past',
  score: ({ question }) =>
    question.timeMs !== null &&
    !question.has('change') &&
    question.says(PAST) &&
    (question.any('temperature', 'grade', 'axes') ||
      question.any('recheck', 'process', 'wrap', 'listen', 'fried'))
      ? 87
      : 0,
  answer(out) {
    out.say`I do not know what it was then: of this I read the newest value alone. The last sweep was at ${out.ground('live.ts')}. ${out.ground('endpoints[name=GET /h7/history].name')}: ${out.ground('endpoints[name=GET /h7/history].summary')}.`;
    out.suggest('desk history');
    return false;
  },
};

/** Of the world, and what a machine that talks may be asked for. */
const WORLD =
  /\b(?:weather|forecast|wetter|meteo|(?:el|hace|hara) (?:clima|tiempo)\b.*\b(?:en|manana)|llover|rain|regnen|football|soccer|world cup|fussball|bundesliga|weltmeister\w*|coupe du monde|mundial|bitcoin|stock price|aktienkurs|president of|capital of|hauptstadt|capital de|capitale|recipe|rezept|receta|recette|joke|witz|chiste|blague|song|lied|cancion|chanson|horoscope|horoskop|movie|kinofilm|news of|nachrichten von|lottery|lotto|(?:fix|repair|repariere?|arregla\w*|repare\w*) (?:my|meinen?|meine|mi|mon|ma) (?:printer|car|phone|tv|bike|drucker|auto|handy|fernseher|impresora|coche|movil|imprimante|voiture|telephone)|meaning of life|sinn des lebens|sentido de la vida|sens de la vie|bundeskanzler\w*|chancellor|premierminister\w*|prime minister|presidente (?:de|del)|le president|der prasident|el presidente|love me|liebst du|sing me)\b/;
const MAKE =
  /^(?:(?:please|bitte|por favor|s il (?:te|vous) plait|can you|could you|kannst du|peux tu|puedes|me|mir|moi|nous|nos)[\s,]+)*(?:(?:write|compose|schreib\w*|verfass\w*|dichte|ecris|redige|escrib\w*|compon\w*)\b.*\b(?:poem|haiku|story|song|essay|letter|code|program|function|email|(?:[\p{L}-]+-)?s[ck]ripts?|skripte?|guion|gedicht|geschichte|brief|lied|aufsatz|poeme|histoire|lettre|chanson|poema|cuento|historia|carta|cancion)\b|(?:translat\w*|ubersetz\w*|tradui\w*|traduc\w*)\b|(?:solve|do|help(?: me)? with|hilf(?: mir)? (?:bei|mit)|aide(?: moi)? (?:avec|a)|ayuda(?:me)? con) .*\b(?:homework|taxes|hausaufgaben|steuer\w*|devoirs|impots|deberes|impuestos)\b|(?:play|spiele?|pon|joue)\b.*\b(?:music|musik|musica|musique|songs?)\b|(?:make|mach\w*|cook|order|buy|bring|bestell\w*|kauf\w*|koch\w*|haz(?:me)?|pide|compra|fais|commande|achete)(?: me| mir| moi)? (?:an? |eine?n? |une? |una? )?(?:sandwich|pizza|coffee|kaffee|cafe|tea|tee|the|beer|bier|cerveza|biere)\b|(?:tell|erzahl\w*|raconte|cuenta\w*)\b.*\b(?:joke|story|witz|geschichte|blague|histoire|chiste|cuento)\b|(?:draw|paint|zeichne|dessine|dibuja)\b)/u;

const OPINION =
  /^(?:please |can you )?read (?:me )?(?:my|the) (?:e-?)?(?:mails?|messages)|\b(?:read me (?:my|the) (?:e-?)?(?:mails?|messages)|lies mir .*(?:mails?|nachrichten)|lee(?:me)? mis (?:correos|mensajes)|lis moi mes (?:mails|courriels|messages)|what (?:do you think|s your (?:opinion|take|view)|is your (?:opinion|take|view)) (?:about|of|on)|your opinion|do you (?:like|love|prefer|hate) (?!me\b)|which (?:one )?is (?:better|nicer|cooler)|(?:is|are) \S+ better than|was (?:haltst|denkst|meinst) du (?:von|uber|zu)|was halten sie von|deine meinung|magst du|was ist besser|que (?:opinas|piensas|te parece|opina|piensa)|tu opinion|te gustan? |que es mejor|(?:que|qu en) (?:penses tu|pensez vous)|ton avis|votre avis|aimes tu|lequel est (?:mieux|meilleur)|qu est ce qui est mieux)\b/;
const WEATHER =
  /\b(?:quel temps (?:fait|fera|va)|(?:va t il|il va) (?:pleuvoir|neiger|faire)|il pleut|meteo|regnet es|wird es regnen|scheint die sonne|que tiempo (?:hace|hara|va)|va a llover|llueve|llovera|is it (?:raining|sunny|snowing|cold outside)|will it rain|forecast for)\b/;

/** "What is 2 + 2". */
const SUM =
  /^(?:what(?: is| s)|how much is|calculate|was ist|wie ?viel ist|was ergibt|cuanto (?:es|son)|combien (?:font|fait)) ?\d+ ?(?:[-+*x/÷×^]|plus|minus|times|divided by|mal|geteilt durch|mas|menos|por|entre|moins|fois) ?\d+\W*$/;

/** What is not of this machine at all. */
export const world: Intent = {
  id: 'world',
  score: ({ question }) => {
    const text = plainOf(question.text);
    return [MAKE, WORLD, OPINION, WEATHER, SUM].some((one) => one.test(text)) && !asksForMiner(text) ? 99 : 0;
  },
  answer(out) {
    out.say`I cannot answer that: I know only what was measured on this machine.`;
    out.suggest('desk think "what can you do?"');
    return false;
  },
};

const CONTENTS =
  /\b(?:contents? of|inhalt (?:von|der|des)|contenido de|contenu de|cat|print|show|display|show me|zeig\w*(?: mir)?|muestra\w*|montre\w*(?: moi)?|affiche\w*|lies|read|open|offne|what is in|what s in|was steht in)\b.{0,40}?(?<![\w.])(?:\/(?:etc|home|root|var|proc|tmp|usr|opt|srv)\/[\w./-]+|~\/[\w./-]+)/;
const OF_RECORDS =
  /\b(?:process\w*|prozess\w*|proces\w*|findings?|befund\w*|hallazgo\w*|constat\w*|listeners?|programs?|programm\w*|started|runs?|running|from|aus|desde|depuis|startup|starts?|accounts?)\b/;

/** What a file has in it. */
export const fileContents: Intent = {
  id: 'file-contents',
  score: ({ question }) => {
    const text = plainOf(question.text);
    return CONTENTS.test(text) && !OF_RECORDS.test(text) ? 98 : 0;
  },
  answer(out) {
    out.say`I show no contents of files: no record has them.`;
    out.suggest('desk startup');
    return false;
  },
};

const DEEDS =
  /\b(?:(?:websites?|web pages?|webseiten|sites? web|paginas web|files?|dateien|datei|archivos?|ficheros?|fichiers?|commands?|befehle|ordenes|commandes)\b.*\b(?:visit\w*|brows\w*|surf\w*|delet\w*|remov\w*|edit\w*|open(?:ed)?|download\w*|typ\w+|enter\w*|besuch\w*|geloscht|gelesen|geoffnet|heruntergeladen|eingegeben|borr\w*|elimin\w*|visit\w*|abri\w*|escribi\w*|descarg\w*|supprim\w*|efface\w*|ouvert\w*|telecharg\w*|tape\w*)|(?:history|verlauf|historial|historique) of (?:the )?(?:browser|shell|bash)|browser history|shell history|bash history|browserverlauf|who (?:deleted|removed|edited|opened|changed|wrote|created|typed|ran) (?:the |my |this |that |a |an )?(?:\p{L}+ )?(?:files?|logs?|folder|directory|command|rm)|wer hat .*(?:dateien?|logs?|ordner|befehl).*(?:geloscht|geandert|geoffnet|angelegt|eingegeben)|quien (?:borro|elimino|edito|abrio|escribio) .*|qui a (?:supprime|efface|modifie|ouvert|tape) .*|what did \p{L}+ do\b|was hat \p{L}+ (?:gestern |heute )?(?:gemacht|getan)|que hizo \p{L}+|qu a fait \p{L}+)\b/u;
const SOMEONE =
  /\b(?:who|wer|quien|qui|did|has|have|was|were|does|hat|haben|a t il|a t elle|a|ha|han|ont|by|von|por|par)\b/;

/** What a person did. */
export const deeds: Intent = {
  id: 'deeds',
  score: ({ question }) => {
    const text = plainOf(question.text);
    return DEEDS.test(text) && SOMEONE.test(text) && !OF_PACKAGES.test(text) ? 97.5 : 0;
  },
  answer(out) {
    out.say`I do not see what people do: files that they opened or deleted, pages that they visited and commands that they gave are not recorded.`;
    out.suggest('desk accounts', 'desk findings');
    return false;
  },
};
const OF_PACKAGES =
  /\b(?:desk|package\w*|paket\w*|paquet\w*|cook|quarantine\w*|stale|libraries|library|executable\w*|running|baseline)\b/;

/** Interfaces, terminals and the like are of this machine. */
const OF_HERE =
  /^(?:eth|en[opsx]|wl|lo|docker|br|veth|tty|pts|sd|nvme|vd|wg|tun|tap|udp|tcp|ipv)[\w./-]*$|^\d|^[/~]|^[\d.:a-f]+$/;
const PLACE =
  /(?<![\p{L}\d])(?:on|at|auf|bei|en|sur|chez)\s+(?:(?:the|our|my|dem|der|unserem|el|la|le|server|host|machine|rechner|maschine|servidor|serveur)\s+)*["'«„“]?([\w.-]*\w)/giu;

/** A name of another machine: "on web-server-02". */
function otherMachine({ question, reading, context }: Query): boolean {
  const names = [...question.text.matchAll(PLACE)].map(([, name = '']) => name);
  return names.some(
    (name) =>
      /\p{L}/u.test(name) &&
      /[\d-]|\w\.\w/.test(name) &&
      !OF_HERE.test(name.toLowerCase()) &&
      context.processes.named([name]).length === 0 &&
      reading.slots.some(
        ({ part, value, text }) =>
          text === name && (part === 'stranger' || (part === 'unread' && value === UNKNOWN)),
      ),
  );
}

/** What is asked of another machine. */
export const notHere: Intent = {
  id: 'not-here',
  score: (asked) => (asked.queried === null && otherMachine(asked) ? 97.1 : 0),
  answer(out) {
    out.say`I watch this machine alone and know nothing of another one.`;
    out.suggest('desk status');
    return false;
  },
};

/** Nothing else fits. */
export const lost: Intent = {
  id: '',
  score: () => 1,
  answer(out) {
    out.say`I do not understand this. I can tell how the desk is, what changed since a time, who listens on a port, what a process is and how it is wrapped, what was found, learned or could not be seen, about the site and mail, and what my words mean.`;
    out.suggest('desk think "what can you do?"', 'desk help');
    return false;
  },
};

const MEANS: Readonly<Record<Language, (name: string) => string>> = {
  en: (name) => `what does ${name} mean?`,
  de: (name) => `Was bedeutet ${name}?`,
  es: (name) => `¿Qué significa ${name}?`,
  fr: (name) => `Que veut dire ${name} ?`,
};
const MOST_CHOICES = 3;

/** What may be asked instead of a question that is not understood. */
export function nearestTo({ question: { names }, library, reading: { language } }: Query): readonly string[] {
  if (names.length === 0) return [];
  const words = names.map(folded);
  // A name that has most words of the question, and not one by chance.
  const isNear = (name: string): boolean => {
    const parts = folded(name).split(/[^\p{L}\d]+/u);
    return words.filter((word) => parts.some((part) => areAlike(part, word))).length * 2 > words.length;
  };
  return library
    .near(names.slice(0, 3).join(' '), MOST_CHOICES)
    .filter(({ kind }) => kind !== 'field' && kind !== 'endpoint')
    .filter(({ name }) => isNear(name))
    .map(({ name }) => MEANS[language](name));
}

/** Questions of these intents are not split. */
export const REFUSALS: ReadonlySet<Intent> = new Set([
  ...[trick, order, secret, future, unmeasured, past],
  ...[world, fileContents, deeds, notHere],
]);

/** Asks for the key itself, and not for the interface. */
const API_KEY = /\b(?:print|show|give|tell|reveal|dump|what is|whats)\b.{0,20}\bapi ?keys?\b/;

/** What is refused before it is looked for in any table; null where nothing is. */
export const mustRefuse = (asked: Query): Intent | null =>
  (asked.queried !== null && [ORDER_ALL, ORDER_FOR].some((one) => one.test(asked.question.plain))
    ? order
    : null) ??
  (API_KEY.test(asked.question.plain) ? secret : null) ??
  [trick, world, fileContents, deeds, notHere].find((one) => one.score(asked) > 0) ??
  null;
