/** Words that combine parts of a question: or, ranges, comparisons, sums and means; in the form of `words.ts`. */
export const COMBINING_WORDS = `
word or: or|or of|or with
  oder|oder von
  o|u|o de
  ou|ou de
word than: than|compared to|versus|vs
  als|verglichen mit
  que
  que
order most: more|larger|bigger|higher
  mehr|grosser|hoher
  mas
  plus
order least: fewer|less|smaller|lower
  weniger|kleiner|niedriger
  menos
  moins
order oldest: first|started first|started earlier|earlier|start first|came first|been up longest|up longest|running for longest
  zuerst|zuerst gestartet|fruher|fruher gestartet|schon am langsten
  primero|antes|empezo antes|empezo primero|desde hace mas tiempo
  premier|premiere|premiers|avant|demarre en premier|en premier|depuis le plus longtemps
order newest: most recently started|started last|started most recently|shortest|for the shortest time|running shortest
  zuletzt gestartet|am kurzesten|kurzesten
  menos tiempo
  moins longtemps
word not: other than|except|except for|excluding|but not|apart from|rather than|aside from|outside of
  ausser|andere als|anderen als|ausgenommen|ausserhalb von
  salvo|excepto|aparte de|distintos de|sin ser|menos los de|ni|fuera de
  sauf|autre que|autres que|hormis|a part|sans etre|ni|hors|hors de|en dehors de|au dela de
word between: between|in the range|ranging from
  zwischen|im bereich
  entre
  entre
order second: second|second most|the second
  zweite|zweiter|zweites|der zweite
  segundo|segunda|el segundo
  deuxieme|second|le deuxieme
aggregate sum: sum|sum of|total number of|total of|add up to|combined|together|all together|the sum of
  summe|summe der|zusammen|zusammengenommen|gesamtzahl der|gesamtzahl
  suman|suma|suma de|en conjunto|numero total de|sumando
  somme|somme des|ensemble|nombre total de|au total de|cumule
aggregate avg: average|on average|the average|mean|avg|average number of|mean number of|in average
  durchschnitt|im durchschnitt|durchschnittlich|im schnitt|im mittel|durchschnittliche|durchschnittliche anzahl|mittelwert
  promedio|en promedio|de media|la media de|media de|numero medio de|por termino medio|de promedio
  moyenne|en moyenne|nombre moyen|nombre moyen de|la moyenne|le nombre moyen de|moyenne de|moyenne des
aggregate share: share|share of|percentage|percentage of|percent|per cent|in percent|proportion|proportion of|fraction|fraction of|what part|what share of
  wie hoch ist der anteil|wie gross ist der anteil|anteil|prozent|in prozent|wie viel prozent|wieviel prozent|prozentsatz|anteil der
  porcentaje|porcentaje de|proporcion|por ciento|que parte de|en porcentaje
  pourcentage|pourcentage de|pourcentage des|proportion|proportion de|pour cent|quelle part|quelle part des
aggregate distinct: different|distinct|unique|separate|how many kinds of
  verschiedene|verschiedenen|unterschiedliche|unterschiedlichen|unterschiedlicher|verschiedener
  distintos|distintas|diferentes|unicos|unicas
  differents|differentes|distincts|uniques|distinctes
column uid: user name|user names|with user|with user names|with the user|under which account|under which user|as which user
  mit benutzer|mit benutzernamen|unter welchem benutzer|als welcher benutzer|unter welchem konto
  con usuario|bajo que usuario|con que usuario|nombre de usuario
  avec l utilisateur|sous quel utilisateur|sous quel compte|nom d utilisateur
column executable: path|full path|executable path|path of the executable|full path of the executable|executable behind
  pfad|voller pfad|pfad der programmdatei|programmdatei
  ruta|ruta completa|ruta del ejecutable
  chemin|chemin complet|chemin de l executable
column pid: process id|pid of|pid|pids
  pid|prozessnummer|prozess id
  pid|identificador de proceso
  pid|numero de processus
column address: address|bind address|bound address
  adresse
  direccion
  adresse
column at: how each ended|how each of them ended|how they ended|ended
  wie sie endeten|endeten
  como acabaron|como terminaron
  comment ils ont fini
unread -: ratio|ratio of|distribution|distribution of|median|percentile|p50|p95|p99|histogram|standard deviation|having
  verhaltnis|verteilung|median|perzentil
  ratio|distribucion|mediana|percentil
  ratio|repartition|mediane|percentile
facet scope: scope|reach
  reichweite
  alcance
  portee
word per: break down by|broken down by|down by|grouped by|split by|per|distribution by|by each
  aufgeschlusselt nach|aufgeteilt nach|gruppiert nach
  desglosado por|desglosados por|agrupados por|agrupado por
  reparti par|repartis par|ventile par|ventiles par|groupes par
kind whether: may|could|can i|can anyone
  kann|konnen|darf|durfen
  puede|pueden|podria
  peut|peuvent|peut on
word back: is it|and is it|are they|is that|and are they|is this
  ist er|ist es|ist das|und ist|sind sie
  y es|y esta|y estan|y son
  et est il|et est elle|est il|est elle|sont ils|et est ce
kind list: break|group|split|print|display|where is|where s|see|find|get|get me|list them
  brich|gruppiere|sag mir|finde|wo liegt|gib mir|zeige alle
  agrupa|desglosa|ensename|dame|busca
  c est quoi|quoi|qu est ce qui|qu est ce que|qu est ce qu|regroupe|liste moi|trouve|ventile
kind who: whose|who s|whos|by whom
  wem|wessen
  de quien
  a qui
kind count: count the|how much|total|how many times|how often|count all|tally
  wie oft|wieviele|anzahl
  cuantas veces
  combien de fois
trait unlearned: not in the baseline|not in the learned baseline|aren t in the baseline|outside the baseline|never been learned|was never learned|never allowed
  nicht in der baseline|nie erlaubt|noch nie gelernt
  no esta en la linea base|no estan en la linea base|fuera de la linea base|nunca aprendido|nunca aprendidos
  pas dans la reference|pas dans la base|ne sont pas dans la reference|jamais ete appris|jamais ete apprises|hors de la reference|n ont jamais ete appris
trait allowed: in the baseline|in the learned baseline
  in der baseline
  en la linea base
  dans la reference|dans la base
trait public: to the outside world|outside world|the outside world|open to the internet|open to the outside|worldwide|publicly|all the interfaces
  fur alle|nach draussen|draussen|weltweit
  para fuera|publicamente|al mundo|hacia internet
  publiquement|au public|au monde
trait passed: passed|pass|succeeded|green
  bestanden|erfolgreich|grun
  pasaron|superadas|verde|verdes
  reussi|reussis|vert|verts
table gate_runs: hygiene gate|gate|the gate|hygiene gate runs|scar gate|gate run|runs of the hygiene gate|gate check|gate checks
  gate|hygiene gate|gate lauf|gate laufe|gate-laufe|gate-lauf|gate-laufen|gate laufen
  gate|control de higiene|puerta de higiene
  gate|controle d hygiene|le controle d hygiene|passages du gate|executions du gate
operator <=: within the next|in the next|within|in less than|during the next
  innerhalb der nachsten|in den nachsten|innerhalb von|in den kommenden
  en los proximos|dentro de los proximos|en menos de
  dans les prochains|d ici
table listeners: listening services
  lauschende dienste
  escuchas
  ecoutes
trait accepted: accepting|accepting it|accepted it|been accepted
  angenommen wurden|angenommen hat
  aceptaron
  ete acceptes|acceptees
table generations: baseline generation|baseline generations|baseline learned|generations of the baseline|baseline last learned
  baseline generation|baseline generationen|generationen der baseline
  generaciones de la linea base|generacion de la linea base
  generations de la base|generations de reference
filler: produced|raised|could|could you|could you please|every|everything|every single|already|as fine|with severity|of severity|severity|as okay|with a password or key|with a password or a key|thing|stuff|r|u|pls|plz|thx|yo|lol|n|ur|w|teh|world|set|owner|owned|supposed|kept|list the|both|each|same|rather|actually|really|right|behind|something|everything|listed|present|existing|count the|me the|just|what are the|across|among|within|ones that|wich|installed here|by chance|name|names|either|running from|launch from|started from|already|long|quite|let|anyone|at the|please show|as the
  mit schweregrad|schweregrad|mit der schwere|darf|durfen|oder was|oda was|ma|oda|wan|was|nun|mal|auch|jeweils|beide|beiden|etwas|alles|unter den|darunter|davon|denen|deren|dabei|schon|dazu|sowie|wieder|nutzer von|bitte zeigen|laufend|lange|wegen|hatt
  de gravedad|con gravedad|q|pa|ai|stan|ambos|cada uno|algo|todo|entre todos|entre todos los|de entre|ya|tan|cuyo|mucho|sigue|siguen|lanzados|lanzado|lanzado desde
  de gravite|avec gravite|ou quoi|ou koi|ki|koi|kel|chacun|les deux|quelque chose|tout|parmi|deja|dont|chaque|actuellement|lances depuis|lance depuis|encore|ou pas|ou non
`;
