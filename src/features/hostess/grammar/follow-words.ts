/** How a question that follows another one is said, in four languages. Text without marks and capitals. */
import { LANGUAGES, type Language, vocabulary } from './vocabulary.ts';

export type Move =
  | 'why'
  | 'worry'
  | 'fine'
  | 'should'
  | 'learned'
  | 'remedy'
  | 'accept'
  | 'undo'
  | 'last-up'
  | 'went-down'
  | 'ever'
  | 'up'
  | 'since'
  | 'user'
  | 'pid'
  | 'ports'
  | 'port'
  | 'threads'
  | 'path'
  | 'from'
  | 'times'
  | 'parent'
  | 'severity'
  | 'check'
  | 'days'
  | 'command'
  | 'vouched'
  | 'shell'
  | 'rights'
  | 'login'
  | 'second'
  | 'third'
  | 'first'
  | 'newest'
  | 'oldest'
  | 'worst'
  | 'others'
  | 'processes'
  | 'count'
  | 'explain'
  | 'list';

type Row = readonly [move: Move, en: string, de: string, es: string, fr: string];

/** The first that fits is meant: what is said with more words comes first. */
const ROWS: readonly Row[] = [
  [
    'why',
    'why(?: is (?:that|it|this)| not)?|how come|for what reason',
    'warum(?: nicht)?|wieso|weshalb',
    'por que(?: no)?',
    'pourquoi(?: pas)?',
  ],
  [
    'explain',
    '(?:(?:can|could) you )?(?:explain|describe)(?: (?:me|to me))? (?:it|that|this|them)(?: to me)?|(?:tell me |show me |i want to know |what is )?more (?:about|on|of) (?:it|that|this|them)|(?:tell|show) me more|more(?: details?| information| info)?|(?:the )?details (?:of|on|about) (?:it|that|this|them)|what is (?:it|that|this) about|what does (?:it|that|this) mean',
    '(?:kannst du )?(?:erklare?|beschreibe?|erlautere?)(?: mir)? (?:das|es|ihn|sie|den|die)(?: genauer| naher)?|(?:sag mir |erzahl mir )?mehr (?:dazu|daruber|davon|details|infos)|genauer|(?:die )?details dazu|worum geht es(?: da| dabei)?|was bedeutet das|was heisst das',
    '(?:explica(?:me)?|describe)(?:lo|la)?(?: eso| esto| ese| el| la)?|(?:dime |cuentame )?mas (?:sobre (?:eso|esto|el|ella)|detalles|informacion)|de que se trata|que significa(?: eso| esto)?',
    '(?:explique|decris)(?: moi)? (?:ca|cela|le|la|les)|(?:dis m en |dis moi )?plus (?:de details|d infos|d informations|a ce sujet|la dessus|sur ca)|de quoi s agit il|(?:qu est ce que ca|que) (?:veut dire|signifie)(?: ca| cela)?',
  ],
  [
    'worry',
    '(?:should|do|must|need) i (?:need )?(?:to )?(?:be )?(?:worried|worry|concerned|care|act|do something)(?: (?:about|because of) (?:it|that|this|them|those))?|is (?:it|that|this|he|she) (?:bad|dangerous|a problem|a threat|serious|harmful|critical|suspicious|risky)|are (?:they|those|these) (?:bad|dangerous|serious|harmful|suspicious|a problem)|how (?:bad|serious|dangerous) is (?:it|that|this)|(?:is|are|was|were) (?:any|anything|some|something|one|all|which)(?: of)? ?(?:that|this|it|them|those|these|there)? ?(?:bad|dangerous|serious|worrying|suspicious|harmful|a problem|problematic|urgent|to worry about)|(?:is|are) (?:it|that|they|those) urgent|anything (?:bad|dangerous|serious|suspicious|worrying|urgent)(?: (?:in|among) (?:it|that|there|them|those))?|bad|dangerous|serious|urgent',
    '(?:muss|soll|sollte) (?:ich|man) (?:mir |uns |mich )?.*(?:sorgen(?: machen)?|handeln)(?: (?:deswegen|daruber))?|(?:ist|sind) (?:das|es|die|sie) (?:schlimm|gefahrlich|ein problem|bedenklich|verdachtig|kritisch|ernst)|wie (?:schlimm|gefahrlich|ernst) ist (?:das|es)|(?:ist|sind|war) (?:davon |darunter |da |dabei )?(?:etwas|was|irgendwas|eines|einer|welche)? ?(?:davon |darunter |dabei )?(?:schlimm\\w*|gefahrlich\\w*|bedenklich\\w*|verdachtig\\w*|ernst\\w*|dringend\\w*)|(?:etwas |was )?(?:schlimmes|gefahrliches|kritisches|bedenkliches|verdachtiges)(?: (?:dabei|darunter))?|schlimm|gefahrlich',
    '(?:debo|deberia|tengo que|hay que) preocupar(?:me|se)(?: (?:por|de) (?:eso|esto|ello))?|me (?:debo|deberia) preocupar|(?:es|son|esta) (?:eso |esto )?(?:malo|mala|peligros[oa]s?|graves?|un problema|sospechos[oa]s?)|que tan grave es|(?:hay|es|son) (?:algo|alguno|alguna|algun)(?: de (?:eso|esto|ellos|ellas))? (?:malo|peligros[oa]s?|graves?|sospechos[oa]s?|urgentes?|preocupantes?)(?: (?:en|entre) (?:eso|esto|ellos|ello))?|malo|peligroso|grave',
    '(?:dois je|devrais je|faut il) (?:m |s )?(?:inquieter|en inquieter)(?: (?:de|pour) (?:ca|cela))?|(?:c est|est ce|cela est|ca est|est ce que c est|est ce que cela est) (?:grave|dangereux|un probleme|suspect|inquietant|mauvais|urgent)|(?:y a t il|est ce qu il y a|il y a) (?:quelque chose|quoi que ce soit)? ?(?:de |d )?(?:grave|dangereux|inquietant|suspect)(?: (?:la dedans|dans ca|parmi (?:ca|eux)))?|(?:l un|l une|certains?) (?:d entre eux )?(?:est il|sont ils) (?:grave|dangereux)s?|grave|dangereux',
  ],
  [
    'fine',
    '(?:is|are) (?:it|that|this|they|those|these) (?:normal|ok|okay|fine|safe|harmless|expected|allowed|permitted|all right|alright|benign)|normal|ok|okay|allowed|expected|harmless',
    '(?:ist|sind|darf) (?:das|es|die|sie) (?:normal|ok|okay|in ordnung|harmlos|erlaubt|so|zulassig|erwartet|sein)|normal|erlaubt|harmlos|in ordnung',
    '(?:es|son|esta|estan) (?:eso |esto )?(?:normal(?:es)?|bien|permitid[oa]s?|inofensiv[oa]s?|esperad[oa]s?|segur[oa]s?)|normal',
    '(?:c est|est ce|cela est|ca est|est ce que c est) (?:normal|permis|autorise|anodin|prevu|en ordre)|normal',
  ],
  [
    'should',
    'should (?:it|that|this|he|they)(?: be)?(?: (?:there|running|up|open|so|on))?|is (?:it|that) supposed to(?: be)?(?: (?:there|running|up|open))?|does it have to(?: be)?|must it(?: be)?',
    '(?:soll|sollte|muss|musste) (?:er|es|das|sie|der)(?: denn)?(?: (?:laufen|sein|so sein|offen sein|oben sein))?',
    '(?:deberia|tendria que|debe)(?: (?:estarlo|serlo|estar|ser|correr|ejecutarse|funcionar|hacerlo|estar asi))?',
    '(?:devrait il|est ce que ca devrait|ca devrait|devrait elle|doit il|doit elle)(?: (?:l etre|etre|tourner|etre la|le faire))?',
  ],
  [
    'learned',
    '(?:has|have|had|was|were|is|are) (?:it|that|this|they|those|these) (?:ever )?(?:been )?(?:learned|learnt|known|in the baseline)(?: (?:in|to|by) the baseline)?(?: before)?',
    '(?:wurde|wurden|ist|sind|war) (?:er|es|das|sie|die|der) (?:je |jemals |schon |schon einmal )?(?:in der baseline )?(?:gelernt|bekannt|in der baseline)(?: worden| in der baseline)?',
    '(?:se ha|se han|ha sido|han sido|esta|estan|fue) (?:alguna vez )?(?:aprendid[oa]s?|conocid[oa]s?|en la linea base)(?: en la linea base)?(?: alguna vez)?',
    '(?:a t il|a t elle|est ce que (?:ca|cela|c) (?:a|est)|ont ils|est il|est elle) (?:deja |jamais )?(?:ete )?(?:appris|apprise|connu|connue|dans la reference)(?: (?:de|dans) la reference)?',
  ],
  [
    'remedy',
    'how (?:do|can|should|would|to)(?: (?:i|we|you|one))? (?:fix|solve|resolve|stop|repair|cure|remove|handle|get rid of|deal with|correct|clear|end)(?: (?:it|that|this|them|those|these))?|what (?:can|should|must|do|shall) (?:i|we) do(?: (?:about|with|against) (?:it|that|this|them))?|what now|what to do(?: (?:about|with) (?:it|that|them))?|(?:the )?(?:fix|remedy|solution|cure)',
    'wie (?:behebe|lose|entferne|repariere|beende|beseitige|stoppe|behebt|lost|entfernt|werde) (?:ich|man)(?: (?:das|es|ihn|sie|die))?(?: los)?|was (?:kann|soll|muss|sollte) (?:ich|man)(?: (?:dagegen|damit|da|jetzt|nun))? (?:tun|machen)|was (?:tun|jetzt|nun)|was (?:ist zu|zu) tun|(?:und )?die losung',
    'como (?:lo|la|los|las|se|puedo)?(?: |)(?:arregl\\w+|solucion\\w+|resuelv\\w+|resolver\\w*|corrij\\w+|corregir\\w*|elimin\\w+|quit\\w+|par[oa]\\w*)(?: (?:eso|esto|esos))?|que (?:hago|puedo hacer|debo hacer|tengo que hacer|hay que hacer|se puede hacer)(?: (?:con|ante|contra) (?:eso|esto|el|ella))?|y ahora que|la solucion',
    'comment (?:le |la |les |l |je )?(?:corriger|corrige|regler|regle|resoudre|reparer|repare|supprimer|arreter|faire disparaitre|m en debarrasser)(?: (?:ca|cela|ceux ci))?|que (?:faire|puis je faire|dois je faire|faut il faire)(?: (?:contre|de|avec) (?:ca|cela))?|qu est ce que je (?:fais|peux faire|dois faire)|la solution',
  ],
  [
    'accept',
    'how (?:do|can|should|to)(?: (?:i|we))? (?:accept|approve|allow|permit|ignore|learn|whitelist|tolerate)(?: (?:it|that|this|them|those))?|(?:can|may) (?:i|we) (?:accept|approve|allow|ignore) (?:it|that|this|them)',
    'wie (?:akzeptiere|erlaube|genehmige|lerne|ignoriere|nehme) ich (?:das|es|ihn|sie|die)(?: an)?|kann ich (?:das|es|ihn|sie) (?:akzeptieren|annehmen|erlauben|ignorieren|lernen)',
    'como (?:lo|la|los|las) (?:acept\\w+|apr\\w+|permit\\w+|autoriz\\w+|ignor\\w+)|puedo (?:aceptarl\\w+|permitirl\\w+|ignorarl\\w+)|como (?:puedo )?(?:aceptar|aprobar|permitir|ignorar)l[oa]s?',
    'comment (?:l |le |la |les )(?:accepte\\w*|approuve\\w*|autorise\\w*|ignore\\w*|permettre)|puis je (?:l |le |la |les )(?:accepter|autoriser|ignorer|approuver)',
  ],
  [
    'undo',
    'how (?:do|can|to)(?: (?:i|we))? (?:undo|revert|take back|withdraw|reverse|cancel|revoke)(?: (?:it|that|this|them))?(?: back)?',
    'wie (?:mache|nehme|widerrufe) ich (?:das|es) ?(?:ruckgangig|zuruck|wieder ruckgangig)?',
    'como (?:lo |eso )?(?:deshago|revierto|anulo|retiro|deshacerlo|revertirlo|quito)(?: eso)?',
    'comment (?:l |le |la )?(?:annule\\w*|retire\\w*|defai\\w*|revenir en arriere)(?: (?:ca|cela))?',
  ],
  [
    'last-up',
    'when (?:was|were|has) (?:it|that|this) (?:last |most recently )?(?:been )?(?:seen )?(?:up|open|running|reachable|alive|seen)(?: last| the last time| for the last time)?(?: then)?|when was (?:it|that) last (?:up|open|seen|seen up|running)(?: then)?',
    'wann war (?:er|es|das|sie|der)(?: denn)? (?:zuletzt|das letzte mal|zum letzten mal) ?(?:oben|offen|da|erreichbar|aktiv)?',
    'cuando (?:estuvo|fue|se vio)(?: (?:abierto|activo|arriba|visto))? (?:por ultima vez|la ultima vez)(?: (?:abierto|activo|arriba))?',
    'quand (?:etait il|etait elle|a t il ete|l a t on vu)(?: (?:ouvert|actif|vu|en marche))? (?:pour la derniere fois|la derniere fois)(?: (?:ouvert|actif))?',
  ],
  [
    'went-down',
    '(?:when|since when|how long) (?:did|has|is|was) (?:it|that|this) (?:been )?(?:go down|gone down|fall|crash|stop|break|down|closed?|offline|fail)',
    '(?:wann|seit wann) (?:ist|fiel|ging) (?:er|es|das|sie|der) (?:ausgefallen|aus|unten|down|offline|weg|gefallen|geschlossen)',
    '(?:cuando|desde cuando) (?:se )?(?:cayo|ha caido|esta caido|paro|dejo de funcionar|se cerro|cerro)',
    '(?:quand|depuis quand) (?:est il|est elle|il est|s est il|ca) (?:tombe|arrete|en panne|ferme|hors ligne)e?',
  ],
  [
    'ever',
    '(?:was|were|has|have|is) (?:it|that|this|they|there) (?:ever|ever been|before|been)(?: (?:up|open|there|one|seen|before|down|listening|running))?|ever',
    '(?:war|waren) (?:er|es|das|sie|der|da) (?:je|jemals|schon einmal|schon mal|vorher)(?: (?:offen|oben|da))?|jemals',
    '(?:lo |la )?(?:estuvo|ha estado|fue)(?: (?:abierto|activo))? (?:alguna vez|antes)(?: (?:abierto|activo))?|alguna vez',
    '(?:l a t il|l a t elle|a t il|etait il) (?:deja|jamais)(?: (?:ete|ouvert|actif))?(?: (?:ouvert|actif))?|jamais',
  ],
  [
    'up',
    '(?:is|are) (?:it|that|this|they) (?:up|down|open|running|alive|reachable|listening|still (?:up|down|open|running|there)|there)(?: (?:now|right now))?|does (?:it|that|he) (?:still )?run|(?:is|was) (?:it|that) (?:also |even )?(?:started|active|on)',
    '(?:ist|lauft|sind|laufen) (?:er|es|das|sie|der|die)(?: denn)?(?: (?:noch|jetzt|gerade|wieder))?(?: (?:oben|unten|offen|da|erreichbar|aktiv|an))|lauft (?:er|es|das|sie|der|die)(?: (?:denn|auch|noch|jetzt|gerade|hier|uberhaupt))*|(?:ist|sind) (?:er|es|das|sie) (?:gerade )?(?:gestartet|aktiv|am laufen)',
    '(?:esta|sigue|estan) (?:aun |todavia |ahora )?(?:activo|arriba|abierto|caido|en marcha|funcionando|activos|abiertos)|(?:se esta )?(?:ejecutando|corriendo)|(?:esta|estan) (?:corriendo|ejecutandose|levantad[oa]s?|funcionando|activ[oa]s?|iniciad[oa]s?)|(?:corre|funciona|se ejecuta)(?: ahora)?',
    '(?:est il|est elle|sont ils|il est) (?:encore |toujours )?(?:actif|ouvert|en marche|arrete|en panne|actifs|ouverts)|(?:est ce qu )?(?:il|elle|ca) (?:tourne|fonctionne|marche|est lance|est active?)|(?:tourne|fonctionne|marche)(?: t)? (?:il|elle)',
  ],
  [
    'days',
    'how (?:many days|long|much time) (?:is that|is it|are that|are left|is left|left|until then|until that|do i have|do we have|remain(?:s|ing)?)(?: (?:from )?(?:now|left))?|how many days(?: left)?|in how many days',
    'wie (?:viele tage|lange) (?:sind das|ist das|noch|sind es|bleiben|bleibt|hat es|hat er)(?: (?:noch|ab jetzt|bis dahin|von jetzt))?|in wie vielen tagen',
    'cuantos dias (?:son|faltan|quedan|son eso|falta)(?: (?:desde ahora|para eso))?|en cuantos dias',
    '(?:combien de jours|ca fait combien de jours)(?: (?:reste t il|il reste|cela fait|ca fait|restent))?(?: (?:d ici la|encore))?|dans combien de jours',
  ],
  [
    'since',
    '(?:(?:since when|for how long|how long|when|at what time|since what time)(?: (?:is|was|has|have|did|does|are|were) (?:it|that|this|he|she|they|those|these|the process|the port))?(?: (?:been|start(?:ed)?|running|up|open|opened|there|first|seen|begin|show up|appear|learned|happen(?:ed)?|run|restarted|launched|like|last|listening|like (?:this|that)|exist))*)',
    '(?:seit wann|wie lange(?: schon)?|wann)(?: (?:lauft|laufen|ist|sind|besteht|gibt|wurde|war|begann|lauscht|startete|hat) (?:er|es|das|sie|die|der|es das|es ihn))?(?: (?:schon|denn|offen|gestartet|aufgetaucht|so|da|gelernt|passiert|zuerst gesehen|gesehen))*',
    '(?:desde cuando|cuando|hace cuanto(?: tiempo)?|desde hace cuanto(?: tiempo)?|cuanto tiempo(?: lleva)?)(?: (?:esta|estan|corre|existe|se ejecuta|empezo|arranco|aparecio|ocurrio|fue|lleva|es|funciona|escucha|paso|se inicio))?(?: (?:asi|abierto|corriendo|activo|ejecutandose|eso|por primera vez|escuchando))*',
    '(?:depuis quand|depuis combien de temps|quand)(?: (?:tourne t il|tourne t elle|est il|est elle|est ce|existe t il|a t il|a t il ete|ecoute t il|c est arrive|est ce arrive|sont ils|tournent ils))?(?: (?:ouvert|demarre|lance|la|comme ca|apparu|actif|commence))*',
  ],
  [
    'user',
    '(?:and )?(?:who|which user|what user|whose|under which (?:user|account)|under what (?:user|account)|as (?:which|what) user|by whom|which account|what account|the user|user)(?: (?:runs|run|started|starts|owns|is running|is|does|launched|did|has started) (?:it|that|this|them|those|these|it run (?:as|under)|that run as))?(?: (?:run|running|belong to|run as|is it|is that|are they|owner))*',
    '(?:wer|welcher benutzer|welcher nutzer|wem|unter welchem (?:benutzer|konto|nutzer)|als wer|als welcher benutzer|von wem|welches konto)(?: (?:startet|startete|betreibt|lauft|hat|gehort|fuhrt|benutzt|ist))?(?: (?:das|es|ihn|er|sie|die|den|der))?(?: (?:gestartet|aus|an|lauft|laufen))*',
    '(?:quien|que usuario|de quien|con que usuario|bajo que (?:usuario|cuenta)|con que cuenta|que cuenta|de que usuario)(?: (?:lo|la|los|las))?(?: (?:ejecuta|inicio|corre|lanzo|arranco|es|son|ha iniciado|tiene))*',
    '(?:qui|quel utilisateur|sous quel (?:utilisateur|compte)|quel compte|de quel utilisateur|a qui|par qui|avec quel (?:utilisateur|compte))(?: (?:l a|l|le|la|les))?(?: (?:lance|execute|demarre|fait tourner|appartient|tourne|est ce|a lance|tourne t il|appartient il|fonctionne t il|il tourne))*',
  ],
  [
    'pid',
    '(?:what (?:is|are|s)|which|and|give me)?(?: )?(?:its|their|the|that|his)? ?(?:pid|pids|process id|process number|process ids)(?: (?:is it|of it|does it have|do they have|has it|of that|of them))?',
    '(?:welche|was ist|wie ist|wie lautet)?(?: )?(?:die|seine|ihre|der|sein)? ?(?:pid|pids|prozessnummer|prozess id)(?: (?:hat|haben) (?:er|es|das|sie|die))?',
    '(?:cual es|que|y|cuales son)?(?: )?(?:su|el|sus|los)? ?(?:pid|pids|numero de proceso)(?: (?:tiene|tienen))?',
    '(?:quel est|quel|quels sont)?(?: )?(?:son|le|leur|leurs|les)? ?(?:pid|pids|numero de processus)(?: (?:a t il|ont ils))?',
  ],
  [
    'ports',
    '(?:on )?(?:which|what) ports?(?: (?:does|do|is|are|has|have) (?:it|that|this|they))?(?: (?:use|have|open|hold|listen on|listening on|listen|on|listening|holding|held))*|(?:its|their) ports?|where does it listen|does it listen(?: (?:anywhere|on (?:a|any) port))?',
    '(?:auf )?(?:welche[nmr]?|was fur) ports?(?: (?:hat|halt|benutzt|nutzt|belegt|lauscht|haben|halten|sind|ist|hort) (?:er|es|das|sie|die|der))?(?: (?:offen|denn))*|(?:seine|ihre|die) ports',
    '(?:en )?que puertos?(?: (?:usa|tiene|escucha|ocupa|abre|usan|tienen|son))?(?: (?:abiertos?))*|sus puertos',
    '(?:sur )?quels? ports?(?: (?:utilise t il|a t il|ecoute t il|occupe t il|ouvre t il|utilise t elle|ont ils|sont ce|est ce|il ecoute))?(?: ouverts?)*|ses ports',
  ],
  [
    'threads',
    '(?:and )?how many threads(?: (?:does|do|has|have) (?:it|that|this|they|he|she)(?: have| use)?|is that|are that)?|(?:its|their|the) (?:threads|thread count|number of threads)|threads',
    'wie ?viele threads(?: (?:hat|haben|sind|benutzt) (?:er|es|das|sie|die|der))?|(?:seine|ihre) threads|threads',
    'cuantos (?:hilos|threads)(?: (?:tiene|tienen|usa|son))?|(?:sus )?hilos',
    'combien de (?:threads|fils)(?: (?:a t il|a t elle|ont ils|utilise t il|il a))?|(?:ses )?threads',
  ],
  [
    'times',
    '(?:when|how often|at what times?) (?:do|does|will) (?:they|it|those|these|that) (?:run|execute|fire)(?: next)?',
    '(?:wann|wie oft) (?:laufen|lauft) (?:sie|die|diese|er|es|das)',
    '(?:cuando|a que hora|con que frecuencia) (?:corren?|se ejecutan?)',
    '(?:quand|a quelle (?:heure|frequence)) (?:tournent ils|tournent elles|s executent ils|tourne t il)',
  ],
  [
    'from',
    '(?:and )?(?:from where|where from|(?:from|with|by) (?:which|what) (?:ip|ip address|ip-address|address|host|machine|place|computer)|(?:which|what)(?: is| was| s)? (?:the |their |its |his |her )?(?:source |remote )?(?:ip|ip address|address|host)|(?:the |their )?(?:ip|ip address|source address))(?: (?:did|was|is|have|has|do|does) (?:he|she|they|it|that|this)(?: (?:log in|logged in|come from|come|connect|sign in|been))?(?: from)?)?',
    '(?:und )?(?:von wo(?: aus)?|woher|(?:von|mit|uber|unter) welche[rnm]? (?:ip|ip-adresse|ip adresse|adresse|rechner|maschine|host)|(?:welche|was ist die) (?:ip|ip-adresse|ip adresse|adresse))(?: (?:kam|kamen|war|waren|hat|haben) (?:er|sie|es|das)(?: sich)?(?: angemeldet| eingeloggt)?)?',
    '(?:y )?(?:desde donde|de donde|(?:desde|con|de) que (?:ip|direccion|direccion ip|maquina|equipo|host)|(?:que|cual es la|cual es su) (?:ip|direccion|direccion ip))(?: (?:entro|entraron|se conecto|se conectaron|vino|viene|se ha conectado|fue))?',
    '(?:et )?(?:d ou|depuis ou|(?:depuis|de|avec) quelle? (?:ip|adresse|adresse ip|machine|poste|hote)|quelle(?: est)?(?: la| son)? (?:ip|adresse|adresse ip))(?: (?:s est il connecte|s est elle connectee|se sont ils connectes|vient il|viennent ils|etait ce))?',
  ],
  [
    'path',
    '(?:what|which|where)(?: is| s)?(?: )?(?:its|the|their)? ?(?:full )?(?:path|executable|binary|file|program)(?: (?:of it|is it|is that|behind it|does it run))?|where is (?:it|that|the file|its file)|from where|where (?:is it|does it run) from|which file|what (?:is it|does it) run(?:ning)?',
    '(?:welche[rs]?|was ist|wie ist|wo (?:ist|liegt))(?: )?(?:der|die|das|sein|ihr)? ?(?:pfad|datei|programm|executable|binary)(?: (?:ist es|ist das|davon|steckt dahinter))?|wo liegt (?:es|das|er|sie|die)|von wo|woher',
    '(?:cual es|que|donde esta)(?: )?(?:su|la|el)? ?(?:ruta|fichero|archivo|ejecutable|programa)(?: (?:es|tiene))?|donde esta|desde donde',
    '(?:quel est|quel|quelle est|ou est)(?: )?(?:son|le|la|leur)? ?(?:chemin|fichier|executable|programme)(?: (?:est ce|complet))?|ou est (?:il|elle|ce|le fichier)|d ou',
  ],
  [
    'parent',
    '(?:(?:what|which|who)(?: is| s)? ?)?(?:its|the|their)? ?(?:parent|parent process)(?: (?:of it|is it))?|which process started (?:it|that)|what (?:started|launched|spawned) (?:it|that|this)',
    '(?:was|welcher|wer)(?: ist)?(?: )?(?:der|sein|ihr)? ?(?:elternprozess|parent|ubergeordnete prozess)|welcher prozess hat (?:es|ihn|das|sie) gestartet|was hat (?:es|ihn|das|sie) gestartet',
    '(?:cual es|que)(?: )?(?:su|el)? ?(?:proceso padre|padre)|que proceso lo (?:inicio|lanzo|ha iniciado)|que lo (?:inicio|lanzo)',
    '(?:quel est|quel)(?: )?(?:son|le)? ?(?:parent|processus parent)|quel processus l a (?:lance|demarre)|qu est ce qui l a lance',
  ],
  [
    'command',
    'what does (?:it|that|this|the \\w+ one|that one) (?:run|do|execute|start|launch)|(?:its|the|which|what) command(?: line)?(?: does it run| is it)?|what (?:is|gets) (?:run|executed|started)(?: there| by it)?',
    'was (?:fuhrt|macht|startet|tut) (?:es|das|er|sie|der \\w+|die \\w+)(?: aus)?|welche(?:r|n)? befehl(?: (?:ist|wird) (?:das|es|ausgefuhrt))?|was wird (?:da|dort|damit)? ?(?:ausgefuhrt|gestartet)',
    'que (?:ejecuta|hace|lanza|arranca)(?: (?:eso|esto|esa|ese|la de cron|el de cron|el|ella))?|que (?:orden|comando)(?: (?:ejecuta|es))?',
    'que (?:lance t il|lance t elle|execute t il|execute t elle|fait il|fait elle|lance (?:ca|celui de cron|celle de cron|cela))|quelle (?:commande|ligne)(?: (?:est ce|execute t il|lance t il))?',
  ],
  [
    'vouched',
    '(?:who|what|which package)(?: \\w+)?(?: )?(?:vouches|vouched|guarantees)(?: for)?(?: (?:it|that|this|them))?|does (?:anyone|anything|a package|any package) vouch for (?:it|that|this|them)|is (?:it|that) vouched(?: for)?|which package(?: (?:owns|has|does) (?:it|that)(?: belong to)?)?',
    '(?:wer|was|welches paket)(?: )?burgt (?:dafur|fur (?:das|es|sie|ihn|die))|burgt (?:jemand|ein paket) dafur|(?:zu )?welche[sm] paket(?: gehort (?:das|es|er|sie))?',
    '(?:quien|que paquete)(?: lo)? (?:responde|garantiza|avala)(?: por (?:el|ella|eso|ellos))?|de que paquete es|que paquete',
    '(?:qui|quel paquet)(?: (?:le|la|s en|en|les))? (?:garantit|porte garant|repond|est garant)(?: (?:pour ca|de cela|de ca|pour lui))?|de quel paquet vient (?:il|elle|ca)',
  ],
  [
    'shell',
    '(?:which|what)(?: is)?(?: )?(?:its|the|his|her|their)? ?shell(?: (?:does|do) (?:it|he|she|they) (?:get|have|use))?',
    'welche shell(?: (?:hat|bekommt) (?:er|es|sie|das))?',
    'que shell(?: (?:tiene|usa))?',
    'quel shell(?: (?:a t il|utilise t il))?',
  ],
  [
    'rights',
    '(?:which|what) (?:rights|permissions|privileges)(?: (?:does|do|has|have) (?:it|he|she|they|that)(?: have)?)?|(?:does|do|can|has) (?:it|he|she|they|that account) (?:have|use|got)? ?(?:sudo|root rights|root)|(?:and )?sudo',
    'welche rechte(?: (?:hat|haben) (?:er|es|sie|das|die))?|(?:hat|haben|darf|kann) (?:er|es|sie|das|die) (?:auch )?sudo(?: (?:benutzen|nutzen|rechte))?',
    'que (?:derechos|permisos|privilegios)(?: (?:tiene|tienen))?|(?:tiene|tienen|puede usar|usa) (?:el |ella )?sudo',
    'quels (?:droits|privileges)(?: (?:a t il|a t elle|ont ils))?|(?:a t il|a t elle|peut il utiliser|ont ils) (?:sudo|les droits sudo)',
  ],
  [
    'login',
    '(?:can|could|may) (?:it|he|she|they|that account|those) (?:actually )?(?:log in|login|log on)|how (?:can|does) (?:it|he|she|they) log in',
    '(?:kann|konnen|darf) (?:er|es|sie|die|das)(?: sich)? (?:anmelden|einloggen)|wie meldet (?:er|es|sie) sich an',
    '(?:puede|pueden) (?:iniciar sesion|entrar|conectarse)|como entra',
    '(?:peut il|peut elle|peuvent ils) (?:se connecter|ouvrir une session)|comment se connecte t il',
  ],
  [
    'severity',
    '(?:how severe|how critical|what severity|which severity)(?: (?:is|are) (?:it|that|they|those))?|(?:its|the|their) severity',
    'wie schwer(?:wiegend)?(?: (?:ist|sind) (?:das|es|die|sie))?|welche schwere|(?:die )?schwere',
    'que gravedad(?: (?:tiene|es))?|(?:su|la) gravedad',
    'quelle (?:gravite|severite)|(?:sa|la) gravite',
  ],
  [
    'check',
    '(?:which|what) check(?: (?:found|finds|reports|says|reported) (?:it|that|this))?(?: is (?:it|that))?',
    'welche prufung(?: (?:hat|meldet|fand) (?:das|es)(?: (?:gefunden|gemeldet))?)?',
    'que comprobacion(?: (?:lo encontro|es|lo dice))?',
    'quel controle(?: (?:l a trouve|le dit|est ce))?',
  ],
  [
    'second',
    '(?:the )?(?:second|next|2nd|runner up)(?: (?:one|most|best|process|oldest|newest|largest|highest))?|and (?:then|after that)|what comes (?:next|second)|who is second|(?:the (?:one|time) )?before (?:that|this)(?: one)?',
    '(?:der|die|das|den)? ?(?:zweite[rsn]?|nachste[rsn]?|zweit\\w+)(?: (?:prozess|befund))?|und dann|danach|dann|(?:der|die|das|und)? ?davor',
    '(?:el|la) (?:segund[oa]|siguiente)|y despues|despues|(?:y )?antes(?: de eso)?',
    '(?:le|la)? ?(?:deuxieme|second|seconde|suivant|suivante)|et ensuite|et apres|ensuite|apres|(?:et )?avant (?:ca|cela)',
  ],
  [
    'third',
    '(?:the )?(?:third|3rd)(?: one)?',
    '(?:der|die|das|den)? ?dritte[rsn]?',
    '(?:el|la) tercer[oa]?',
    '(?:le|la)? ?troisieme',
  ],
  [
    'first',
    '(?:(?:show me|list|name|give me|only) )?(?:the )?(?:first|top) (?:\\d{1,2}|two|three|four|five|ten|one)(?: (?:of them|ones|of those|of these))?',
    '(?:(?:zeig mir|nenne|nur) )?(?:die |den |das )?(?:ersten?|obersten) (?:\\d{1,2}|zwei|drei|vier|funf|zehn)(?: davon)?',
    '(?:(?:muestrame|dime|solo) )?(?:los|las) (?:primer[oa]s (?:\\d{1,2}|dos|tres|cuatro|cinco|diez)|(?:\\d{1,2}|dos|tres|cuatro|cinco|diez) primer[oa]s)',
    '(?:(?:montre moi|seulement) )?(?:les (?:\\d{1,2}|deux|trois|quatre|cinq|dix) premi\\w+)',
  ],
  [
    'newest',
    '(?:which (?:one |of them |of those |of these )?(?:is |are )?|(?:and )?what is |who is )?(?:the )?(?:newest|latest|youngest|most recent|shortest|last|started last|newest running)(?: (?:one|ones|of them|of those|of these|running))?',
    '(?:(?:welche[rs]?|was)(?: davon)?(?: ist)? )?(?:der |die |das |am )?(?:neueste[rsn]?|jungste[rsn]?|kurzesten|letzte[rsn]?|zuletzt)(?: davon)?',
    '(?:(?:cual|quien)(?: de ellos)?(?: es)? )?(?:el |la )?(?:mas (?:reciente|nuev[oa]|joven)|ultim[oa]|que menos tiempo)(?: de ellos)?',
    '(?:(?:lequel|laquelle)(?: d entre eux)?(?: est)? )?(?:le |la )?(?:plus (?:recent|recente|nouveau|jeune)|dernier|derniere|moins longtemps)(?: d entre eux)?',
  ],
  [
    'oldest',
    '(?:which (?:one |of them |of those |of these )?(?:is |are )?|(?:and )?what is |who is )?(?:the )?(?:oldest|earliest|longest|longest running|first)(?: (?:one|of them|of those|of these|running))?',
    '(?:(?:welche[rs]?|was)(?: davon)?(?: ist)? )?(?:der |die |das |am )?(?:alteste[rsn]?|fruheste[rsn]?|langsten|erste[rsn]?)(?: davon)?',
    '(?:(?:cual|quien)(?: de ellos)?(?: es)? )?(?:el |la )?(?:mas (?:antigu[oa]|viej[oa])|primer[oa]?|que mas tiempo)(?: de ellos)?',
    '(?:(?:lequel|laquelle)(?: d entre eux)?(?: est)? )?(?:le |la )?(?:plus (?:ancien|ancienne|vieux|vieille|longtemps)|premier|premiere)(?: d entre eux)?',
  ],
  [
    'worst',
    '(?:which (?:one |of them |of those )?(?:is |are )?|what is )?(?:the )?(?:worst|most severe|most serious|most dangerous|most critical)(?: (?:one|of them|of those))?',
    '(?:(?:welche[rs]?|was)(?: davon)?(?: ist)? )?(?:der |die |das |am )?(?:schlimmste[rsn]?|schwerste[rsn]?|gefahrlichste[rsn]?)(?: davon)?',
    '(?:(?:cual)(?: de ellos)?(?: es)? )?(?:el |la )?(?:peor|mas grave|mas peligros[oa])(?: de ellos)?',
    '(?:(?:lequel|laquelle)(?: est)? )?(?:le |la )?(?:pire|plus grave|plus dangereux)(?: d entre eux)?',
  ],
  [
    'processes',
    '(?:what|which)(?: (?:processes|programs))?(?: (?:does|do|is|are))? (?:he|she|they|it) (?:run|running|own|use|start)|(?:his|her|their|its) (?:processes|programs)|what (?:runs|is running) (?:as|under) (?:him|her|them|it)',
    '(?:was|welche (?:prozesse|programme)) (?:lauft|laufen|hat|startet|betreibt|gehoren) (?:er|sie|ihm|ihr|ihnen|unter (?:ihm|ihr))(?: (?:laufen|am laufen))?|(?:seine|ihre) (?:prozesse|programme)',
    '(?:que|que (?:procesos|programas)) (?:ejecuta|corre|tiene|usa|ejecutan)(?: (?:el|ella|ellos))?|sus (?:procesos|programas)',
    '(?:que|quels (?:processus|programmes)) (?:execute|lance|fait|a|fait tourner)(?: t)? (?:il|elle|ils)(?: tourner)?|(?:ses|leurs) (?:processus|programmes)',
  ],
  [
    'others',
    '(?:what about |which are |(?:show|list|give|tell)(?: me)? )?(?:the )?(?:others?|rest|other ones|remaining(?: ones)?)|who else|what else|anything else|any others?',
    '(?:was ist mit |welche sind |(?:zeig|zeige|nenne|gib)(?: mir)? )?(?:den |die |der )?(?:anderen|ubrigen|restlichen|rest)|wer noch|was noch|sonst noch (?:wer|was|jemand|etwas)',
    '(?:y )?(?:que hay de |muestra(?:me)? |dame |dime )?(?:los|las|el) (?:otros|otras|demas|resto)|quien mas|que mas|alguien mas|algo mas',
    '(?:et )?(?:montre(?: moi)? |donne(?: moi)? |affiche )?(?:les|le|la) (?:autres|reste|suite)|qui d autre|quoi d autre',
  ],
  [
    'count',
    'how many(?: (?:are|is|of) (?:there|they|that|them|those|it|these))?(?: (?:in total|altogether|exactly))?|how often|count them|the (?:number|count)',
    'wie ?viele(?: (?:sind|gibt|waren) (?:es|das|die))?(?: (?:davon|insgesamt|genau))?|wie oft|die anzahl',
    'cuant[oa]s(?: (?:son|hay|de ellos))?(?: (?:en total))?|cuantas veces|el numero',
    'combien(?: (?:sont ils|y en a t il|en tout|d entre eux|sont elles|il y en a))?|combien de fois|le nombre',
  ],
  [
    'list',
    '(?:(?:list|show|name|give|tell)(?: me)? )(?:them|those|these|it|all|them all|the list|which|which ones|all of them|their names)|(?:which|what)(?: (?:ones?|are they|are those|are these|are that|of them|exactly))*|details|names?',
    '(?:(?:zeig|zeige|nenne|nenn|liste|sag)(?: mir)? )(?:sie|die|alle|diese|welche|sie mir|die namen)(?: auf)?|welche(?:[rsn])?(?: (?:sind|waren) (?:das|es|die))?(?: genau)?|details|namen',
    '(?:dime|muestra|muestrame|lista|enumera|nombra)(?:los|las)?(?: (?:cuales|cual|los|todos|todas))?|cual(?:es)?(?: (?:son|es))?|detalles|nombres',
    '(?:montre|liste|affiche|donne|dis|nomme)(?: )?(?:moi |les )?(?:les|lesquels|lesquelles|tous|toutes|moi)?|(?:lesquel(?:le)?s|laquelle|lequel)(?: (?:sont ce|est ce))?|details|noms',
  ],
];

/** What may begin and end a follow-up without meaning anything. */
const LEADS =
  /^(?:(?:and|so|then|now|oh|hm+|great|thanks|ok|okay|well|but|also|vale|bueno|gut|super|bon|merci|und|also|dann|nun|aber|jetzt|y|entonces|ahora|pero|et|alors|donc|mais|maintenant) +)+/;
const TAILS =
  /(?: +(?:then|now|please|exactly|again|already|so far|at all|denn|dann|jetzt|bitte|genau|schon|eigentlich|uberhaupt|entonces|ahora|por favor|exactamente|ya|alors|maintenant|s il te plait|s il vous plait|exactement|deja|actually|pls))+$/;

export const bareOf = (plain: string): string =>
  plain
    .replace(/[¿¡?!,;"“”«»]+|:(?!\d)/g, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/(?<=\w)-(?=(?:il|elle|ils|elles|on|ce|je)\b)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(LEADS, '')
    .replace(TAILS, '');

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const MOVES = ROWS.map(([move, ...texts]) => ({ move, patterns: texts.map(whole) }));

export interface Moved {
  readonly move: Move;
  readonly language: Language;
}

/** What a bare follow-up asks; null where it is none. `language`: the one that its words look like. */
export function moveOf(bare: string, language: Language): Moved | null {
  const order = [language, ...LANGUAGES.filter((one) => one !== language)];
  for (const one of order)
    for (const { move, patterns } of MOVES)
      if (patterns[LANGUAGES.indexOf(one)]?.test(bare) === true) return { move, language: one };
  return null;
}

const POINTING =
  /\b(?:that|it|its|them|they|their|those|these|ones?|this|davon|darunter|diese[nrs]?|dafur|dagegen|damit|ihn|ihm|eso|esto|esos|esas|ellos|ellas|cela|eux|elles|ceux|celles|celui|lesquel(?:le)?s|lequel|laquelle|d entre eux|dont|cuales|cuantos de)\b/;
const POINTED =
  /^(?:and|und|y|et|only|just|now only|nur|bloss|solo|seulement|uniquement|rien que|without|ohne|sin|sans|except|ausser|excepto|sauf|what about|how about|was ist mit|que hay de|qu en est il de|et pour)\b/;

/** It begins as an addition to something. */
export const addsTo = (plain: string): boolean => POINTED.test(plain.replace(/^[¿¡]+/, ''));

/** It points at something that was said before. */
export const pointsBack = (plain: string): boolean => {
  const text = plain.replace(/^[¿¡]+/, '');
  return POINTED.test(text) || POINTING.test(text);
};

const SAYS_NOTHING =
  /^(?:that|it|its|them|they|their|those|these|ones?|this|of|from|the|a|an|by|in|on|at|and|only|just|now|what|about|how|are|is|were|was|which|who|whose|do|does|have|has|with|den|die|das|der|dem|des|von|nur|bloss|davon|darunter|was|ist|mit|sind|waren|welche|wie|es|auch|haben|hat|einen|eine|ein|los|las|el|la|de|del|solo|y|que|hay|son|cuales|ellos|ellas|eso|esos|les|le|l|d|du|et|seulement|uniquement|rien|pour|ceux|celles|lesquels|lesquelles|sont|en|est|il|eux|entre|never|ever|been|jamais|ont|ete|n|any|all|some|s|there|already|schon|ya|deja|list|show|me|dime|ones|many|viele|cuantos|combien)$/;

/** Words that a narrowing of rows says beside its conditions. */
export const saysNothing = (word: string, language: Language): boolean =>
  SAYS_NOTHING.test(word) ||
  (vocabulary(language)
    .phrases.get(word)
    ?.some(([part]) => part === 'filler') ??
    false);

/** Refers to rows of the answer before, beside what else it says. */
export const OF_THEM =
  /\b(?:of (?:them|those|these)|which ones|davon|darunter|de (?:ellos|ellas|esos)|d entre eux|parmi eux|lesquel(?:le)?s)\b/;
