/** What is out of reach of a desk: said plainly, whichever word of it occurs elsewhere. */
import { plain } from '../answer-builder.ts';
import { plainOf } from '../grammar/read.ts';
import { type Said, said } from '../grammar/tables.ts';
import type { Intent } from '../intent.ts';
import { TOLD, type Told } from './told.ts';

interface Reach {
  readonly asks: RegExp;
  /** It is of the machine all the same. */
  readonly not?: RegExp;
  readonly says: Said;
}

/** How something is done is a question for the documentation, and how another machine reaches this one for the listeners. */
const HOW =
  /\b(?:how (?:do|can|could|to|should|would) |wie (?:kann|richte|installier\w*|verbinde|uberwache|mache|binde)|como (?:puedo|instal\w*|conect\w*|vigil\w*|anad\w*|se )|comment)/;
const REACHED =
  /\b(?:tokens?|jetons?|reach\w*|connect\w*|access\w*|from|visible|erreich\w*|zugreif\w*|verbind\w*|von|accesib\w*|desde|alcanz\w*|joign\w*|depuis|accessib\w*)\b/;

const OTHERS: Said = said(
  'I watch this machine alone and know nothing of another one',
  'Ich beobachte nur diese Maschine und weiß nichts von einer anderen',
  'Solo vigilo esta máquina y no sé nada de otra',
  'Je surveille cette machine seulement et ne sais rien d’une autre',
);

const REACHES: readonly Reach[] = [
  {
    asks: /\b(?:(?:public|external|wan|internet|outside) ip(?:v[46])?|my ip(?:v[46])?|ip (?:address )?(?:on|to) the internet|(?:offentliche|externe|meine) ip(?:v[46])?(?: ?-?adresse)?|ip-?adresse (?:habe ich|hat (?:der|die|das|dieser|diese|dieses))|(?:mi|la) ip|ip (?:publica|externa)|direccion ip|(?:mon|notre) (?:adresse )?ip|(?:ip|adresse ip) (?:publique|externe)|what ip (?:do|does|have))\b/,
    not: /\b(?:listen\w*|bound|bind|port\w*|lausch\w*|escuch\w*|ecout\w*|finding\w*|connect\w*)\b|\d+\.\d+\.\d+/,
    says: said(
      'I do not know: the address that this machine has on the internet is not recorded',
      'Das weiß ich nicht: die Adresse dieser Maschine im Internet ist nicht aufgezeichnet',
      'No lo sé: la dirección de esta máquina en internet no está registrada',
      'Je ne sais pas : l’adresse de cette machine sur internet n’est pas enregistrée',
    ),
  },
  {
    asks: /\b(?:who (?:is |s )?(?:sitting|sits|standing|typing|in front|at (?:the|my) (?:keyboard|desk|computer|screen))|who (?:is |s )?(?:using|on) (?:the|my|this) (?:computer|machine|keyboard|laptop|pc)|wer (?:sitzt|tippt|steht)|wer ist (?:gerade )?(?:am|vor dem) (?:rechner|computer|bildschirm|pc)|wer benutzt (?:gerade )?(?:den|meinen|diesen) (?:rechner|computer|pc)|quien (?:esta )?(?:sentad[oa]|teclea\w*|escribiendo)|quien (?:esta )?(?:usando|delante)|quien usa (?:el|este|mi) (?:ordenador|equipo|teclado)|qui (?:est )?(?:assise?|devant|tape)|qui utilise (?:le clavier|l ordinateur|cet ordinateur|mon ordinateur))\b/,
    not: /\b(?:port|memory|cpu|ram|speicher|memoria|memoire)\b/,
    says: said(
      'I do not see people: who sits at the machine is not recorded, only the last login of each account',
      'Ich sehe keine Menschen: wer an der Maschine sitzt, ist nicht aufgezeichnet, nur die letzte Anmeldung jedes Kontos',
      'No veo personas: quién está ante la máquina no está registrado, solo la última entrada de cada cuenta',
      'Je ne vois pas les gens : qui est devant la machine n’est pas enregistré, seulement la dernière connexion de chaque compte',
    ),
  },
  {
    asks: /\b(?:colleagues?|coworkers?|co-workers?|boss|wife|husband|girlfriend|boyfriend|neighbou?rs?|(?:my|our|your|the) (?:kids?|children)|kolleg\w+|chef|chefin|ehefrau|ehemann|freundin|nachbar\w*|(?:mein|unser|dein)e kinder|coleg\w+|companer\w+|jefe|jefa|esposa|marido|novi[oa]|vecin\w+|(?:mis?|nuestros?|tus?) hijos?|collegues?|patron|patronne|femme|mari|voisin\w*|(?:mes|nos|tes) enfants?)\b|\b(?:for|zum|para|pour) (?:lunch|dinner|breakfast|mittagessen|abendessen|fruhstuck|almuerzo|almorzar|cena|cenar|comer|dejeuner|diner|manger)\b|\b(?:lunch|dinner|breakfast|mittagessen|abendessen|almuerzo|dejeuner)\b/,
    not: /\b(?:mails?|e-?mails?|wrote|write|contact\w*|address\w*|account\w*|log\w*|process\w*|port\w*|uid|user\w*|konto|konten|anmeld\w*|cuenta\w*|compte\w*|correo\w*|courri\w*|adress\w*|chef-client|tell|explain|erklar\w*|explic\w*|expliqu\w*)\b/,
    says: said(
      'I do not know: I see processes, ports and files of this machine, and not what people do',
      'Das weiß ich nicht: ich sehe Prozesse, Ports und Dateien dieser Maschine und nicht, was Menschen tun',
      'No lo sé: veo procesos, puertos y archivos de esta máquina, y no lo que hace la gente',
      'Je ne sais pas : je vois les processus, ports et fichiers de cette machine, et non ce que font les gens',
    ),
  },
  {
    asks: /\b(?:(?:the )?other (?:office|branch|site|machines?|servers?|computers?|hosts?|box|laptop|datacenter)|another (?:office|machine|server|computer|host|box)|my (?:phone|laptop at home|tablet|tv|router|printer|nas|car|home computer|other \w+)|(?:andere[nrms]?|zweite[nrms]?) (?:buro|rechner\w*|server\w*|maschinen?|computer\w*|standort\w*|filiale)|mein(?:em|en)? (?:handy|telefon|tablet|router|drucker|fernseher|nas|raspberry)|otr[oa]s? (?:oficinas?|maquinas?|servidor(?:es)?|ordenador(?:es)?|equipos?|sedes?)|mi (?:movil|telefono|tableta|router|impresora|nas|raspberry)|autres? (?:bureaux?|machines?|serveurs?|ordinateurs?|sites?)|mon (?:telephone|portable|routeur|imprimante|nas|raspberry))\b/,
    not: new RegExp(
      `${REACHED.source}|\\b(?:monitor\\w*|watch\\w*|uberwach\\w*|vigil\\w*|surveill\\w*)\\b.*\\b(?:web ?sites?|webseite|sites?|sitios?|web|pagina|page)\\b`,
    ),
    says: OTHERS,
  },
  {
    asks: /\b(?:how much (?:is|are|does|do) (?:an? |the )?(?!.*\b(?:memory|cpu|ram|space|disk|swap|load|used|free|left|process\w*|it use)\b)\S+(?: \S+)? cost|(?:price|cost) of|prices? for|was kostet|wie teuer|preis (?:von|fur|des|der)|cuanto (?:cuesta|vale)|precio (?:de|del)|combien coute|quel est le prix|prix (?:de|du|d)|exchange rate|wechselkurs|tipo de cambio|taux de change)\b/,
    not: /\b(?:recheck|cpu|check\w*|memory|desk|hostess)\b/,
    says: said(
      'I cannot answer that: I know only what was measured on this machine, and no prices',
      'Das kann ich nicht beantworten: ich weiß nur, was auf dieser Maschine gemessen wurde, und keine Preise',
      'No puedo responder a eso: solo sé lo que se midió en esta máquina, y ningún precio',
      'Je ne peux pas y répondre : je ne sais que ce qui a été mesuré sur cette machine, et aucun prix',
    ),
  },
  {
    asks: /\b(?:(?:any|are|is there|are there|which|what|how many) .{0,30}(?:updates?|upgrades?|patches) (?:available|pending|missing|outstanding)?|updates? (?:available|pending)|up to date|out of date|outdated|auf dem neuesten stand|(?:gibt es|stehen) .{0,20}updates?|updates? verfugbar|veraltet\w*|actualizaciones (?:disponibles|pendientes)|hay .{0,15}actualizaciones|desactualizad\w*|actualizado|mises? a jour (?:disponibles?|en attente)|y a t il des mises a jour|a jour)\b/,
    not: /\b(?:desk|hostess|you|baseline|findings?|certificate|installed|installiert|instalad\w+|installe\w*|today|yesterday|since|identity|last|when|tell|keep|bring)\b/,
    says: said(
      'I do not know: whether newer versions exist is not looked up',
      'Das weiß ich nicht: ob es neuere Versionen gibt, wird nicht nachgesehen',
      'No lo sé: no se comprueba si hay versiones más nuevas',
      'Je ne sais pas : l’existence de versions plus récentes n’est pas vérifiée',
    ),
  },
  {
    asks: /\b(?:(?:which|what|list|show) (?:all )?(?:the )?files (?:(?:does|do|are|of|from|in) )*.*\bpackage\b.*|(?:contents?|file list) of (?:the )?package|welche dateien (?:enthalt|gehoren zu|sind in) .*paket|que archivos (?:contiene|tiene|incluye) .*paquete|quels fichiers (?:contient|sont dans) .*paquet)\b/,
    not: /\b(?:differ\w*|chang\w*|modif\w*|alter\w*|tamper\w*|geandert\w*|verandert\w*|cambi\w+|how many|compar\w*|intact)\b/,
    says: said(
      'I do not know: which files a package has is not listed; dpkg -L or rpm -ql with its name shows them',
      'Das weiß ich nicht: welche Dateien ein Paket hat, ist nicht aufgeführt; dpkg -L oder rpm -ql mit seinem Namen zeigt sie',
      'No lo sé: qué archivos tiene un paquete no figura; dpkg -L o rpm -ql con su nombre los muestra',
      'Je ne sais pas : les fichiers d’un paquet ne sont pas listés ; dpkg -L ou rpm -ql avec son nom les montre',
    ),
  },
  {
    asks: /\b(?:kernel (?:panics?|oops\w*|crash\w*)|(?:was there|were there|any|has there been) (?:an? |any )?(?:system )?crash(?:es)?(?! of)|(?:did|has) (?:the )?(?:machine|server|system|kernel|box) (?:ever )?crash\w*|(?:gab es|ist) .{0,25}(?:absturz|absturze|systemabsturz|maschine abgesturzt|server abgesturzt|system abgesturzt)|(?:hubo|ha habido) (?:algun |un )?(?:fallo del kernel|cuelgue|bloqueo|panico)|(?:y a t il eu|a t il) .{0,12}(?:plantage|crash)|le (?:serveur|systeme|noyau) a t il plante)\b/,
    not: /\b(?:services?|process\w*|programs?|units?|desk|loop|port|dienste?|prozess\w*|programm\w*|servicios?|proceso\w*)\b/,
    says: said(
      'I do not know: crashes of the machine and its kernel are not recorded; journalctl --list-boots and journalctl -k -b -1 show what there was before the last start',
      'Das weiß ich nicht: Abstürze der Maschine und ihres Kernels sind nicht aufgezeichnet; journalctl --list-boots und journalctl -k -b -1 zeigen, was vor dem letzten Start war',
      'No lo sé: las caídas de la máquina y de su kernel no se registran; journalctl --list-boots y journalctl -k -b -1 muestran lo que hubo antes del último arranque',
      'Je ne sais pas : les plantages de la machine et de son noyau ne sont pas enregistrés ; journalctl --list-boots et journalctl -k -b -1 montrent ce qui précède le dernier démarrage',
    ),
  },
  {
    asks: /\b(?:who won|wer (?:hat )?(?:gewonnen|gewann)|quien gano|qui a gagne|(?:train|bus|flight|zug|flug|tren|vuelo|vol) (?:to|from|nach|von|a|para|pour|de)|restaurants?|pizza|shopping|movies?|netflix|stock market|elections?|wahlen|elecciones|traffic jam|stau|outside temperature|draussen (?:warm|kalt)|door|light is on|lights|room temperature|doorbell|tur|licht|puerta de (?:casa|la oficina)|porte d entree)\b/,
    not: /\b(?:process\w*|port\w*|listener\w*|finding\w*|program\w*|prozess\w*|proceso\w*|processus|gate)\b/,
    says: said(
      'I cannot answer that: I know only what was measured on this machine',
      'Das kann ich nicht beantworten: ich weiß nur, was auf dieser Maschine gemessen wurde',
      'No puedo responder a eso: solo sé lo que se midió en esta máquina',
      'Je ne peux pas y répondre : je ne sais que ce qui a été mesuré sur cette machine',
    ),
  },
];

const toldOf = (text: string): Told | undefined => {
  const asked = plainOf(text);
  return TOLD.find(({ asks, not }) => asks.test(asked) && !not?.test(asked));
};
/** Whether one sentence of the documentation answers it, whatever a word of it is elsewhere. */
export const isTold = (text: string): boolean => toldOf(text) !== undefined;
const reachOf = (text: string): Reach | undefined => {
  const asked = plainOf(text);
  return HOW.test(asked) ? undefined : REACHES.find(({ asks, not }) => asks.test(asked) && !not?.test(asked));
};

export const beyond: Intent = {
  id: 'beyond',
  score: ({ question: { entities, term, text } }) => {
    if (entities.finding !== null) return 0;
    return toldOf(text) !== undefined || (term === null && reachOf(text) !== undefined) ? 96.5 : 0;
  },
  answer(out, { question }) {
    const told = toldOf(question.text);
    out.say`${plain((told ?? (reachOf(question.text) as Reach)).says[out.language])}${plain(told?.says.en.endsWith(':') ? '' : '.')}`;
    if (told === undefined) {
      out.suggest('desk think "what can you do?"');
      return false;
    }
    for (const path of told.grounds ?? []) out.ground(path);
    const quotes = (told.quotes ?? []).map((path) => {
      const name = /="?([^\]"]+)/.exec(path)?.[1] ?? '';
      return `${name}: ${out.ground(path).value}`;
    });
    if (told.known && quotes.length > 0) {
      const isLed = told.says.en.endsWith(':');
      if (!isLed) out.quotesDocumentation();
      out.say`${plain((isLed ? quotes.map((one) => one.replace(/^\S+: /, '')) : quotes).join('; '))}.`;
    }
    out.suggest(...(told.suggests ?? ['desk help']));
    return told.known;
  },
};
