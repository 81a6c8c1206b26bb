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
  /\b(log|logged|sign|signed) in (?=(?:this|the last|the past|last (?:week|month|night|hours?|days?|year))\b)/iu;

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

/** As it is where it has none of these. */
export function canonical(written: string): string {
  const here = GERMAN.test(written) ? written.replace(HERE, '') : written;
  const asked = NIGHT.reduce((text, [words, night]) => text.replace(words, night), here).replace(
    LOGGED_IN,
    '$1 on ',
  );
  const plain = plainOf(asked.trim());
  const found = WORDINGS.find(({ asks, not }) => asks.test(plain) && !not?.test(plain));
  if (found === undefined) return asked;
  if (found.words === undefined) return found.text;
  return asked.replace(found.words, (word) => SENT.find(([one]) => one.test(word))?.[1] ?? 'sent');
}
