/** Known words by concept, in four languages. `*`: a prefix. Case and accents are ignored (`folded`), and a nearly equal word matches too. */
import MiniSearch from 'minisearch';
import { FREQUENT, STOP_WORDS } from './frequent.ts';

const LEXICON = {
  accepted: 'accepted opened established',
  allowed:
    'allow* permit* permis* legit* erlaub* darf durfen autoris* autoriz* expected whitelist* unauthori* unauthoris* explicitly approved approv* zulassig zugelassen',
  assistant: 'assistant* assistent* asistente*',
  avenue: 'avenue* avenida* vector vectors',
  axes: 'axis axes index hardening score scores punkt* puntos punkte war_machine',
  baseline:
    'identities identitaten identites identidades baseline* learn* gelernt* lern* lernen appris* apprend* aprend* generation* known vocab*',
  benign: 'benign* harmless harmlos* inoffensi* inofensiv* innocent',
  blind: 'blind* unreadable invisible aveugl* cieg* unjudged unseen blindness',
  camera: 'camera* microphone* mic mics kamera* mikrofon* micro* webcam* camara*',
  certificate: 'certif* cert certs zertifikat* tls ssl issuer letsencrypt encrypt*',
  change:
    'chang* differ* happen* geandert anders andert passiert neues neu neue nouveau* nouvel* cambi* nuev* paso pasado new news since seit depuis desde changelog delta evolu* verander* modif* different',
  check: 'check checks prufung* controle* comprobacion* verification* verificacion*',
  cheer: 'hello hi hey hallo bonjour hola moin salut',
  command: 'command commands befehl* commande* comando* orden*',
  client: 'claws claws-mail client',
  connection:
    'connection* connect* egress outbound outgoing verbindung* connexion* conexion* conect* allowlist talks talking connects',
  critical: 'kritisch* critiq* critic* severest',
  cook: 'cook cooks cook-off cookoff kochen koche',
  count:
    'many much viel viele combien cuant* count number anzahl nombre total quantity tally sum wieviel wieviele',
  down: 'down unten caido caida abajo zu geschlossen closed shut offline ferme* cerrad*',
  duty: 'duty duties zustandig* pflicht* aufgabe* responsab*',
  endpoint: 'api apis openapi endpoint* route routes endpunkt*',
  environment: 'environment environ env umgebung* environnement entorno',
  expire: 'expir* ablauf* abgelaufen caduc* venc*',
  find: 'fund funde finding* findings found befund* gefunden alert* alerts hallazg* trouv* constat* encontr* finds detected detect* detection* discover* finding suspicious suspekt verdachtig* suspect* sospechos* threat threats menace* amenaza* bedrohung* anomal* alarm* alarma*',
  fried: 'zombie* fried dead tot tote defunct undead reaped defunkt',
  future: 'tomorrow future predict* forecast* demain manana will vorhersag* next_week prognos* predic*',
  gate: 'gate gates tor porte puerta',
  grade:
    'grade note rang gold golden silver bronze lead oro plata bronce argent silber blei grades rating medal stufe niveau nota notas calificacion',
  high: 'high hoch hohe hoher hohes hohen eleve eleves elevee elevees alto altos alta altas serious',
  identity:
    'sender absender expediteur remitente identity identitat identite identidad provider* anbieter fournisseur* proveedor*',
  help: 'help hilfe aide aider ayuda ayudar helfen able hilf ayudame',
  issue:
    'short issue issues problem* raro rara raros raras extrano extrana komisch komisches seltsam seltsames merkwurdig* bizarre* etrange* louche* sketchy fishy broken broke kaputt* roto rota rotos averiad* casse cassee casses infect* infiz* hacked compromis* kompromitt* summary overview ubersicht resume resumen zusammenfassung damage* trouble fehler erreur* averia safe sicher worry worries worried concern* attention intru* attack* malicious weird hacker hackers breach* danger* gefahr* peligr* headline gist rundown recap sitrep seguro segura securise* unsafe insecure missing fehlt manque falta',
  law: 'law laws gesetz* loi leyes ley excus* exception* accepted policy regel* exempt* rule rules policies regle regles regla reglas exemption* exempted excuse* excused explained waiver* norm norms',
  link: 'where link links url wo donde page',
  listen:
    'socket sockets listen* lausch* hort horcht ecout* escuch* bind binds bound listener* hear* listening lauscht',
  loop: 'loop schleife boucle bucle polling poll event events event-driven sondeo',
  low: 'low niedrig* faible* bajo bajos baja bajas',
  magazine: 'magazin*',
  mail: 'mail mails email e-mail imap smtp mailbox ledger post courrier correo* import inbox postfach courriel* correos inboxes mailadresse*',
  medium: 'medium mittel mittlere* moyen* medio medios media medias',
  name_service: 'dns names resolve resolves namen noms nombres domain domains',
  not: 'nobody niemand personne nadie none not no non nicht kein* pas ne sin ohne without un',
  outcome: 'pass passed passes fail failed fails failing bestanden echoue* reussi* fallo fallaron',
  outside:
    'reach reached beyond outside public offentlich* draussen dehors fuera internet exposed expose* reachable extern* exterieur exterior aussen ausserhalb außen außerhalb draußen erreichbar accessibles accesibles joignable* alcanzable* everywhere anywhere wan weltweit',
  people:
    'people person persons everyone everybody colleague* kolleg* collegue* colega* contact contacts leute person* kontakt* gens personne* gente contact* humans human menschen individuals correspondent*',
  port: 'port ports puerto puertos anschluss*',
  probe: 'probe probes kernel_source*',
  process:
    'process processes prozess* processus proceso* program* programm* pid pids procs task tasks programme* programs app apps application* anwendung* aplicacion* daemon* binary binaries executable*',
  quarantine: 'quarantine* quarantan* cuarentena aside beiseite',
  recheck: 'recheck* overhead sweep sweeps judging',
  review: 'review* durchsehen revisar revoir inspect durchschauen',
  run: 'installed installiert run runs running doing lauft laufen tourne corre alive started gestartet operating active aktiv actif activo executing lebt start starts launch launched lance arranc*',
  scar: 'scar scars narbe* cicatri*',
  secret:
    'password* passwor* passwd passwort* passe contrasena* token tokens secret* credential* geheim* schlussel* passphrase* pin motdepasse kennwort* clave',
  see: 'sehen voir vois ver see seen',
  self: 'you yourself du dich tu toi usted te dir your self',
  should:
    'should soll sollte dois devrais debo deberia next improve* verbesser* amelior* mejor* remed* fix recommend* advice advise empfiehl* empfehl* conseil* recomiend* consejo* action actions',
  since: 'since seit depuis desde',
  site: 'site website webseite web sitio homepage internetseite webserver',
  speed:
    'speed fast slow quick schnell* rapid* latency latenz dauer* lento langsam duration duree vite perform* dure dura dauert',
  temperature:
    'temp temperature* temperatur* hot warm heiss heiß chaud chaude calor caliente thermal sensor sensors heat warmth cool celsius degrees grad thermo* warm* temperatura* kuhl',
  unlearned:
    'unknown unlearned unfamiliar unrecogni* unexpected unbekannt* ungelernt* inconnu* desconocid* rogue foreign fremd*',
  unwrapped: 'unwrap* unconfin* unprotected ungeschutzt* free unsandboxed unisolated naked',
  uptime: 'uptime betriebszeit',
  up: 'up open offen arriba ouvert* abiert* oben',
  version: 'avx* x86_64 aarch64 version* backend* bpf procfs mark build engine release',
  virus:
    'datacenter datacentre rechenzentrum virus viren banned malware forbid* forbidden prohibit* verboten* verbiet* interdit* prohib*',
  well: 'shape well healthy health ok okay okey fine alright gesund gut geht bien salud wohl status state zustand etat estado wrong los doing going everything alles tout todo condition good bad great happy clean secure guter gute bon bonne ordnung bueno buena sane stable sound ready bereit pret listo',
  which: 'which welch* quel* cual*',
  who: 'who whom whose wer wen qui quien',
  why: 'why warum wieso weshalb pourquoi porque por',
  worst: 'worst severe schlimmst* pire pires peor peores gravest',
  wrap: 'wrap* confin* sandbox* eingesperrt* eingehullt* isolat* isoliert* isole aislad* enferm* jail* sandboxing caged contain confined confinement isoles isolees',
  write: 'write writes wrote written schreib* geschrieben ecrit ecrire ecris escrib* escrit* writing',
  /** No intent asks for these, but they are not names of processes or people either. */
  nothing:
    'about regarding uber sobre import importing progress fortschritt progres* mean* define definition explain* expliqu* explic* bedeut* heisst heiss erklar* signif* definier* user users uid benutzer utilisateur usuario owner when wann quand cuando',
} as const;

export type Concept = keyof typeof LEXICON;

/** Words without a meaning of their own: never names of processes or people. */
const COMMON = new Set(
  (
    'a an the is are was were be been do does did done can could would will shall should may might must have has had i me my mine we us our it its he she they them this that these ' +
    'those there here of in on at to for from by with without and or but if so as than then now today yesterday tonight just please tell show give list print say what whats how any all some ' +
    'anything something nothing everything one two ten last first minute minutes hour hours day days week weeks month months ago desk hostess machine computer server host system get got go goes ' +
    'agent agents exactly genau exactement box rechner maschine serveur ordinateur maquina encendida encendido tiempo lleva cuanto ' +
    'let know knows think long old far late yet still also only right looking look looks called call kind type question word words thing kernel cpu memory disk ram service work works good things list lists ' +
    'der die das den dem des ein eine einen einem einer ist sind war waren bin bist hat haben habe wird werden wurde und oder aber wenn wie was es er sie ich wir ihr mir mich auf in im am an aus bei mit nach von vor zu zum ' +
    'zur fur gestern heute jetzt bitte zeig zeige gib gibt sag mal noch schon kann kannst konnen diese dieser dieses um steht stehe ' +
    'le la les un une des du de d l s et ou est es sont suis ai as a avez avons qu que quoi quel ce cet cette ces c il elle je j tu nous vous mon ma mes en y au aux dans sur sous pour par avec hier aujourd hui ' +
    'maintenant comment montre moi faire fait quelle vas va t ' +
    'el los las una unos unas y o pero si esta estan este esto eso son soy eres ser hay al del que como con en por para ayer hoy ahora se me mi su sus lo hacer hace puede puedes dime muestra'
  ).split(/\s+/),
);

/** For spelling: words, and stems where only these are known. */
export const COMMON_WORDS: ReadonlySet<string> = COMMON;
export const LEXICON_WORDS: readonly string[] = Object.values(LEXICON).flatMap((forms) =>
  forms.split(/\s+/).map((form) => form.replace('*', '')),
);

const SHORTEST_FUZZY = 6;
const KEPT_WORDS = 5_000;

class Words {
  readonly #exact = new Map<string, Concept[]>();
  readonly #stems = new Map<string, Concept[]>();
  readonly #nearly: MiniSearch<{ id: number; form: string }>;
  readonly #forms: { readonly form: string; readonly concept: Concept }[] = [];
  readonly #known = new Map<string, readonly Concept[]>();
  readonly #longestStem: number;

  constructor() {
    for (const [concept, forms] of Object.entries(LEXICON) as [Concept, string][])
      for (const form of forms.split(/\s+/)) {
        const stem = form.endsWith('*');
        const text = stem ? form.slice(0, -1) : form;
        const into = stem ? this.#stems : this.#exact;
        into.set(text, [...(into.get(text) ?? []), concept]);
        this.#forms.push({ form: text, concept });
      }
    this.#longestStem = Math.max(...[...this.#stems.keys()].map(({ length }) => length));
    this.#nearly = new MiniSearch({
      fields: ['form'],
      tokenize: (text) => [text],
      processTerm: (term) => term,
    });
    this.#nearly.addAll(
      this.#forms.flatMap(({ form }, id) => (form.length >= SHORTEST_FUZZY ? [{ id, form }] : [])),
    );
  }

  conceptsOf(word: string): readonly Concept[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const found = this.#find(word);
    if (this.#known.size >= KEPT_WORDS) this.#known.clear();
    this.#known.set(word, found);
    return found;
  }

  /** Without fuzzy matching. */
  known(word: string): Concept[] {
    const found = [...(this.#exact.get(word) ?? [])];
    for (let length = 2; length <= Math.min(word.length, this.#longestStem); length++)
      found.push(...(this.#stems.get(word.slice(0, length)) ?? []));
    return found;
  }

  #find(word: string): readonly Concept[] {
    const found = this.known(word);
    if (found.length > 0 || word.length < SHORTEST_FUZZY || word.length > 30 || isSpelled(word)) return found;
    if (/[\d_]/.test(word)) return found;
    const [best] = this.#nearly.search(word, { fuzzy: word.length >= 9 ? 2 : 1 });
    const nearly = best === undefined ? undefined : this.#forms[Number(best.id)];
    return nearly === undefined ? [] : [nearly.concept];
  }
}

/** A stop word is not a misspelt one. */
const isSpelled = (word: string): boolean =>
  [word, word.replace(/(?:e?s|e?d|ing)$/, ''), word.replace(/[sd]$/, '')].some(
    (one) => COMMON.has(one) || isFrequent(one),
  );

const WORDS = new Words();

/** Concepts of a folded word: none, one or two. */
export const conceptsOf = (word: string): readonly Concept[] => WORDS.conceptsOf(word);

/** The same without fuzzy matching. */
export const exactConceptsOf = (word: string): readonly Concept[] => WORDS.known(word);

/** A stop word, or exactly a word of the lexicon. */
export const isOrdinary = (word: string): boolean => COMMON.has(word) || exactConceptsOf(word).length > 0;

/** A stop word, without a meaning of its own. */
export const isCommon = (word: string): boolean => COMMON.has(word);

/** Without a meaning of its own, in any of the languages. */
export const isStopWord = (word: string): boolean => COMMON.has(word) || STOP_WORDS.has(word);

/** A frequent word of English, or an English adverb: spelled right, and seldom a name. */
export const isFrequent = (word: string): boolean =>
  STOP_WORDS.has(word) || FREQUENT.has(word) || /^[a-z]{3,}ly$/.test(word);
