/** Other words for a question that the grammar reads: what is worst, alerts that fired, what is new at startup, enabled units. Pure. */
import { plainOf } from './read.ts';

interface Wording {
  readonly asks: RegExp;
  readonly not?: RegExp;
  /** The question as the grammar reads it; of a pattern that names words, these alone are replaced. */
  readonly text: string;
  readonly words?: RegExp;
}

const ELSE =
  /\b(?:port|process\w*|user|check|account\w*|startup|package\w*|today|since|yesterday|week|how (?:do|can|to)|why|and|of (?!all)|in the|fix\w*|id|\d+)\b/;

/** Commands of a shell that show what is asked. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^ps(?: -?[a-z]+)?$/, 'which processes run'],
  [/^h?top$/, 'top 10 processes by cpu'],
  [/^df(?: -[a-z]+)?$/, 'how full are the disks'],
  [/^free(?: -[a-z]+)?$/, 'how much memory is free'],
  [/^(?:ss|netstat) -[a-z]*l[a-z]*$/, 'list listeners'],
  [/^systemctl (?:--failed|list-units --failed)$/, 'which services failed'],
];

const WORDINGS: readonly Wording[] = [
  {
    asks: /^(?:(?:please|pls|ok|so|hey) )*(?:(?:explain|describe|show|tell|give)(?: (?:me|us|to me|me about))? |what(?: is|s| s)? |which (?:finding |problem |issue )?is )?(?:the |our |my )?(?:single )?(?:most (?:serious|severe|critical|dangerous|important|urgent)|worst|biggest|gravest|severest)(?: open)?(?: (?:finding|problem|issue|thing|one))?(?: (?:right now|now|here|currently|at the moment|that is open|open|of all|we have|you have))*[?!. ]*$/,
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
    asks: /\balert(?:s|e|as|es)?\b.*\b(?:fired|triggered|gone off|go off|went off|went out|gone out|go out|come in|came in|ausgelost|losgegangen|rausgegangen|raus|dispararon|disparado|saltaron|saltado|declenchees?|parties?)\b|\balarme?\b.*\b(?:ausgelost|losgegangen|rausgegangen|raus)\b|\b(?:disparado|dispararon|saltado|saltaron|declenchees?)\b.*\balert\w*\b/,
    not: /\b(?:rules?|why|warum|if|wenn|falls|would|should)\b/,
    words:
      /(?<!\p{L})(?:fired|triggered|gone off|go off|went off|went out|gone out|go out|come in|came in)(?!\p{L})|(?<!\p{L})(?:ausgelöst|losgegangen|rausgegangen)(?!\p{L})|(?<!\p{L})(?:dispararon|disparado|saltaron|saltado)(?!\p{L})|(?<!\p{L})(?:déclenchées?|parties?)(?!\p{L})/iu,
    text: '',
  },
  {
    asks: /^(?:(?:are there|is there|do i have|do we have|show|list|what are|which|any|give)(?: me| us)? )*(?:the |any )?(?:new startup (?:entries|entry|items?|programs?)|startup (?:entries|entry|items?|programs?)(?: that)? (?:are|is) new|new autostarts?)[?!. ]*$/,
    text: 'newest startup entries',
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

/** As it is where it has none of these. */
const HAS_PASSWORD = /^(?:has|have) ([\w.-]+) (?:got )?a password(?: set)?[?!. ]*$/i;

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

export function canonical(written: string): string {
  const asked = withNeither(withNumber(written)).replace(HOMES, '$1 /home');
  const user = HAS_PASSWORD.exec(asked.trim())?.[1];
  if (user !== undefined) return `does ${user} have a password?`;
  const plain = plainOf(asked.trim());
  const command = COMMANDS.find(([one]) => one.test(plain.replace(/[?.! ]+$/, '')))?.[1];
  if (command !== undefined) return command;
  const found = WORDINGS.find(({ asks, not }) => asks.test(plain) && !not?.test(plain));
  if (found === undefined) return asked;
  if (found.words === undefined) return found.text;
  return asked.replace(found.words, (word) => SENT.find(([one]) => one.test(word))?.[1] ?? 'sent');
}
