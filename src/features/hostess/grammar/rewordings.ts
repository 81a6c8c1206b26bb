/** Other words for questions that the grammar and the facts read: clock times, why an alert came, commands, what should not be public. Pure. */

/** A part of the question, and what the grammar reads in its place. */
type Rewording = readonly [words: RegExp, as: string | ((...found: string[]) => string)];

const NOON = 12;
const afternoon = (hour: string, minute = ''): string =>
  `${Number(hour) < NOON ? Number(hour) + NOON : Number(hour)}${minute || ':00'}`;
/** 3 at night is 3:00, 11 at night is 23:00, and 12 is midnight. */
const atNight = (hour: string, minute = ''): string =>
  Number(hour) === NOON
    ? `0${minute || ':00'}`
    : Number(hour) > 5
      ? afternoon(hour, minute)
      : `${hour}${minute || ':00'}`;

const CLOCKS: readonly Rewording[] = [
  [/(?<![\d:.])(\d{1,2}(?::\d\d)?) ?([ap])\.m\.?(?!\p{L})/iu, '$1 $2m'],
  [/(?<![\d:.])(\d{1,2}(?::\d\d)?)(?: o['’]clock)? in the morning(?!\p{L})/iu, '$1 am'],
  [
    /(?<![\d:.])(\d{1,2})(:\d\d)?(?: o['’]clock)? at night(?!\p{L})/iu,
    (_, hour = '', minute) => atNight(hour, minute),
  ],
  [/(?<![\d:.])(\d{1,2}(?::\d\d)?)(?: o['’]clock)? (?:in the (?:afternoon|evening))(?!\p{L})/iu, '$1 pm'],
  [/(?<![\d:.])(\d{1,2}) ?uhr (?:morgens|früh|in der früh|vormittags)(?!\p{L})/iu, '$1 Uhr'],
  [
    /(?<![\d:.])(\d{1,2}) ?uhr nachts(?!\p{L})/iu,
    (_, hour = '') => `${atNight(hour).replace(':00', '')} Uhr`,
  ],
  [
    /(?<![\d:.])(\d{1,2}) ?uhr (?:nachmittags|abends)(?!\p{L})/iu,
    (_, hour = '') => `${afternoon(hour).replace(':00', '')} Uhr`,
  ],
  [
    /(?<!\p{L})a las? (\d{1,2})(:\d\d)? de la (?:mañana|madrugada)(?!\p{L})/iu,
    (_, hour, minute) => `a las ${hour}${minute ?? ':00'}`,
  ],
  [
    /(?<!\p{L})a las? (\d{1,2})(:\d\d)? de la (?:tarde|noche)(?!\p{L})/iu,
    (_, hour = '', minute) => `a las ${afternoon(hour, minute)}`,
  ],
  [/(?<![\d:.])(\d{1,2}) ?h(?:eures?)? du matin(?!\p{L})/iu, '$1:00'],
  [
    /(?<![\d:.])(\d{1,2}) ?h(?:eures?)? (?:de l['’]après-midi|du soir)(?!\p{L})/iu,
    (_, hour = '') => afternoon(hour),
  ],
  [/(?<!\p{L})(last|past) (\d{1,3}) ?h(?![\p{L}\d])/iu, '$1 $2 hours'],
  [/(?<!\p{L})(letzten|vergangenen) (\d{1,3}) ?h(?![\p{L}\d])/iu, '$1 $2 Stunden'],
  [/(?<!\p{L})(últimas|ultimas) (\d{1,3}) ?h(?![\p{L}\d])/iu, '$1 $2 horas'],
  [
    /(?<!\p{L})(\d{1,3}) ?h dernières(?!\p{L})|(?<!\p{L})(?:dernières) (\d{1,3}) ?h(?![\p{L}\d])/iu,
    (_, one, other) => `${one ?? other} dernières heures`,
  ],
];

const SPANS: readonly Rewording[] = [
  [/(?<!\p{L})(?:der|in der) letzten nacht(?!\p{L})/iu, 'letzte Nacht'],
  [/(?<!\p{L})(?:of|for|about|over|during) the (day|week|month)(?= *[?.!]*$)/iu, 'this $1'],
  [/(?<!\p{L})(?:der|über die|für die) woche(?= *[?.!]*$)/iu, 'diese Woche'],
  [/(?<!\p{L})de la semana(?= *[?.!]*$)/iu, 'esta semana'],
  [/(?<!\p{L})(?:de|sur) la semaine(?= *[?.!]*$)/iu, 'cette semaine'],
  [
    /(?<!\p{L})while (?:i|we) (?:was|were|am|are) (?:away|gone|out|absent|on (?:holidays?|vacation|leave)) (?:for|in|during) (?:the (?:last|past) )?((?:\d+|two|three|four|a|one) (?:days?|weeks?|months?|hours?))(?!\p{L})/iu,
    (_, span = '') => `in the last ${span.replace(/^(?:a|one) /i, '')}`,
  ],
  [
    /(?<!\p{L})((?:summary|recap|report|overview)) for (?:my|the|our) (?:boss|manager|team|client|customer|chef|ceo)(?!\p{L})/iu,
    '$1',
  ],
  [/(?<!\p{L})(any|some|every)(one|body) (?:but|other than|apart from|besides) (?=\p{L})/iu, '$1$2 except '],
];

const WOKE =
  '(?:wake|woken?|page|paged|ping|pinged|buzz|buzzed|bother|bothered|disturb|disturbed|text|texted|notify|notified|alert|alerted|alarm|alarmed|email|emailed|message|messaged|ring|beep|beeped)';
/** Why someone was disturbed: an alert came. */
const ALERTED: readonly Rewording[] = [
  [
    new RegExp(
      `(?<!\\p{L})why (?:did|do|have|has) (?:you|it|the desk|hostess) (?:just |even |already )?${WOKE} (?:me|us)(?: up)?(?!\\p{L})|(?<!\\p{L})why (?:was|were|am|are) (?:i|we) (?:just )?woken(?: up)?(?!\\p{L})`,
      'iu',
    ),
    'why did I get an alert',
  ],
  [
    /(?<!\p{L})(?:warum|wieso|weshalb) (?:hast du|hat (?:der|das) desk|habt ihr) (?:mich|uns) ?(.*?) ?(?:auf)?(?:geweckt|gewarnt|alarmiert|benachrichtigt|angepiept|gestört)(?!\p{L})/iu,
    'warum habe ich $1 Meldungen bekommen',
  ],
  [
    /por qué (?:me|nos) (?:has )?(?:despert(?:aste|ado)|avisa(?:ste|do)|alerta(?:ste|do)|notifica(?:ste|do)|molesta(?:ste|do))(?!\p{L})/iu,
    'por qué recibí una alerta',
  ],
  [
    /pourquoi (?:tu m['’]as|m['’]as[- ]tu|est[- ]ce que tu m['’]as|vous m['’]avez|m['’]avez[- ]vous) (?:réveillée?|alertée?|prévenue?|notifiée?|dérangée?|avertie?)(?!\p{L})/iu,
    'pourquoi ai-je reçu une alerte',
  ],
];

/** Whole questions. */
const WHOLE: readonly Rewording[] = [
  [
    /^(?:is|are) there (?:a |any )?(?:second|more than one|additional|extra|hidden) ?(?:accounts?|users?)? ?(?:with )?uid ?0(?: accounts?| users?)?[\s?!.]*$/iu,
    'is there another account with uid 0 besides root?',
  ],
  [
    /^(?:what|which (?:programs?|things?|entries|services?|jobs?)) (?:starts?|runs?) (?:at|on) (?:boot|startup) (?:that|which|and) (?:no package owns|(?:is|are) (?:not from|from no|owned by no|not owned by a|not part of a) (?:any )?package|does(?: not|n['’]t) (?:come from|belong to) a(?:ny)? package)[\s?!.]*$|^which (?:boot|startup) entries are not from a package[\s?!.]*$/iu,
    'which startup entries does no package vouch for?',
  ],
  [
    /^(?:are|were|have)(?: there)? (?:any )?(?:installed |system |packaged |package )(?:files?|binaries|programs?)(?: been)? (?:modified|changed|altered|tampered with|corrupted)[\s?!.]*$/iu,
    'which packages were changed?',
  ],
  [
    /^which (?:program files?|binaries|executables?|files) (?:do|does|are|is)(?: not|n['’]t) (?:belong to|come from|from|owned by|part of) (?:a|any) package[\s?!.]*$/iu,
    'which programs belong to no package?',
  ],
  [
    /^(?:please )?(?:explain|describe|tell me (?:more )?about|details (?:of|on|about)|more about)(?: to me)? the ([\w./-]+) (?:finding|problem|issue|alert|warning|scar)(?: to me)?(?: (?:please|in (?:simple|plain) (?:words|terms|english)))?[\s?!.]*$/iu,
    'how do I fix the $1 finding?',
  ],
  [
    /^what (?:did|have) (?:i|we) accept(?:ed)?(?: so far)?(?: and why)?[\s?!.]*$/iu,
    'which findings are accepted?',
  ],
  [
    /^was habe ich (?:schon |bisher |alles )?akzeptiert(?: und warum)?[\s?!.]*$/iu,
    'Welche Befunde sind akzeptiert?',
  ],
  [/^[¿ ]*qué he aceptado(?: y por qué)?[\s?!.]*$/iu, '¿qué hallazgos están aceptados?'],
  [
    /^qu['’](?:ai[- ]je|est[- ]ce que j['’]ai) accepté(?: et pourquoi)?[\s?!.]*$/iu,
    'quels constats sont acceptés ?',
  ],
  [
    /^(?:what(?: is|['’]s)|show|give me)(?: me)? (?:my|the|our) (?:site |website )?(?:uptime (?:percent(?:age)?|in percent|in %)|availability)(?: of (?:my|the) (?:site|website))?[\s?!.]*$/iu,
    'uptime of the site in percent',
  ],
  [
    /^(?:when|at what time)(?: exactly)? (?:is|does|do|will|are)(?: (?:i|we))? ?(?:the|your|my|get)?(?: the)?(?: daily)? (?:digest|summary|report|daily (?:mail|message))(?: (?:be|sent|go|goes|out|come|arrive|delivered))*[\s?!.]*$/iu,
    'at what time does the digest go out?',
  ],
  [
    /^wann (?:wird|kommt|geht) (?:der|die) (?:tägliche )?(?:digest|zusammenfassung|tagesbericht)(?: (?:verschickt|gesendet|raus))?[\s?!.]*$/iu,
    'what is alerts.digest.at?',
  ],
  [
    /^wann (?:wurde|war)(?: (?:der (?:rechner|server)|die maschine|das system))?(?: zuletzt| zum letzten mal| das letzte mal)? neu ?gestartet[\s?!.]*$/iu,
    'wann war der letzte Neustart?',
  ],
  [
    /^(?:and )?(?:but )?why (?:is|was) (?:it|this|that|this one|this finding|that finding)(?: (?:rated|classified|marked|ranked|considered|so|as|a|an|of|such))* (?:low|medium|high|critical|severe|serious|problem|issue|bad|dangerous|risk|risky)(?: severity)?[\s?!.]*$/iu,
    'why?',
  ],
  [
    /^(?:und )?(?:warum|wieso|weshalb) (?:ist|wurde) (?:es|das|er|der|dieser|dieser befund|der befund)(?: (?:als|so|ein))* (?:hoch|niedrig|mittel|kritisch|schwer|schlimm|problem|gefährlich)(?: (?:eingestuft|bewertet))?[\s?!.]*$/iu,
    'warum?',
  ],
  [
    /^[¿ ]*(?:y )?por qué (?:es|está|fue)(?: (?:este|ese|el) hallazgo)?(?: (?:clasificado|marcado|tan|como|un|de|severidad|gravedad))* (?:alt[oa]|baj[oa]|medi[oa]|crític[oa]|grave|problema|peligroso)[\s?!.]*$/iu,
    '¿por qué?',
  ],
  [
    /^(?:et )?pourquoi (?:est[- ](?:il|elle|ce)|c['’]est|ce constat est(?:[- ]il)?)(?: (?:classé|noté|si|aussi|un|de|comme|gravité|en))* (?:élevée?|haute?|basse?|moyenne?|critique|grave|problème|dangereux)[\s?!.]*$/iu,
    'pourquoi ?',
  ],
  [
    /^(?:which|what) (?:services?|daemons?) (?:are |is )?(?:currently |now |actually )?(?:running|active|up|started)(?: (?:now|right now|here|on (?:this|the) \w+))?[\s?!.]*$/iu,
    'list running services',
  ],
  [
    /^welche (?:dienste|services) (?:laufen|sind aktiv)(?: (?:gerade|hier|jetzt))*[\s?!.]*$/iu,
    'liste laufenden dienste',
  ],
  [
    /^[¿ ]*qué servicios (?:están (?:activos|corriendo|en marcha|en ejecución)|corren|se ejecutan)(?: ahora)?[\s?!.]*$/iu,
    'lista servicios activos',
  ],
  [
    /^quels services (?:tournent|sont actifs|fonctionnent)(?: (?:maintenant|actuellement))?[\s?!.]*$/iu,
    'liste services actifs',
  ],
  [
    /^(?:which|what) config(?:uration)? files?(?: (?:is|are|do|does))?(?: (?:you|the desk|it|being|in|currently))*(?: (?:us(?:e|es|ed|ing)|read|reads|reading|load|loaded|loading))?[\s?!.]*$/iu,
    'where is your configuration file?',
  ],
  [
    /^welche konfig(?:urations)?(?:datei)?(?: (?:nutzt|verwendest|liest|benutzt|wird|hast)(?: (?:du|der desk|verwendet|benutzt|gelesen))?)[\s?!.]*$/iu,
    'Wo liegt deine Konfigurationsdatei?',
  ],
  [
    /^how (?:do|can|should) (?:i|we) (?:turn on|switch on|enable|activate|get|see|set)(?: the)? (?:debug|verbose|more detailed|trace)(?: (?:log|logs|logging|output|mode|messages))?[\s?!.]*$/iu,
    'how do I change the log level?',
  ],
  [
    /^wie (?:schalte|aktiviere|bekomme|setze) ich (?:das |die |den )?(?:debug|ausführliche\w*)[- ]?(?:log(?:ging|s)?|ausgabe|modus|meldungen)?(?: (?:ein|an))?[\s?!.]*$/iu,
    'how do I change the log level?',
  ],
  [
    /^(?:please )?(?:list|show|give|tell)(?: me| us)? (?:all )?(?:of )?(?:the |your )?(?:available |possible |desk )?commands[\s?!.]*$|^(?:what|which)(?: are)?(?: all)?(?: the| your)? (?:available )?commands (?:can|could|do|may|are|does|should)(?: (?:i|we|you|it|the desk|there))?(?: (?:use|type|run|have|offer|know|support|understand|available|possible|on|at|in|the|command|line|terminal|shell|prompt|here))*[\s?!.]*$/iu,
    'which commands are there?',
  ],
  [
    /^(?:quelles?|liste(?:r)?|montre)(?: moi)?(?: sont)?(?: (?:les|des|tes))? commandes(?: (?:existent|sont|disponibles|possibles|puis-je|je|peux|utiliser|as-tu|connais-tu|y|a-t-il))*[\s?!.]*$/iu,
    'quelles commandes y a-t-il ?',
  ],
  [
    /^(?!.*(?<!\p{L})(?:how (?:do|can|to)|what (?:is|does)|means?|why|avoid|prevent)(?!\p{L})).*(?<!\p{L})(?:oom|out[- ]of[- ]memory)(?!\p{L}).*(?<!\p{L})(?:kill|kills|killed|strike|struck|hit|happen\w*|triggered|fired?|ended|end|active)(?!\p{L}).*$|^.*(?<!\p{L})(?:killed|died|ended)(?!\p{L}).*(?<!\p{L})(?:oom|out[- ]of[- ]memory|low memory|lack of memory|memory was (?:short|full))(?!\p{L}).*$/iu,
    'any OOM kills?',
  ],
  [
    /^(?:is|are|was|anything|something|does|do)(?!.*\bhow\b).*(?<!\p{L})(?:all interfaces|everywhere|0\.0\.0\.0|exposed|public(?:ly)?|the (?:whole )?(?:internet|world|network)|outside)(?!\p{L}).*(?<!\p{L})(?:should(?: only| not|n['’]t)?|supposed to|meant to|ought to)(?!\p{L}).*$/iu,
    'are there public listeners that are not allowed?',
  ],
  [
    /^(?:which|what)(?!.*\bhow\b).*(?<!\p{L})(?:all interfaces|everywhere|0\.0\.0\.0|exposed|public(?:ly)?|the (?:whole )?(?:internet|world|network)|outside)(?!\p{L}).*(?<!\p{L})(?:should(?: only| not|n['’]t)?|supposed to|meant to|ought to)(?!\p{L}).*$/iu,
    'which public listeners are not allowed?',
  ],
  [
    /^(?:lauscht|ist|sind|was|welche\w*|gibt es)(?!\p{L}).*(?<!\p{L})(?:allen (?:schnittstellen|interfaces)|überall|öffentlich|von außen|0\.0\.0\.0)(?!\p{L}).*(?<!\p{L})(?:sollte\w*|dürfte\w*|soll)(?!\p{L}).*$/iu,
    'welche öffentlichen Listener sind nicht erlaubt?',
  ],
  [
    /^[¿ ]*(?:hay|qué|cuáles|está|están|algo)(?!\p{L}).*(?<!\p{L})(?:todas las interfaces|expuest\w+|públic\w+|0\.0\.0\.0)(?!\p{L}).*(?<!\p{L})(?:debería\w*|debe)(?!\p{L}).*$/iu,
    '¿qué listeners públicos no están permitidos?',
  ],
  [
    /^(?:y a-t-il|qu\w*|est-ce|quels?)(?!\p{L}).*(?<!\p{L})(?:toutes les interfaces|exposé\w*|publi\w+|0\.0\.0\.0)(?!\p{L}).*(?<!\p{L})(?:devrai\w*|doit|doivent)(?!\p{L}).*$/iu,
    'quels listeners publics ne sont pas autorisés ?',
  ],
  [
    /^(?:and |und |y |et )?(?:which|what)(?: ones| ports)?(?: are)? (?:banned|forbidden|blocked)[\s?!.]*$/iu,
    'which ports are banned?',
  ],
  [
    /^(?:und |und die )?welche(?: ports)?(?: sind)? (?:gesperrt|verboten|gebannt|blockiert)[\s?!.]*$/iu,
    'Welche Ports sind gesperrt?',
  ],
  [
    /^[¿ ]*(?:y )?(?:cuáles|qué puertos)(?: están)? (?:prohibidos|bloqueados|vetados)[\s?!.]*$/iu,
    '¿qué puertos están prohibidos?',
  ],
  [
    /^(?:et )?(?:lesquels|quels ports)(?: sont)? (?:interdits|bloqués|bannis)[\s?!.]*$/iu,
    'quels ports sont interdits ?',
  ],
  [
    /^(?:how (?:do|can|should) (?:i|we)|i want to|please) (?:add|put) (?:port )?(\d{1,5}) (?:to|on|in|into) (?:the |your )?(?:list of )?(?:allow(?:ed)?|white|permitted|accepted)[ -]?(?:list|ports)?[\s?!.]*$/iu,
    'how do I allow port $1?',
  ],
  [
    /^wie (?:füge|nehme|setze) ich (?:den )?(?:port )?(\d{1,5}) (?:zur|auf die|in die|der) (?:liste der erlaubten(?: ports)?|erlaubten liste|whitelist|allowlist|erlaubnisliste)(?: (?:hinzu|auf))?[\s?!.]*$/iu,
    'Wie erlaube ich Port $1?',
  ],
  [
    /^[¿ ]*cómo (?:añado|agrego|pongo) (?:el )?(?:puerto )?(\d{1,5}) (?:a|en) la lista (?:de )?(?:puertos )?(?:permitidos|blanca)[\s?!.]*$/iu,
    '¿cómo permito el puerto $1?',
  ],
  [
    /^comment (?:ajouter|mettre) (?:le )?(?:port )?(\d{1,5}) (?:à|dans|sur) la liste (?:des )?(?:ports )?(?:autorisés|blanche)[\s?!.]*$/iu,
    'comment autoriser le port $1 ?',
  ],
  [
    /^(?:how (?:do|can|should) (?:i|we)|i want to) (?:set|make|create|take|build|record|start) (?:up )?(?:a )?(?:new |fresh |clean )baseline[\s?!.]*$/iu,
    'how do I reset the baseline?',
  ],
  [
    /^wie (?:setze|erstelle|mache|lege|lerne|baue) ich (?:die |eine )?(?:neue )?baseline(?: neu| zurück| an| auf)*[\s?!.]*$/iu,
    'Wie setze ich die Baseline zurück?',
  ],
  [
    /^(show|list|print)(?: me)? (?:the |all )?processes (?:of|for|by|from) (?:the )?user ([\w.-]+)[\s?!.]*$/iu,
    'which processes does $2 run?',
  ],
];

/** Longer questions say more than one of these. */
const LONGEST = 160;

/** The question with such words replaced; as it is where it has none. */
export function reworded(asked: string): string {
  const replace = (text: string, [words, as]: Rewording): string =>
    typeof as === 'string' ? text.replace(words, as) : text.replace(words, as);
  const whole = asked.length > LONGEST ? undefined : WHOLE.find(([words]) => words.test(asked.trim()));
  if (whole !== undefined) return replace(asked.trim(), whole);
  return [...CLOCKS, ...SPANS, ...ALERTED].reduce(replace, asked);
}
