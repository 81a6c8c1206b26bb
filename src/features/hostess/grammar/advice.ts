/** Whether something is bad, and why it should not be: what the check that looks for it says. Not what there is now, so no table. Pure. */
import { type AnswerBuilder, type Plain, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import { type Said, said } from './tables.ts';

const ASKS =
  /\b(?:why (?:should(?:n t| not)?|must|would|do|shall) (?:i|we|you|one|anyone|a |an |it|they|no)|why (?:not|is it|would it be) (?:bad|dangerous|risky|important|a problem|a risk|a good idea|a bad idea|to |run|expose|use|unsafe|insecure)|is it (?:a )?(?:bad|dangerous|risky|unsafe|insecure|harmful|problem|risk|security risk|good idea|bad idea|good practice|bad practice|serious)\b(?= (?:that|if|when|to|for|having|running))|what (?:is|are|s) the (?:risks?|dangers?|harm|downsides?|security implications?) (?:of|with|in|if|when)|what can (?:go wrong|an attacker do)|is (?:running|exposing|having|using|leaving) .* (?:bad|dangerous|risky|safe|secure|a problem)|is it safe (?:to|if|when)|how (?:do|can|could|should|to) (?:i |we )?(?:harden|secure|protect|make) (?:my|the|this|our) (?:\p{L}+ )?(?:server|machine|box|system|computer)|wie (?:mache|sichere|harte|schutze) ich (?:meinen|den|diesen|die|meine) (?:server|rechner|maschine)|como (?:aseguro|protejo|hago mas seguro) (?:mi|el|este) (?:servidor|equipo|sistema)|comment (?:securiser|proteger|durcir) (?:mon|le|ce|ma|la) (?:serveur|machine|systeme)|should i be (?:worried|concerned) (?:if|when|about an?)|(?:warum|wieso|weshalb) (?:soll|sollte|darf|durfte|muss)(?:en|te|ten|st)? (?:ich|man|wir|ein|kein)|(?:warum|wieso|weshalb) ist (?:es )?(?:das )?(?:schlecht|schlimm|gefahrlich|riskant|wichtig|ein problem)|ist es (?:schlecht|schlimm|gefahrlich|riskant|ein problem|ein risiko|unsicher|bedenklich)|(?:was|welches|welche) (?:ist )?(?:das|die|der)? ?(?:risiko|gefahr(?:en)?|nachteile?)\b|was ist (?:so )?(?:schlimm|schlecht|gefahrlich|riskant) (?:an|daran|wenn|bei)|wie (?:gefahrlich|riskant|schlimm|bedenklich) (?:ist|sind)|por que (?:no )?(?:deberia|debo|debe|hay que|es (?:malo|peligroso|importante|un riesgo)|tendria)|es (?:malo|grave|peligroso|arriesgado|un problema|un riesgo|mala idea) (?:que|si|\p{L}+r\b)|(?:cual|cuales) (?:es|son) (?:el|los) (?:riesgos?|peligros?)|que (?:riesgos?|peligros?) |que tiene de malo|pourquoi (?:ne pas|(?:ne )?faut il|faudrait il|devrais|dois|doit|est ce (?:mal|dangereux|mauvais|grave|important))|est ce (?:que c est )?(?:mal|grave|dangereux|risque|mauvais|un probleme|un risque) (?:de|d|que|qu|si|s)\b|c est (?:grave|dangereux|mal|risque|mauvais) (?:de|d|que|qu|si|s)\b|quels? (?:est|sont) (?:le|les) (?:risques?|dangers?)|quels? (?:risques?|dangers?)|en quoi est ce)/u;

/** Asks it of a thing; another answer may know why, where no check is about it. */
const OF_A_THING =
  /\bhow (?:dangerous|risky|bad|serious) (?:is|are|would)\b|\bwhat (?:is|s) (?:so )?(?:bad|wrong|dangerous|risky) (?:about|with)\b|\bwhy (?:is|are) .{2,40} (?:a problem|bad|dangerous|a risk|risky|unsafe)|\b(?:warum|wieso) (?:ist|sind) .{2,40} (?:schlimm|schlecht|gefahrlich|riskant|ein problem|ein risiko)|\bpor que (?:es|son) (?:un |una )?(?:malo|peligros\w+|un problema|un riesgo) |\bpourquoi .{2,40} (?:est il|est elle|sont ils|est) (?:dangereux|un probleme|grave|un risque)/;

/** A number of this machine: what there is, not what is said of all. */
const SPECIFIC = /(?<![\d.])\d{2,}(?![\d.]*\.\d)|\b[0-9a-f]{16}\b/;
/** Addresses that mean all interfaces. */
const ANY_ADDRESS = /0\.0\.0\.0|\[?::\]?(?![\da-f])/g;

/** Checks by what a question calls their matter; the first that fits. */
const MATTERS: readonly (readonly [check: string, matter: RegExp])[] = [
  ['preload-file', /ld\.so\.preload/],
  ['preload-environment', /ld_preload|ld_audit|ld_library_path|\bpreload/],
  [
    'deleted-library',
    /(?:deleted|geloscht\w*|borrad\w*|eliminad\w*|supprime\w*|efface\w*) (?:librar\w*|bibliothek\w*|bibliotec\w*|bibliothe\w*)|(?:librar\w*|bibliotec\w*|bibliothe\w*) (?:borrad\w*|eliminad\w*|supprime\w*|efface\w*|that (?:was|is) deleted)/,
  ],
  [
    'memfd-executable',
    /memfd|fileless|(?:from|in|out of) memory|aus dem (?:arbeits)?speicher|(?:desde|en) (?:la )?memoria|(?:depuis|en) (?:la )?memoire/,
  ],
  [
    'deleted-executable',
    /^(?=.*\b(?:process\w*|program\w*|files?|binar\w*|executables?|prozess\w*|datei\w*|proceso\w*|archivo\w*|fichero\w*|fichiers?|ejecutable\w*)\b).*\b(?:deleted|removed|geloscht\w*|entfernt\w*|borrad\w*|eliminad\w*|supprime\w*|efface\w*)\b/,
  ],
  [
    'odd-executable-path',
    /\/tmp\b|\/dev\/shm|\/var\/tmp|\b(?:temp\w*|temporar\w*|temporal\w*|temporaire\w*) (?:folders?|director\w*|ordner\w*|verzeichnis\w*)|(?:carpeta|directorio|dossier|repertoire)s? temporal\w*|(?:dossier|repertoire)s? temporaires?|hidden (?:folder|directory)|versteckt\w* (?:ordner|verzeichnis)\w*|carpeta oculta|dossier cache/,
  ],
  [
    'shell-on-socket',
    /\bshells?\b.*\b(?:socket|network|netz\w*|connect\w*|verbunden|red|reseau|reverse)\b|reverse shell/,
  ],
  ['traced', /\b(?:ptrace\w*|trac(?:ed|ing)|debugger|strace|gdb)\b/],
  ['writable-code', /\b(?:writable|schreibbar\w*|beschreibbar\w*|escribible\w*|inscriptible\w*|rwx|jit)\b/],
  ['packet-socket', /\b(?:raw (?:sockets?|frames?|packets?)|packet sockets?|sniff\w*|tcpdump)\b/],
  ['promiscuous-interface', /\bpromisc\w*/],
  ['kernel-taint', /\btaint\w*/],
  ['module-views', /\bhidden (?:kernel )?module\w*|versteckt\w* modul\w*/],
  [
    'hidden-port',
    /(?:hidden|versteckt\w*|ocult\w*|cache\w*) (?:ports?|puertos?)|(?:ports? caches?|puertos? ocultos?)/,
  ],
  [
    'hidden-process',
    /(?:hidden|versteckt\w*|ocult\w*|invisible\w*) (?:process\w*|prozess\w*|proceso\w*)|processus caches?|procesos? ocultos?/,
  ],
  ['fried-process', /\bzombi\w*/],
  ['clipboard-reader', /\b(?:clipboard|zwischenablage|portapapeles|presse papiers|keylogg\w*)\b/],
  ['camera-or-microphone', /\b(?:camera|kamera|camara|webcam|microphone|mikrofon|microfono|micro)\b/],
  [
    'name-mismatch',
    /\bname (?:differs|mismatch)|other name than|pretends|gibt sich .* aus|se hace pasar|se fait passer/,
  ],
  [
    'changed-program',
    /\b(?:changed|modified|geandert\w*|verandert\w*|cambiad\w*|modificad\w*|modifie\w*) (?:programs?|binar\w*|executables?|programm\w*)|(?:programas?|binarios?|programmes?|binaires?) (?:cambiad\w*|modificad\w*|modifie\w*)/,
  ],
  [
    'packaged-file',
    /\b(?:package|paket|paquete|paquet)\w*.*\b(?:files?|datei\w*|archivos?|fichiers?)\b|\b(?:files?|datei\w*|archivos?|fichiers?)\b.*\b(?:package|paket|paquete|paquet)\w*/,
  ],
  [
    'learning-open',
    /\b(?:baseline|linea base|ligne de base)\b.*\b(?:open|old|offen|alt|abiert\w*|viej\w*|ouvert\w*|ancien\w*)\b|learning window|lernfenster/,
  ],
  [
    'startup-entry',
    /\b(?:startup entr\w*|autostart\w*|ssh keys?|ssh ?schlussel|cron ?jobs?|entradas? de arranque|entrees? de demarrage|clave ssh|cle ssh)\b/,
  ],
  ['banned-listener', /\bbanned ports?|verboten\w* ports?|puertos? prohibid\w*|ports? interdits?/],
  [
    'vital-sign',
    /\b(?:disk|platte|disco|disque|memory|speicher|memoria|memoire|inodes?)\b.*\b(?:full|voll|llen\w*|plein\w*|low|knapp)\b|\b(?:full|voll\w*|llen\w*|plein\w*) (?:disk|platte|disco|disque)/,
  ],
  [
    'public-listener',
    /\b(?:expos\w*|exponer|internet|public\w*|offentlich\w*|beyond loopback|all interfaces|every interface|allen? (?:interfaces|schnittstellen|adressen)|todas las interfaces|toutes les interfaces|any address|open ports?|offene\w* ports?|puertos? abiertos?|ports? ouverts?|any-address|ouvrir un port|abrir un puerto)\b/,
  ],
];

/** Kinds of things that several checks look for, or one of them among others: then with what the summary of its findings has. */
const KINDS: readonly (readonly [checks: readonly string[], matter: RegExp, of?: RegExp])[] = [
  [
    ['startup-entry'],
    /\b(?:ssh[ -]?keys?|ssh ?-?schlussel|authorized[ _]keys|(?:llaves?|claves?) (?:de )?ssh|cles? ssh)\b/,
    /ssh|authorized/,
  ],
  [
    ['startup-entry'],
    /\b(?:cron ?-?jobs?|crontabs?|cron entr\w+|tareas? (?:de )?cron|taches? cron)\b/,
    /cron/,
  ],
  [
    ['module-views', 'kernel-taint'],
    /\b(?:kernel[ -]?modul\w*|modulos? (?:del |de )?(?:kernel|nucleo)|modules? (?:du )?(?:noyau|kernel)|drivers?|treiber)\b/,
  ],
  [
    ['startup-entry'],
    /\b(?:accounts?|(?:benutzer)?konten|(?:benutzer)?konto|cuentas?|comptes?|sudo(?:ers)?)\b/,
    /\baccounts?\b|passwd|shadow|sudo|\/etc\/group/,
  ],
  [
    ['startup-entry'],
    /\b(?:startup (?:entr\w+|items?|programs?)|autostarts?|autostart-?eintr\w+|entradas? de (?:arranque|inicio)|entrees? de demarrage|systemd units?)\b/,
  ],
  [
    ['vital-sign'],
    /\b(?:cpus?|processors?|load|auslastung|prozessorlast|carga|charge|procesador|processeur)\b/,
    /cpu|processor|load|pressure/,
  ],
  [
    ['vital-sign'],
    /\b(?:disks?|disk space|platten?(?:platz)?|festplatten?|discos?|disques?|inodes?)\b/,
    /disk|space|inode|drive|full/,
  ],
  [['vital-sign'], /\b(?:memory|ram|swap|arbeitsspeicher|memoria|memoire)\b/, /memory|swap/],
  [['vital-sign'], /\b(?:temperatures?|temperatur|temperatura|overheat\w*)\b/, /hot|temperature|celsius/],
  [['preload-environment', 'preload-file'], /\b(?:ld_)?preload\w*\b/],
];

const RUNNING: typeof KINDS = [
  [
    ['unlearned-process'],
    /(?<=\b(?:unknown|unlearned|unbekannte[nrs]?) )(?:process(?:es)?|programs?|prozesse?n?|programme?n?)\b|\b(?:procesos?|programas?|processus|programmes?)(?= (?:desconocid|inconnu))/,
  ],
  [
    ['public-listener', 'unknown-local-listener', 'banned-listener', 'ownerless-socket', 'hidden-port'],
    /\b(?:listeners?|open ports|ports?|offene\w* ports|puertos?|lauscher|sockets?)\b/,
  ],
  [
    [
      ...['unlearned-process', 'hidden-process', 'odd-executable-path', 'deleted-executable'],
      ...['memfd-executable', 'preload-environment', 'traced', 'name-mismatch'],
    ],
    /\b(?:process(?:es)?|programs?|prozesse?n?|programme?n?|procesos?|programas?|processus|programmes?)\b/,
  ],
];

interface Named {
  readonly checks: readonly string[];
  /** As the question calls it. */
  readonly named: string;
  readonly matter: RegExp;
  /** What the summary of a finding has to have beside its check. */
  readonly of: RegExp | null;
}

/** What a question is about of what checks look for: these checks, and what it is called there; null without any. */
/** `isBroad`: also of all processes or listeners. */
export function matterIn(text: string, isBroad: boolean): Named | null {
  const ofOne = MATTERS.map(([check, one]) => [[check], one] as const);
  const kind = [...KINDS, ...ofOne, ...(isBroad ? RUNNING : [])].find(([, one]) => one.test(text));
  if (kind === undefined) return null;
  const [checks, one, of = null] = kind;
  return { checks, named: one.exec(text)?.[0] ?? '', matter: one, of };
}

/** The check whose matter is asked about; '' where no check has it, null where no advice is asked for. */
export function adviceOf(plainText: string): string | null {
  // "Pourquoi ne faut-il pas".
  const isOfThing = !ASKS.test(plainText.replace('pourquoi ne faut', 'pourquoi faut'));
  if (isOfThing && !OF_A_THING.test(plainText)) return null;
  const text = plainText.replace(ANY_ADDRESS, 'any-address');
  if (SPECIFIC.test(text)) return null;
  return MATTERS.find(([, matter]) => matter.test(text))?.[0] ?? (isOfThing ? null : '');
}

const LOOKS = said(
  'A check looks for it, as severity',
  'Eine Prüfung sucht danach, als Schwere',
  'Una comprobación lo busca, con gravedad',
  'Un contrôle le cherche, avec la gravité',
);
const BENIGN = said(
  'It may be benign:',
  'Es kann harmlos sein (englisch):',
  'Puede ser inofensivo (en inglés):',
  'Cela peut être anodin (en anglais) :',
);
const REMEDY = said(
  'What to do:',
  'Was zu tun ist (englisch):',
  'Qué hacer (en inglés):',
  'Que faire (en anglais) :',
);
const NO_ADVICE = said(
  'I have no advice on this: I answer from what was measured here and from the documentation of the desk. Ask what a word or a check means, or which findings are open',
  'Dazu kann ich nicht raten: ich antworte aus dem, was hier gemessen wurde, und aus der Dokumentation des Desks. Fragen Sie, was ein Wort oder eine Prüfung bedeutet, oder welche Befunde offen sind',
  'Sobre eso no puedo aconsejar: respondo con lo que se midió aquí y con la documentación del desk. Pregunte qué significa una palabra o una comprobación, o qué hallazgos están abiertos',
  'Je n’ai pas de conseil à ce sujet : je réponds d’après ce qui a été mesuré ici et d’après la documentation du desk. Demandez ce que veut dire un mot ou un contrôle, ou quels constats sont ouverts',
);

/** False where no check is about it. */
export function sayAdvice(out: AnswerBuilder, check: string): boolean {
  const t = (texts: Said): Plain => plain(texts[out.language]);
  if (check === '') {
    out.say`${t(NO_ADVICE)}.`;
    out.suggest('desk think "what can you do?"');
    return false;
  }
  const get = out.at(`checks[id=${quoted(check)}]`);
  out.say`${t(LOOKS)} ${get('severity')}: ${get('id')}.`;
  out.quotesDocumentation();
  out.say`${get('about')}.`;
  if (get('benign').value !== '') out.say`${t(BENIGN)} ${get('benign')}.`;
  if (get('remedy').value !== '') out.say`${t(REMEDY)} ${get('remedy')}.`;
  out.suggest('desk findings');
  return true;
}
