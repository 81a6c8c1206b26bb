/** A question without the polite words around it: "could you tell me whether there are zombies" asks "are there zombies". Pure. */

/** Before a question; what follows must be one. */
const ASKS_FOR_IT = [
  `(?:(?:could|can|would|will) you (?:please |kindly |perhaps |maybe |possibly )*)?(?:tell|inform) (?:me|us)(?: please)?|let (?:me|us) know`,
  `would you mind (?:telling|letting) (?:me|us)(?: know)?|(?:(?:could|would) you be so (?:kind|nice)(?: as)?|(?:would|could) you be kind enough)(?: to| and) (?:tell|let) (?:me|us)(?: know)?`,
  `(?:i|we)(?:['’]d| would| do|) (?:(?:really |just |also |very much )*(?:like|love|want|wish|need) to (?:know|find out|learn))|i(?:['’]m| am| was)? ?wonder(?:ing)?|do you (?:happen to )?know|(?:may|can|could) i (?:just )?ask(?: you)?|i have a question|(?:a |just a )?quick question|just curious|(?:i am|i['’]m) curious|is it possible to (?:know|find out)|any idea`,
  `(?:k[öo]nnte(?:st|n)|kann?st|k[öo]nnen|w[üu]rde(?:st|n)) (?:du|sie|ihr) (?:mir|uns) (?:bitte |vielleicht |mal |eventuell |freundlicherweise |kurz |bitte mal )*(?:sagen|verraten|mitteilen)|w[äa]r(?:e|en|st|est) (?:du|sie) so (?:freundlich|nett|lieb)(?:,? mir zu sagen| und (?:sagst|sagen|w[üu]rden)(?: sie)? mir)?|sag(?:en|t)?(?: sie)?(?: mir| mal| bitte)+|wei(?:ß|ss)t du(?: zuf[äa]llig)?|wissen sie(?: zuf[äa]llig)?|darf ich (?:mal )?fragen|(?:eine |kurze |mal eine )+frage`,
  `ich (?:h[äa]tte|w[üu]rde|m[öo]chte|will|w[üu][sß]s?te|muss) (?:(?:gerne?|einfach|mal|bitte|nur|noch) )*(?:gewusst|wissen|erfahren|gerne?)|ich frage? mich|mich (?:w[üu]rde|t[äa]te) (?:mal )?interessieren|mich interessiert|ich brauche (?:die )?auskunft`,
  `(?:j['’]aimerais|je voudrais|je souhaite(?:rais)?|je veux|j['’]ai besoin de|on aimerait|nous aimerions)(?: bien)? savoir|(?:pourriez|pouvez|peux|pourrais)[- ](?:vous|tu)(?: s['’]il (?:vous|te) pla[iî]t)? (?:me|nous) (?:dire|indiquer)|(?:auriez|aurais)[- ](?:vous|tu) (?:l['’]amabilit[ée]|la gentillesse|la bont[ée]) de (?:me|nous) dire|(?:seriez|serais)[- ](?:vous|tu) (?:assez )?aimable (?:de|pour) me dire|dis[- ]moi|dites[- ]moi|(?:sais[- ]tu|savez[- ]vous|tu sais)|je me demand(?:e|ais)|est[- ]il possible de savoir|(?:une |petite )+question`,
  `(?:me|nos) gustar[ií]a saber|(?:quisiera|querr[ií]a|quiero|necesito|desear[ií]a) saber|(?:podr[ií]as?|puedes?)(?: usted)? (?:decirme|indicarme|decirnos)|(?:me|nos) (?:podr[ií]as?|puedes?)(?: usted)? (?:decir|indicar)|ser[ií]as? tan amable de decirme|tendr[ií]as? la amabilidad de decirme|dime|d[ií]game|(?:sabes?|sabe usted)(?= (?:si|qu|cu|d[oó]nde))|me pregunto|(?:una )?pregunta(?: r[aá]pida)?`,
];
/** Before any request. */
const KIND = [
  `(?:could|would) you (?:please )?be so (?:kind|nice)(?: as)?(?: to| and)|(?:could|would) you be kind enough to|(?:sorry|apologies)(?: to (?:bother|disturb)(?: you)?)?,? but|(?:please|pls|kindly|bitte|por favor|porfa|svp|s['’]il (?:vous|te) pla[iî]t),?|if (?:you don['’]?t mind|possible|i may ask),?|wenn (?:es )?(?:m[öo]glich|keine umst[äa]nde macht),?|si no es (?:mucha )?molestia,?|si possible,?`,
];
const AFTER =
  /[\s,]+(?:please|pls|thanks(?: in advance| a lot)?|thank you(?: very much)?|thx|kthx|if you (?:don['’]?t mind|can|please)|if possible|bitte(?: sehr)?|danke(?: ?sch[öo]n| im voraus)?|vielen dank(?: im voraus)?|por favor|porfa(?:vor)?|(?:muchas )?gracias(?: de antemano)?|s['’]il (?:te|vous) pla[iî]t|svp|stp|merci(?: d['’]avance| beaucoup)?)(?=\s*[.!?]*$)/iu;

/** Behind a question: how simple the answer has to be. */
const SIMPLY =
  /[\s,]+(?:to me |for me |for )?(?:like i['’]?a?m (?:an? |not an? )?(?:beginner|noob|five|child|idiot|techie|expert|non-techie|5)(?: years? old)?|in (?:simple|plain|easy) (?:terms|words|english|language)|for (?:dummies|beginners|a beginner)|eli5|simply|(?:ganz )?einfach|f[üu]r (?:anf[äa]nger|laien|einen anf[äa]nger)|in einfachen worten|con palabras sencillas|para (?:principiantes|tontos)|de forma sencilla|en termes simples|pour (?:un )?(?:d[ée]butants?|les nuls)|simplement)(?=\s*[.!?]*$)/iu;

const joined = (ways: readonly string[]): string => ways.join('|');
const ASKED = new RegExp(
  String.raw`^[¿¡\s]*(?:${joined(ASKS_FOR_IT)})(?!\p{L})(?: (?:please|bitte|por favor|s['’]il (?:te|vous) pla[iî]t))?[\s,:;–-]+(?=(?:whether|if|how|what|which|who|when|where|why|is|are|am|do|does|did|has|have|was|were|ob|wie|was|welche\w*|wer|wen|wem|wann|wo|woher|warum|wieso|seit|ist|sind|gibt|hat|l[äa]uft|si|s['’]ils?|combien|comment|quel\w*|qu['’e]\S*|ce (?:que|qui|qu['’])|qui|quand|o[uù]|pourquoi|depuis|qu[eé]|cu[aá]l\w*|cu[aá]nt\w*|cu[aá]ndo|c[oó]mo|d[oó]nde|qui[eé]n\w*|por qu[eé]|desde|hay|est[aá]n?)(?!\p{L}))`,
  'iu',
);
const POLITE = new RegExp(String.raw`^[¿¡\s]*(?:${joined(KIND)})\s+(?=\S+ \S)`, 'iu');

/** An indirect question as the direct one. */
const DIRECT: readonly (readonly [indirect: RegExp, direct: string])[] = [
  [/^(?:whether|if)(?: or not)? (?:there (is|are|was|were)|there['’](s)) /iu, '$1$2 there '],
  [/^(?:whether|if)(?: or not)? /iu, ''],
  [/^ob es (.+) (gibt|gab)(?=\s*[.!?]*$)/iu, '$2 es $1'],
  [/^ob (.+?),? (\p{L}+)(?=\s*[.!?]*$)/iu, '$2 $1'],
  [/^s['’]il y a /iu, 'y a-t-il '],
  [/^s['’](ils?) /iu, 'est-ce qu’$1 '],
  [
    /^si (?=(?:le|la|les|l['’]|un|une|des|mon|mes|ce|cette|ces|on|je|tu|nous|vous|elles?|quelqu)(?!\p{L}))/iu,
    'est-ce que ',
  ],
  [/^si (?=\p{L})/iu, ''],
  [/^ce (qu[ei]|qu['’])/iu, 'qu’est-ce $1'],
];

const MOST = 4;
const SHORTEST = 2;
const wordsIn = (text: string): number => text.split(/\s+/).filter((one) => /[\p{L}\d]/u.test(one)).length;

/** Only the question; as it is where nothing would be left. */
export function withoutPoliteness(message: string): string {
  let text = message;
  for (let turn = 0; turn < MOST; turn++) {
    const bare = text.replace(AFTER, '').replace(SIMPLY, '').replace(POLITE, '');
    const asked = bare.replace(ASKED, '');
    const next = asked === bare ? bare : direct(asked);
    if (next === text || wordsIn(next) < SHORTEST) break;
    text = next;
  }
  return text;
}

function direct(question: string): string {
  const found = DIRECT.find(([indirect]) => indirect.test(question));
  return found === undefined ? question : question.replace(found[0], found[1]);
}
