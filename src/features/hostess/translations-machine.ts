/** More of `translations.ts`: processes, checks, accounts, what starts by itself, packages, people. */
export const MACHINE_TRANSLATIONS = `
Process {0} is {1}, {2}, uid {3}, {4}.
  Prozess {0} ist {1}, {2}, uid {3}, {4}.
  El proceso {0} es {1}, {2}, uid {3}, {4}.
  Le processus {0} est {1}, {2}, uid {3}, {4}.
thread
  Thread
  hilo
  thread
threads
  Threads
  hilos
  threads
It started at {0}, from process {1}{2}.
  Er begann um {0}, von Prozess {1}{2}.
  Empezó a las {0}, desde el proceso {1}{2}.
  Il a démarré à {0}, depuis le processus {1}{2}.
It belongs to the desk itself.
  Er gehört zum Desk selbst.
  Es del propio desk.
  Il appartient au desk lui-même.
No finding is about it.
  Kein Befund handelt davon.
  Ningún hallazgo trata de ello.
  Aucun constat n’en parle.
Process {0} is wrapped, by {1}.
  Prozess {0} ist eingeschlossen, durch {1}.
  El proceso {0} está confinado, por {1}.
  Le processus {0} est confiné, par {1}.
Process {0} is not wrapped: its weakest thread runs without confinement.
  Prozess {0} ist nicht eingeschlossen: sein schwächster Thread läuft ohne Confinement.
  El proceso {0} no está confinado: su hilo más débil corre sin confinamiento.
  Le processus {0} n’est pas confiné : son thread le plus faible tourne sans confinement.
Process {0} does not exist now; {1} do, kernel threads counted.
  Prozess {0} gibt es jetzt nicht; {1} gibt es, die Threads des Kernels mitgezählt.
  El proceso {0} no existe ahora; existen {1}, contando los hilos del kernel.
  Le processus {0} n’existe pas ; il y en a {1}, fils du noyau compris.
The hottest of {0} thermal {1} shows {2} °C.
  Der heißeste von {0} Sensoren zeigt {2} °C.
  El más caliente de {0} sensores marca {2} °C.
  Le plus chaud des {0} capteurs indique {2} °C.
I do not know: no thermal sensor can be read here.
  Das weiß ich nicht: hier ist kein Temperatursensor zu lesen.
  No lo sé: aquí no se puede leer ningún sensor de temperatura.
  Je ne sais pas : aucun capteur de température n’est lisible ici.
{0} of check and subject could not be judged, in {1}.
  {0} von Prüfung und Gegenstand waren nicht zu beurteilen, in {1}.
  {0} de comprobación y sujeto no se pudieron juzgar, en {1}.
  {0} de contrôle et de sujet n’ont pas pu être jugées, dans {1}.
{0}: {1} ({2}); cure: {3}.
  {0} (englisch): {1} ({2}); was hilft: {3}.
  {0} (en inglés): {1} ({2}); remedio: {3}.
  {0} (en anglais) : {1} ({2}) ; remède : {3}.
note
  Notiz
  nota
  note
notes
  Notizen
  notas
  notes
{0} of {1} probes do not work.
  {0} von {1} Sonden arbeiten nicht.
  {0} de {1} sondas no funcionan.
  {0} des {1} sondes ne fonctionnent pas.
The charge is not ok.
  Der Bericht der Aufgaben ist nicht in Ordnung.
  El informe de tareas no está bien.
  Le rapport des tâches n’est pas bon.
{0} critical.
  Kritisch: {0}.
  Críticos: {0}.
  Critiques : {0}.
scar is
  Scar
  scar
  scar
scars are
  Scars
  scars
  scars
The check {0} (tier {1}, severity {2}, avenue {3}): {4}.
  Die Prüfung {0} (Tier {1}, Schwere {2}, Avenue {3}): {4}.
  La comprobación {0} (tier {1}, gravedad {2}, avenida {3}): {4}.
  Le contrôle {0} (tier {1}, gravité {2}, avenue {3}) : {4}.
A fail may be benign: {0}. What to do: {1}.
  Es kann harmlos sein: {0}. Was zu tun ist: {1}.
  Puede ser inofensivo: {0}. Qué hacer: {1}.
  Cela peut être anodin : {0}. Que faire : {1}.
Findings of it now: {0}.
  Befunde davon jetzt: {0}.
  Hallazgos de ella ahora: {0}.
  Constats maintenant : {0}.
Findings of the check {0}: {1}.
  Befunde der Prüfung {0}: {1}.
  Hallazgos de la comprobación {0}: {1}.
  Constats du contrôle {0} : {1}.
{0} messages from them, {1} from you to them; first seen {2}, last seen {3}.
  {0} Nachrichten von dort, {1} von Ihnen dorthin; zuerst gesehen {2}, zuletzt {3}.
  {0} mensajes suyos, {1} de usted; visto por primera vez {2}, por última vez {3}.
  {0} messages de sa part, {1} de la vôtre ; vu pour la première fois {2}, la dernière {3}.
{0} is {1}.
  {0} ist {1}.
  {0} es {1}.
  {0} est {1}.
The ledger does not know {0}.
  Das Verzeichnis kennt {0} nicht.
  El registro no conoce a {0}.
  Le registre ne connaît pas {0}.
The ledger was exported to {0}.
  Das Verzeichnis wurde nach {0} exportiert.
  El registro se exportó a {0}.
  Le registre a été exporté vers {0}.
The magazine {0} answers {1}, which is {2}.
  Das Magazin {0} antwortet mit {1}, das ist {2}.
  La revista {0} responde {1}, lo cual {2}.
  Le magazine {0} répond {1}, ce qui {2}.
The site: {0}, at {1} ({2} of its history).
  Die Website (englisch): {0}, um {1} ({2} ihres Verlaufs).
  El sitio (en inglés): {0}, a las {1} ({2} de su historial).
  Le site (en anglais) : {0}, à {1} ({2} de son historique).
Nothing is recorded as changed at the site ({0} of its history).
  Bei der Website ist keine Änderung aufgezeichnet ({0} ihres Verlaufs).
  No consta ningún cambio en el sitio ({0} de su historial).
  Aucun changement du site n’est enregistré ({0} de son historique).
line
  Zeile
  línea
  ligne
lines
  Zeilen
  líneas
  lignes
No mail address is configured.
  Keine Mailadresse ist konfiguriert.
  No hay ninguna dirección de correo configurada.
  Aucune adresse de courrier n’est configurée.
The mail address of the desk is {0}.
  Die Mailadresse des Desks ist {0}.
  La dirección de correo del desk es {0}.
  L’adresse de courrier du desk est {0}.
{0} by the clock of this machine, {1} ms ago.
  {0} nach der Uhr dieser Maschine, vor {1} ms.
  {0} según el reloj de esta máquina, hace {1} ms.
  {0} à l’horloge de cette machine, il y a {1} ms.
The last sweep was at {0}; that was {1} ms old when you asked.
  Der letzte Durchgang war um {0}; er war {1} ms alt, als Sie fragten.
  La última pasada fue a las {0}; tenía {1} ms cuando preguntó.
  Le dernier passage date de {0} ; il avait {1} ms quand vous avez demandé.
I do not know {0}: I have no word, field, check, command, key or endpoint of that name.
  Das kenne ich nicht, {0}: kein Wort, Feld, keine Prüfung, kein Befehl, Schlüssel oder Endpunkt heißt so.
  No conozco {0}: no tengo palabra, campo, comprobación, orden, clave ni endpoint con ese nombre.
  Je ne connais pas {0} : aucun mot, champ, contrôle, commande, clé ou endpoint ne porte ce nom.
It could not see everything: {0}; cure: {1}.
  Sie konnte nicht alles sehen (englisch): {0}; Abhilfe: {1}.
  No pudo verlo todo (en inglés): {0}; remedio: {1}.
  Il n’a pas pu tout voir (en anglais) : {0} ; remède : {1}.
scar is open
  Scar ist offen
  scar está abierto
  scar est ouvert
scars are open
  Scars sind offen
  scars están abiertos
  scars sont ouverts
{0}; cook-off tries the safe remedy of each and scans again.
  {0}; das Cook-off versucht bei jedem das sichere Mittel und prüft dann neu.
  {0}; el cook-off prueba el remedio seguro de cada uno y vuelve a comprobar.
  {0} ; le cook-off essaie le remède sûr de chacun, puis vérifie de nouveau.
None of them has a remedy that the desk would run by itself; it only closes what is gone.
  Für keinen gibt es ein Mittel, das der Desk selbst anwendet; er schließt nur, was weg ist.
  Ninguno tiene un remedio que el desk aplique por sí mismo; solo cierra lo que ya no está.
  Aucun n’a de remède que le desk applique lui-même ; il ferme seulement ce qui a disparu.
Left to you: {0}.
  Ihnen bleibt (englisch): {0}.
  Queda para usted (en inglés): {0}.
  Il vous reste (en anglais) : {0}.
The last recheck took {0} µs, {1} ms rounded up; the median of late is {2} µs.
  Die letzte Prüfung dauerte {0} µs, aufgerundet {1} ms; der Median war zuletzt {2} µs.
  La última comprobación tardó {0} µs, {1} ms redondeado; la mediana reciente es {2} µs.
  La dernière vérification a pris {0} µs, {1} ms arrondi ; la médiane récente est de {2} µs.
Processes of the desk hold {0} that count, {1} of them off the allowlist; what counts: {2}.
  Prozesse des Desks halten {0}, die zählen, {1} davon nicht auf der Liste; was zählt (englisch): {2}.
  Los procesos del desk tienen {0} que cuentan, {1} fuera de la lista; lo que cuenta (en inglés): {2}.
  Les processus du desk ont {0} qui comptent, {1} hors de la liste ; ce qui compte (en anglais) : {2}.
The allowlist names {0} places. Connections of other programs are not checked.
  Die Liste nennt {0} Stellen. Verbindungen anderer Programme werden nicht geprüft.
  La lista nombra {0} lugares. Las conexiones de otros programas no se comprueban.
  La liste nomme {0} endroits. Les connexions d’autres programmes ne sont pas vérifiées.
connection
  Verbindung
  conexión
  connexion
connections
  Verbindungen
  conexiones
  connexions
The law is {0}: it allows {1} beside what is learned, and has {2} of its own.
  Das Gesetz ist {0}: es erlaubt {1} neben dem, was gelernt ist, und hat {2}.
  La ley es {0}: permite {1} además de lo aprendido, y tiene {2}.
  La loi est {0} : elle permet {1} en plus de ce qui est appris, et a {2}.
exception
  eigene Ausnahme
  excepción propia
  exception propre
exceptions
  eigene Ausnahmen
  excepciones propias
  exceptions propres
All {0} files of {1} packages are as recorded, where they are there.
  Alle {0} Dateien von {1} Paketen sind wie aufgezeichnet, soweit sie da sind.
  Los {0} archivos de {1} paquetes están como se registraron, los que están.
  Les {0} fichiers de {1} paquets sont comme enregistrés, pour ceux qui sont là.
Compared {0}; {1} files are not there, and configuration files are not compared.
  Verglichen {0}; {1} Dateien sind nicht da, und Konfigurationsdateien werden nicht verglichen.
  Comparado {0}; {1} archivos no están, y los de configuración no se comparan.
  Comparé {0} ; {1} fichiers ne sont pas là, et ceux de configuration ne sont pas comparés.
I am {0}; I answer from what this desk measures, and change nothing.
  Ich bin {0}; ich antworte aus dem, was dieser Desk misst, und ändere nichts.
  Soy {0}; respondo con lo que mide este desk y no cambio nada.
  Je suis {0} ; je réponds d’après ce que ce desk mesure, et ne change rien.
Ask whether the desk is well, why it is not gold, what changed since a time, who listens on a port and whether that is allowed, what a process is and how it is wrapped, what was found or learned, about the gate, the law, the site, its certificate and mail, or what a word, field, check, command or key means.
  Fragen Sie, wie es dem Desk geht, warum er nicht gold ist, was sich seit einer Zeit geändert hat, wer auf einem Port lauscht und ob das erlaubt ist, was ein Prozess ist, was gefunden oder gelernt wurde, nach dem Gate, dem Gesetz, der Website, ihrem Zertifikat und der Mail, oder was ein Wort, ein Feld, eine Prüfung, ein Befehl oder ein Schlüssel bedeutet.
  Pregunte cómo está el desk, por qué no es gold, qué ha cambiado desde un momento, quién escucha en un puerto y si está permitido, qué es un proceso, qué se encontró o se aprendió, por el gate, la ley, el sitio, su certificado y el correo, o qué significa una palabra, un campo, una comprobación, una orden o una clave.
  Demandez comment va le desk, pourquoi il n’est pas gold, ce qui a changé depuis un moment, qui écoute sur un port et si c’est permis, ce qu’est un processus, ce qui a été trouvé ou appris, la porte, la loi, le site, son certificat et le courrier, ou ce que veut dire un mot, un champ, un contrôle, une commande ou une clé.
Over HTTP: {0}.
  Über HTTP: {0}.
  Por HTTP: {0}.
  Par HTTP : {0}.
Now it is {0}.
  Jetzt ist es {0}.
  Ahora es {0}.
  Maintenant : {0}.
Who did it is not known: no record says.
  Wer es war, ist nicht bekannt: keine Aufzeichnung sagt es.
  No se sabe quién lo hizo: ningún registro lo dice.
  On ne sait pas qui l’a fait : aucun enregistrement ne le dit.
I do not know: of mail only names, addresses, times and counts are kept, never what it says.
  Das weiß ich nicht: von Mail werden nur Namen, Adressen, Zeiten und Zahlen behalten, nie ihr Inhalt.
  No lo sé: del correo solo se guardan nombres, direcciones, horas y cantidades, nunca lo que dice.
  Je ne sais pas : du courrier, seuls noms, adresses, heures et nombres sont gardés, jamais ce qu’il dit.
that
  so
  eso
  cela
The history begins at {0}: what was before is not known.
  Die Aufzeichnung beginnt {0}: was davor war, ist nicht bekannt.
  El historial empieza en {0}: lo anterior no se conoce.
  L’historique commence à {0} : ce qui précède n’est pas connu.
I have no word {0}.
  Das Wort {0} kenne ich nicht.
  No tengo la palabra {0}.
  Je n’ai pas le mot {0}.
{0} called {1}: pid {2}.
  {0} {1}: pid {2}.
  {0} {1}: pid {2}.
  {0} {1} : pid {2}.
process is
  Prozess heißt
  proceso se llama
  processus s’appelle
processes are
  Prozesse heißen
  procesos se llaman
  processus s’appellent
Not wrapped are pid {0}.
  Nicht eingeschlossen: pid {0}.
  Sin confinar: pid {0}.
  Non confinés : pid {0}.
`;
