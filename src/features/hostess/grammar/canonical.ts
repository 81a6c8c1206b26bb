/** Other words for a question that the grammar reads: what is worst, alerts that fired, what is new at startup, enabled units. Pure. */
import type { Instant } from '../../../engine/snapshot.ts';
import { momentIn } from '../times.ts';
import { plainOf } from './read.ts';

interface Wording {
  readonly asks: RegExp;
  readonly not?: RegExp;
  /** The question as the grammar reads it; of a pattern that names words, these alone are replaced. */
  readonly text: string;
  readonly words?: RegExp;
  /** What these are replaced by. */
  readonly as?: string;
}

const ELSE =
  /\b(?:port|process\w*|user|check|account\w*|startup|package\w*|today|since|yesterday|week|how (?:do|can|to)|why|and|of (?!all)|in the|fix\w*|id|\d+)\b/;

const UPDATES = '(?:updates?|upgrades?|patches|aktualisierungen|actualizaciones|mises? a jour)';
const WORRY =
  '(?:worr\\w*|urgent|concern\\w*|critical|important|install|apply|care|sorgen?|dringend|wichtig|kritisch|einspielen|installieren|preocup\\w*|urgentes?|importantes?|instalar|inquiet\\w*|urgente?s?|critiques?|installer)';
const ON_UPDATES = new RegExp(`\\b${WORRY}\\b.*\\b${UPDATES}\\b|\\b${UPDATES}\\b.*\\b${WORRY}\\b`);
const NOT_UPDATES =
  /\b(?:how|wie|como|comment|desk|hostess|installed|installiert|instalad\w+|installees?|last|when|since|today|yesterday|\d+)\b/;
const updates = (of: RegExp, text: string): Wording => ({
  asks: new RegExp(`(?=.*(?:${of.source}))(?:.*)(?:${ON_UPDATES.source})`),
  not: NOT_UPDATES,
  text,
});
/** Commands of a shell that show what is asked. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^ps(?: -?[a-z]+)?$/, 'which processes run'],
  [/^h?top$/, 'top 10 processes by cpu'],
  [/^df(?: -[a-z]+)?$/, 'how full are the disks'],
  [/^free(?: -[a-z]+)?$/, 'how much memory is free'],
  [/^(?:ss|netstat) -[a-z]*l[a-z]*$/, 'list listeners'],
  [/^systemctl (?:--failed|list-units --failed)$/, 'which services failed'],
];

const MAY_BE_OPEN: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:which|what) ports? (?:may|can|could|are allowed to) (?:be )?(?:open|used|listen\w*)[?!. ]*$/,
    'which ports are allowed?',
  ],
  [
    /^welche ports? (?:durfen|darf|konnen) (?:offen sein|lauschen|benutzt werden|geoffnet sein)[?!. ]*$/,
    'Welche Ports sind erlaubt?',
  ],
  [
    /^[¿ ]*(?:que|cuales) puertos? (?:pueden|puede) (?:estar abiertos?|escuchar|usarse)[?!. ]*$/,
    '¿qué puertos están permitidos?',
  ],
  [
    /^quels? ports? (?:peuvent|peut) (?:etre ouverts?|ecouter|etre utilises?)[?!. ]*$/,
    'quels ports sont autorisés ?',
  ],
];

const MAY_PORT: readonly (readonly [RegExp, string])[] = [
  [/^(?:may|can) port (\d+) (?:be (?:open|opened|used)|listen)[?!. ]*$/, 'is port $1 allowed?'],
  [/^(?:darf|kann) port (\d+) (?:offen sein|geoffnet sein|benutzt werden)[?!. ]*$/, 'Ist Port $1 erlaubt?'],
  [/^[¿ ]*puede (?:el )?puerto (\d+) (?:estar abierto|usarse)[?!. ]*$/, '¿está permitido el puerto $1?'],
  [
    /^(?:le port (\d+) peut il|est ce que le port (\d+) peut) etre (?:ouvert|utilise)[?!. ]*$/,
    'le port $1$2 est-il autorisé ?',
  ],
];
const WATCHED_PORTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:which|what) ports (?:do you|does (?:the )?desk|are you|are) (?:watch\w*|monitor\w*|check\w*)[?!. ]*$/,
    'list the desk ports',
  ],
  [
    /^welche ports (?:uberwachst du|uberwacht (?:der )?desk|werden uberwacht|prufst du)[?!. ]*$/,
    'Welche Desk-Ports gibt es?',
  ],
  [
    /^[¿ ]*(?:que|cuales) puertos (?:vigilas|supervisas|vigila el desk|se vigilan)[?!. ]*$/,
    '¿qué puertos del desk hay?',
  ],
  [
    /^quels ports (?:surveilles tu|surveille (?:le )?desk|sont surveilles)[?!. ]*$/,
    'quels ports du desk y a-t-il ?',
  ],
];

const TWO_ROOTS =
  /\b(?:(?:more than|mehr als|mas de|plus de) 1|two|several|more than one|multiple|another|other|second|zwei|mehrere|weitere[rn]?|noch ein\w*|zweite[rn]?|dos|varios|otro|segundo|deux|plusieurs|autre|second) (?:root (?:users?|accounts?)|root-?(?:konten|konto|benutzer|user)|(?:usuarios?|cuentas?|utilisateurs?|comptes?) root)\b/;

const WORDINGS: readonly Wording[] = [
  ...(
    [
      'which accounts have uid 0?',
      'Welche Konten haben uid 0?',
      '¿qué cuentas tienen uid 0?',
      'quels comptes ont l’uid 0 ?',
    ] as const
  ).map((text, at) => ({
    asks: new RegExp(
      `^(?:${['is|are|do|does', 'gibt|sind|hat', '[¿ ]*(?:hay|existe\\w*)', 'y a t|est ce|il y'][at]})\\b(?=.*${TWO_ROOTS.source})`,
    ),
    text,
  })),
  ...WATCHED_PORTS.map(([asks, text]) => ({ asks, text })),
  ...MAY_BE_OPEN.map(([asks, text]) => ({ asks, text })),
  {
    asks: /\b(?:any|some)(?:one|body) but (?!not\b|no\b)/,
    ...{ text: '', words: /\bbut\b/i, as: 'besides' },
  },
  {
    asks: /^(?:qui|quel (?:utilisateur|compte)) (?:s est|est ce qui s est) connectee? (?:le plus recemment|en dernier)[?!. ]*$/,
    text: 'qui s’est connecté en dernier ?',
  },
  updates(/\b(?:should|must|need|do|are|is|the)\b/, 'are there any updates waiting?'),
  updates(/\b(?:muss|soll|sollte|sind|ist|ich)\b/, 'Gibt es ausstehende Updates?'),
  updates(/\b(?:debo|deberia|son|hay|tengo|me)\b/, '¿hay actualizaciones pendientes?'),
  updates(/\b(?:dois|faut|sont|je|est)\b/, 'Y a-t-il des mises à jour en attente ?'),
  {
    asks: /^(?:(?:what|which|show)(?: me)?(?: (?:is|s))? )?(?:the )?(?:finding|findings|problem|issue)? ?(?:with |has |of )?(?:the )?(?:highest|top|max\w*|greatest|worst) severity(?: (?:finding|problem|issue|one))?[?!. ]*$/,
    text: 'worst finding?',
  },
  {
    asks: /^(?:was|welche[rs]?|welches) (?:befund |problem |fund |sache )?(?:ist |davon ist )?(?:gerade |jetzt |im moment )?(?:am (?:schlimmsten|schwersten|dringendsten|gravierendsten|gefahrlichsten|wichtigsten)|(?:der|die|das) (?:dringendste|wichtigste|gefahrlichste))(?: (?:befund|problem))?[?!. ]*$|^befund mit (?:der )?(?:hochsten|grossten) schwere[?!. ]*$/,
    text: 'Was ist der schlimmste Befund?',
  },
  {
    asks: /^(?:(?:please|pls|ok|so|hey) )*(?:(?:explain|describe|show|tell|give)(?: (?:me|us|to me|me about))? |what(?: is|s| s)? |which (?:finding |problem |issue )?is )?(?:the |our |my )?(?:single )?(?:most (?:serious|severe|critical|dangerous|important|urgent)|worst|biggest|gravest|severest)(?: open)?(?: (?:finding|problem|issue|thing|one))?(?: (?:right now|now|here|currently|at the moment|that is open|open|of all|we have|you have|in (?:simple|plain|easy|other) (?:words|terms|english)))*[?!. ]*$/,
    not: ELSE,
    text: 'worst finding?',
  },
  {
    asks: /^(?:(?:erklar\w*|zeig\w*|nenn\w*)(?: mir)?(?: bitte)? |(?:was|welche[rs]?|wie) (?:ist |lautet )?(?:befund |problem )?(?:ist )?)?(?:der |die |das |den |dem )?(?:schlimmste[nrs]?|schwerste[nrs]?|gravierendste[nrs]?|ernsteste[nrs]?|grosste[nrs]? )(?: ?(?:befund|problem|sache|fund))(?: (?:gerade|jetzt|hier|im moment|aktuell|ist|derzeit))*[?!. ]*$/,
    text: 'Was ist der schlimmste Befund?',
  },
  {
    asks: /^(?:(?:explique|montre|donne)(?: moi)? |(?:quel|quelle|lequel) (?:est )?(?:constat |probleme )?(?:est )?)?(?:le |la )?(?:pire|plus grave|plus serieux|probleme le plus \w+|constat le plus \w+)(?: (?:probleme|constat|souci|chose))?(?: (?:actuellement|maintenant|en ce moment|ici|actuel))*[?!. ]*$/,
    text: 'Quel est le constat le plus grave ?',
  },
  {
    asks: /^[¿ ]*(?:(?:explica\w*|muestra\w*|dime)(?: me)? |(?:cual|que) (?:es )?)?(?:el |la |lo )?(?:peor|(?:hallazgo|problema|cosa) mas \w+|mas (?:grave|serio))(?: (?:problema|hallazgo|cosa))?(?: (?:ahora|aqui|actual|ahora mismo|en este momento))*[?!. ]*$/,
    text: '¿Cuál es el hallazgo más grave?',
  },
  {
    asks: /^(?:so )?why (?:was|were|am|did) (?:i|we) (?:being |get |just )?(?:alerted|notified|warned|messaged|emailed|paged)\b/,
    words:
      /\bwhy (?:was|were|am|did) (?:i|we) (?:being |get |just )?(?:alerted|notified|warned|messaged|emailed|paged)\b/iu,
    text: '',
    as: 'why did I get an alert',
  },
  {
    asks: /\balert(?:s|e|as|es)?\b.*\b(?:fired|triggered|gone off|go off|went off|went out|gone out|go out|come in|came in|ausgelost|losgegangen|rausgegangen|raus|dispararon|disparado|saltaron|saltado|declenchees?|parties?)\b|\balarme?\b.*\b(?:ausgelost|losgegangen|rausgegangen|raus)\b|\b(?:disparado|dispararon|saltado|saltaron|declenchees?)\b.*\balert\w*\b/,
    not: /\b(?:rules?|why|warum|if|wenn|falls|would|should)\b/,
    words:
      /(?<!\p{L})(?:fired|triggered|gone off|go off|went off|went out|gone out|go out|come in|came in)(?!\p{L})|(?<!\p{L})(?:ausgelöst|losgegangen|rausgegangen)(?!\p{L})|(?<!\p{L})(?:dispararon|disparado|saltaron|saltado)(?!\p{L})|(?<!\p{L})(?:déclenchées?|parties?)(?!\p{L})/iu,
    text: '',
  },
  {
    asks: /^(?:(?:show|list|what|which|are there)(?: me| us)? )*(?:the )?(?:(?:systemd )?(?:units|services) (?:are |that are )?enabled|enabled (?:systemd )?(?:units|services))[?!. ]*$/,
    text: 'which systemd services are enabled?',
  },
];

const SENT: readonly (readonly [RegExp, string])[] = [
  [/^(?:ausg|losg|rausg)/i, 'verschickt'],
  [/^(?:dispararon|saltaron)/i, 'enviaron'],
  [/^(?:disparado|saltado)/i, 'enviado'],
  [/^(?:d[ée]clench|partie)/i, 'envoyées'],
];

/** "Logged in this week" is not within it. */
const LOGGED_IN =
  /\b(log|logged|sign|signed) (?:in|on) (?:(last night)\b|(?=(?:this|the last|the past|last (?:week|month|hours?|days?|year))\b))/iu;

/** "Hier" is here in German, and yesterday in French. */
const GERMAN =
  /(?<!\p{L})(?:wer|wie|was|welche[rnsm]?|ist|sind|hat|haben|gibt|läuft|laufen|wurde|wurden|kann|darf)(?!\p{L})/iu;
const HERE = / hier(?!\p{L})/iu;

/** The night before, as the grammar of times has it. */
const NIGHT: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})(?:overnight|over ?night|during the night|in the night)(?!\p{L})/iu, 'last night'],
  [/(?<!\p{L})(?:über Nacht|in der Nacht|während der Nacht)(?!\p{L})/iu, 'heute Nacht'],
  [/(?<!\p{L})(?:durante la noche|por la noche|en la noche)(?!\p{L})/iu, 'anoche'],
  [/(?<!\p{L})(?:pendant la nuit|durant la nuit|dans la nuit)(?!\p{L})/iu, 'cette nuit'],
];

/** What was solved in a time, as findings that were closed in it; of late, in the week. */
const SOLVED: readonly (readonly [asks: RegExp, by: string, recent: string])[] = [
  [
    /^(?:what|which|did|have|has|were|was|anything)\b.*\b(?:fixed|solved|resolved|went away|gone away|cleared up|disappeared)\b|^(?:what|which (?:problems?|issues?)) .*\bclosed?\b/,
    'which findings were closed',
    'this week',
  ],
  [
    /^(?:was|welche\w*|wurde\w*|ist|sind)\b.*\b(?:behoben|gelost|erledigt|verschwunden|repariert)\b/,
    'welche Befunde wurden geschlossen',
    'diese Woche',
  ],
  [
    /^[¿ ]*(?:que|cuales|se)\b.*\b(?:resuelt\w+|solucion\w+|arregl\w+|desaparec\w+|resolvi\w+|corregid\w+)\b/,
    '¿qué hallazgos se cerraron',
    'esta semana',
  ],
  [
    /^(?:qu|quels?|quelles?|a t on|est ce)\b.*\b(?:resolue?s?|corrigee?s?|disparue?s?|reglee?s?|reparee?s?)\b/,
    'quels constats ont été fermés',
    'cette semaine',
  ],
];
const SOLVED_ELSE =
  /\b(?:how|why|wie|warum|como|por que|comment|pourquoi|port|process\w*|gate|program\w*|site|page|name|address|\d{3,}|if|wenn|si|which one|should|must|would|it|package\w*|account\w*|exception\w*|limit\w*)\b/;

/** A question about a time, by any clock: only its words are wanted. */
const ANY_TIME = { epochMs: 1_760_000_000_000, offsetMin: 0 } as Instant;
function solved(plain: string): string | null {
  if (SOLVED_ELSE.test(plain)) return null;
  const found = SOLVED.find(([asks]) => asks.test(plain));
  if (found === undefined) return null;
  const { moment } = momentIn(plain, ANY_TIME);
  return `${found[1]} ${moment?.text ?? found[2]}?`;
}

/** Whether the baseline knows a program: its name. */
const NOT_NAMED =
  '(?:it|that|this|he|she|they|everything|anything|something|port|es|das|er|sie|alles|eso|esto|todo|ca|cela|tout|il|elle|\\d+)';
const KNOWN: readonly (readonly [asks: RegExp, by: string])[] = [
  [
    new RegExp(
      `^(?:is|was|has) (?:the program |the process |program )?(?!${NOT_NAMED}\\b)(\\S+) (?:already |ever |been |on |part of |in )*(?:known|learned|learnt|(?:the |your )?baseline|(?:the |your )?list of (?:known|learned) \\w+|(?:the |your )?(?:known|learned) programs?)(?: (?:to|by) (?:you|the baseline|the desk))?(?: yet| before)?[?!. ]*$`,
      'i',
    ),
    'do you know',
  ],
  [
    new RegExp(
      `^(?:ist|war|wurde) (?:das programm |der prozess )?(?!${NOT_NAMED}\\b)(\\S+) (?:schon |bereits |je |dir |ein |teil |in |der |deiner |den |im )*(?:bekannt(?:es programm)?|gelernt|baseline|bekannten programmen)(?: worden| enthalten)?[?!. ]*$`,
      'i',
    ),
    'kennst du',
  ],
  [
    new RegExp(
      `^[¿ ]*(?:esta|está|es|fue) (?!${NOT_NAMED}\\b)(\\S+) (?:ya |en |la |lista de |los |programas )*(?:conocid[oa]s?|aprendid[oa]|l[ií]nea base|baseline)[?!. ]*$`,
      'i',
    ),
    'conoces',
  ],
  [
    new RegExp(
      `^(?:est[- ]ce que )?(?!${NOT_NAMED}\\b)(\\S+) est(?:[- ]il|[- ]elle)? (?:déjà |deja |dans |la |liste des |programmes )*(?:connu(?:e|s)?|appris(?:e)?|baseline|référence|reference|ligne de base)[?!. ]*$`,
      'i',
    ),
    'connais-tu',
  ],
];

/** "Ça veut dire quoi X" asks what X means. */
const MEANS_WHAT =
  /^[\s¿]*(?:[çc]a veut dire quoi|[çc]a signifie quoi|que signifie|qu['’]est[- ]ce que [çc]a veut dire,?) (.{2,80}?)[\s?!.]*$/iu;
const WHAT_MEANS = /^(.{2,80}?),? (?:[çc]a veut dire quoi|[çc]a signifie quoi)[\s?!.]*$/iu;

const COUNTED = '(?= (?:ports?|puertos?|process\\w*|prozess\\w*|procesos?|listeners?)(?!\\p{L}))';
const MORE_THAN_ONE = new RegExp(
  `(?<!\\p{L})(more than|mehr als|m[aá]s de|plus de|plus d['’]) ?(?:one|a single|einem|einen|ein|uno?|une?)${COUNTED}`,
  'iu',
);
const SEVERAL = new RegExp(
  `(?<!\\p{L})(?:(several|multiple|various)|(mehrere[nr]?)|(varios)|(plusieurs))${COUNTED}`,
  'iu',
);
/** A number that is a word. */
const withNumber = (asked: string): string =>
  asked
    .replace(MORE_THAN_ONE, (_, more: string) => `${more.replace(/d['’]$/, 'de')} 1`)
    .replace(
      SEVERAL,
      (_, en, de, es) => `${en ? 'more than' : de ? 'mehr als' : es ? 'más de' : 'plus de'} 1`,
    );

/** Where homes are. */
const HOMES =
  /(?<!\p{L})(from|out of|in|aus|desde|en|depuis|dans) (?:a |the |den |einem |un |una |los |el |la |les |le )?(?:home[- ](?:director(?:y|ies)|folders?|dirs?|verzeichniss?e?n?|ordnern?)|(?:directorios?|carpetas?) (?:home|personal(?:es)?)|(?:dossiers?|r[eé]pertoires?) (?:personnels?|home))(?!\p{L})/iu;

/** "Neither A nor B". */
const NEITHER: readonly (readonly [RegExp, not: string])[] = [
  [/(?<!\p{L})neither (.+?) nor (?=\p{L})/iu, 'not'],
  [/(?<!\p{L})weder (.+?) noch (?=\p{L})/iu, 'nicht'],
  [/(?<!\p{L})(?:no (?:son|es|est[aá]n?|pertenecen) )?ni (.+?) ni (?=\p{L})/iu, 'no'],
];
const withNeither = (asked: string): string =>
  NEITHER.reduce((text, [words, not]) => text.replace(words, `${not} $1 ${not} `), asked);

/** As it is where it has none of these. */
export function canonical(written: string): string {
  const here = GERMAN.test(written) ? written.replace(HERE, '') : written;
  const counted = withNeither(withNumber(here)).replace(HOMES, '$1 /home');
  const asked = NIGHT.reduce((text, [words, night]) => text.replace(words, night), counted).replace(
    LOGGED_IN,
    (_, login: string, night?: string) => `${login} ${night === undefined ? 'on ' : 'in yesterday night'}`,
  );
  const term = MEANS_WHAT.exec(asked.trim())?.[1] ?? WHAT_MEANS.exec(asked.trim())?.[1];
  if (term !== undefined) return `que veut dire ${term} ?`;
  for (const [asks, by] of KNOWN) {
    const name = asks.exec(asked.trim())?.[1];
    if (name !== undefined) return `${by} ${name}?`;
  }
  const plain = plainOf(asked.trim());
  for (const [words, text] of MAY_PORT) if (words.test(plain)) return plain.replace(words, text);
  const closed = solved(plain.replace(/[?!.]+$/, ''));
  if (closed !== null) return closed;
  const command = COMMANDS.find(([one]) => one.test(plain.replace(/[?.! ]+$/, '')))?.[1];
  if (command !== undefined) return command;
  const found = WORDINGS.find(({ asks, not }) => asks.test(plain) && !not?.test(plain));
  if (found === undefined) return asked;
  if (found.words === undefined) return found.text;
  return asked.replace(
    found.words,
    (word) => found.as ?? SENT.find(([one]) => one.test(word))?.[1] ?? 'sent',
  );
}
