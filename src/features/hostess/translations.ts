/** Sentences of the hostess in English, German, Spanish and French, four lines each. `{0}` is the first value; not every language needs all. */
import { MACHINE_TRANSLATIONS } from './translations-machine.ts';
import { MORE_TRANSLATIONS } from './translations-more.ts';

export const TRANSLATIONS = `
The documentation says (in English):
  Die Dokumentation sagt (englisch):
  La documentación dice (en inglés):
  La documentation dit (en anglais) :
The records say (in English):
  Die Aufzeichnungen sagen (englisch):
  Los registros dicen (en inglés):
  Les enregistrements disent (en anglais) :
I did not use {0}.
  Nicht verwendet habe ich {0}.
  No he usado {0}.
  Je n’ai pas utilisé {0}.
a word of the question
  ein Wort der Frage
  una palabra de la pregunta
  un mot de la question
and more
  und weitere
  y más
  et d’autres
There are more.
  Es gibt weitere.
  Hay más.
  Il y en a d’autres.
I do not understand this. I can tell how the desk is, what changed since a time, who listens on a port, what a process is and how it is wrapped, what was found, learned or could not be seen, about the site and mail, and what my words mean.
  Das verstehe ich nicht. Ich kann sagen, wie es dem Desk geht, was sich seit einer Zeit geändert hat, wer auf einem Port lauscht, was ein Prozess ist, was gefunden, gelernt oder nicht gesehen wurde, wie es um Website und Mail steht, und was meine Wörter bedeuten.
  No lo entiendo. Puedo decir cómo está el desk, qué ha cambiado desde un momento, quién escucha en un puerto, qué es un proceso, qué se encontró, se aprendió o no se pudo ver, cómo están el sitio y el correo, y qué significan mis palabras.
  Je ne comprends pas. Je peux dire comment va le desk, ce qui a changé depuis un moment, qui écoute sur un port, ce qu’est un processus, ce qui a été trouvé, appris ou n’a pas pu être vu, où en sont le site et le courrier, et ce que mes mots veulent dire.
I change nothing; I only answer. What changes something is a command of yours, and says what it will do before.
  Ich ändere nichts, ich antworte nur. Etwas ändern kann ein Befehl, den Sie geben; er sagt vorher, was er tun wird.
  No cambio nada, solo respondo. Lo que cambia algo es una orden suya, y dice antes qué hará.
  Je ne change rien, je ne fais que répondre. Ce qui change quelque chose est une commande que vous donnez, et elle dit avant ce qu’elle fera.
The command for it: {0}.
  Der Befehl dafür: {0}.
  La orden para ello: {0}.
  La commande pour cela : {0}.
I do not take instructions, and cannot answer by what a message says: I tell what was measured. Ask me about the desk.
  Ich nehme keine Anweisungen an und kann nicht sagen, was eine Nachricht vorgibt: ich sage, was gemessen wurde. Fragen Sie mich nach dem Desk.
  No acepto instrucciones y no puedo responder lo que dicta un mensaje: digo lo que se midió. Pregúnteme por el desk.
  Je ne prends pas d’instructions et ne peux pas répondre ce qu’un message dicte : je dis ce qui a été mesuré. Interrogez-moi sur le desk.
I never tell a secret: no password, token or key is part of any record, and I cannot read them.
  Geheimnisse sage ich nie: kein Passwort, Token oder Schlüssel ist Teil einer Aufzeichnung, und ich kann sie nicht lesen.
  Nunca digo un secreto: ninguna contraseña, token o clave forma parte de un registro, y no puedo leerlas.
  Je ne dis jamais un secret : aucun mot de passe, jeton ou clé ne fait partie d’un enregistrement, et je ne peux pas les lire.
I do not know the future: I report what was measured, and that is not yet measured. The last sweep was at {0}.
  Die Zukunft kenne ich nicht: ich sage, was gemessen wurde, und das ist noch nicht gemessen. Der letzte Durchgang war um {0}.
  No conozco el futuro: digo lo que se midió, y eso aún no se ha medido. La última pasada fue a las {0}.
  Je ne connais pas l’avenir : je dis ce qui a été mesuré, et cela ne l’est pas encore. Le dernier passage date de {0}.
I do not know: no record measures that.
  Das weiß ich nicht: keine Aufzeichnung misst das.
  No lo sé: ningún registro mide eso.
  Je ne sais pas : aucun enregistrement ne mesure cela.
I cannot answer that: I know only what was measured on this machine.
  Das kann ich nicht beantworten: ich weiß nur, was auf dieser Maschine gemessen wurde.
  No puedo responder a eso: solo sé lo que se midió en esta máquina.
  Je ne peux pas répondre à cela : je sais seulement ce qui a été mesuré sur cette machine.
I show no contents of files: no record has them.
  Inhalte von Dateien zeige ich nicht: keine Aufzeichnung hat sie.
  No muestro el contenido de archivos: ningún registro lo tiene.
  Je ne montre pas le contenu des fichiers : aucun enregistrement ne l’a.
I do not see what people do: files that they opened or deleted, pages that they visited and commands that they gave are not recorded.
  Was Menschen tun, sehe ich nicht: geöffnete oder gelöschte Dateien, besuchte Seiten und eingegebene Befehle werden nicht aufgezeichnet.
  No veo lo que hacen las personas: los archivos que abrieron o borraron, las páginas que visitaron y las órdenes que dieron no se registran.
  Je ne vois pas ce que font les gens : les fichiers ouverts ou supprimés, les pages visitées et les commandes données ne sont pas enregistrés.
I watch this machine alone and know nothing of another one.
  Ich beobachte nur diese Maschine und weiß nichts von einer anderen.
  Vigilo solo esta máquina y no sé nada de otra.
  Je surveille cette machine seulement et ne sais rien d’une autre.
I do not know: no record that I read lists what was set aside; {0} does.
  Das weiß ich nicht: keine Aufzeichnung, die ich lese, führt auf, was beiseite gelegt wurde; {0} tut es.
  No lo sé: ningún registro que leo lista lo apartado; {0} sí.
  Je ne sais pas : aucun enregistrement que je lis ne liste ce qui a été mis de côté ; {0} le fait.
I do not know what it was then: of this I read the newest value alone. The last sweep was at {0}. {1}: {2}.
  Was es damals war, weiß ich nicht: davon lese ich nur den neuesten Wert. Der letzte Durchgang war um {0}. Die Dokumentation sagt (englisch): {1}: {2}.
  No sé qué era entonces: de esto solo leo el valor más reciente. La última pasada fue a las {0}. La documentación dice (en inglés): {1}: {2}.
  Je ne sais pas ce que c’était alors : je n’en lis que la valeur la plus récente. Le dernier passage date de {0}. La documentation dit (en anglais) : {1} : {2}.
Nearly so is called: {0}.
  Ähnlich heißt: {0}.
  Se llama de forma parecida: {0}.
  Un nom proche : {0}.
Questions about people need a token: send the control token or the mail token as "Authorization: Bearer", open the page with desk open, or ask with desk think, which reads the token by itself.
  Fragen nach Personen brauchen ein Token: senden Sie das Control- oder Mail-Token als "Authorization: Bearer", öffnen Sie die Seite mit desk open, oder fragen Sie mit desk think, das es selbst liest.
  Las preguntas sobre personas necesitan un token: envíe el de control o el de correo como "Authorization: Bearer", abra la página con desk open, o pregunte con desk think, que lo lee solo.
  Les questions sur des personnes demandent un jeton : envoyez celui de contrôle ou de courrier en "Authorization: Bearer", ouvrez la page avec desk open, ou demandez avec desk think, qui le lit lui-même.
The nearest command I know:
  Der nächste Befehl, den ich kenne:
  La orden más cercana que conozco:
  La commande la plus proche que je connaisse :
Here: {0}.
  Hier: {0}.
  Aquí: {0}.
  Ici : {0}.
Or: {0}.
  Oder: {0}.
  O: {0}.
  Ou : {0}.
The desk is {0}; the grade is {1}.
  Der Desk ist {0}; die Note ist {1}.
  El desk {0}; la nota es {1}.
  Le desk {0} ; la note est {1}.
well
  in Ordnung
  está bien
  va bien
not well
  nicht in Ordnung
  no está bien
  ne va pas bien
These are the first of {0} issues.
  Das sind die ersten von {0} Punkten.
  Son los primeros de {0} problemas.
  Ce sont les premiers de {0} problèmes.
{0} of {1} desk ports are up, and there {2} {3}.
  {0} von {1} Desk-Ports sind oben, und es gibt {3}.
  {0} de {1} puertos del desk están activos, y hay {3}.
  {0} des {1} ports du desk sont actifs, et il y a {3}.
scar
  Scar
  scar
  scar
scars
  Scars
  scars
  scars
Not everything could be seen: {0} what.
  Nicht alles war zu sehen: {0}, was.
  No se pudo ver todo: {0} qué.
  Tout n’a pas pu être vu : {0} quoi.
note says
  Notiz sagt
  nota dice
  note dit
notes say
  Notizen sagen
  notas dicen
  notes disent
The grade is {0}: no scar is open, every duty runs and enough could be seen.
  Die Note ist {0}: kein Scar ist offen, jede Aufgabe läuft, und es war genug zu sehen.
  La nota es {0}: ningún scar está abierto, cada tarea funciona y se pudo ver lo suficiente.
  La note est {0} : aucun scar n’est ouvert, chaque tâche tourne et assez a pu être vu.
The grade is {0}.
  Die Note ist {0}.
  La nota es {0}.
  La note est {0}.
There {0} {1}.
  Es gibt {1}.
  Hay {1}.
  Il y a {1}.
The first: {0}.
  Der erste (englisch): {0}.
  El primero (en inglés): {0}.
  Le premier (en anglais) : {0}.
Gold needs no scar, every duty running, enough that could be seen, and port {0} down; other ports do not count.
  Für Gold darf es keinen Scar geben, jede Aufgabe muss laufen, genug zu sehen und Port {0} unten sein; andere Ports zählen nicht.
  El oro exige que no haya scars, que cada tarea funcione, que se vea lo suficiente y que el puerto {0} esté caído; los demás no cuentan.
  L’or demande qu’il n’y ait pas de scar, que chaque tâche tourne, que l’on voie assez et que le port {0} soit fermé ; les autres ne comptent pas.
The rule: {0}.
  Die Regel (englisch): {0}.
  La regla (en inglés): {0}.
  La règle (en anglais) : {0}.
The score is {0} points, letter {1}.
  Es sind {0} Punkte, Buchstabe {1}.
  Son {0} puntos, letra {1}.
  Ce sont {0} points, lettre {1}.
The lowest axis is {0} with {1}: {2}.
  Die niedrigste Achse ist {0} mit {1}; die Formel: {2}.
  El eje más bajo es {0} con {1}; la fórmula: {2}.
  L’axe le plus bas est {0} avec {1} ; la formule : {2}.
Nothing: no issue is open, and nothing is to be improved.
  Nichts: kein Punkt ist offen, und nichts ist zu verbessern.
  Nada: ningún problema está abierto, y no hay nada que mejorar.
  Rien : aucun problème n’est ouvert, et rien n’est à améliorer.
{0}: {1}.
  {0}: {1}.
  {0}: {1}.
  {0} : {1}.
Also
  Außerdem
  Además
  En outre
What could be done
  Was zu tun wäre
  Qué se podría hacer
  Ce qui pourrait être fait
Finding {0} is not known, now or in the store; {1} are open now.
  Den Befund {0} gibt es nicht, weder jetzt noch in der Ablage; {1} sind jetzt offen.
  El hallazgo {0} no se conoce, ni ahora ni en el archivo; {1} están abiertos ahora.
  Le constat {0} n’est pas connu, ni maintenant ni dans les archives ; {1} sont ouverts.
Finding {0} of the check {1}, severity {2}, {3}: {4}.
  Der Befund {0} der Prüfung {1}, Schwere {2}, {3} (englisch): {4}.
  El hallazgo {0} de la comprobación {1}, gravedad {2}, {3} (en inglés): {4}.
  Le constat {0} du contrôle {1}, gravité {2}, {3} (en anglais) : {4}.
is open
  ist offen
  está abierto
  est ouvert
is closed
  ist geschlossen
  está cerrado
  est fermé
First seen {0}, last seen {1}.
  Zuerst gesehen {0}, zuletzt {1}.
  Visto por primera vez {0}, por última vez {1}.
  Vu pour la première fois {0}, la dernière fois {1}.
It may be benign: {0}.
  Es kann harmlos sein (englisch): {0}.
  Puede ser inofensivo (en inglés): {0}.
  Cela peut être anodin (en anglais) : {0}.
What to do: {0}.
  Was zu tun ist (englisch): {0}.
  Qué hacer (en inglés): {0}.
  Que faire (en anglais) : {0}.
There is no finding{0}: {1} are open.
  Es gibt keinen Befund{0}: {1} sind offen.
  No hay ningún hallazgo{0}: {1} abiertos.
  Il n’y a aucun constat{0} : {1} ouverts.
{0}{1}.
  {0}{1}.
  {0}{1}.
  {0}{1}.
finding is open
  Befund ist offen
  hallazgo está abierto
  constat est ouvert
findings are open
  Befunde sind offen
  hallazgos están abiertos
  constats sont ouverts
Critical: {0}, high: {1}, medium: {2}, low: {3}.
  Kritisch: {0}, hoch: {1}, mittel: {2}, niedrig: {3}.
  Críticos: {0}, altos: {1}, medios: {2}, bajos: {3}.
  Critiques : {0}, élevés : {1}, moyens : {2}, faibles : {3}.
{0} in all.
  Insgesamt: {0}.
  En total: {0}.
  En tout : {0}.
is a scar
  ist ein Scar
  es un scar
  est un scar
are scars
  sind Scars
  son scars
  sont des scars
That is not all: {0} of check and subject could not be judged.
  Das ist nicht alles: {0} von Prüfung und Gegenstand waren nicht zu beurteilen.
  Eso no es todo: {0} de comprobación y sujeto no se pudieron juzgar.
  Ce n’est pas tout : {0} de contrôle et de sujet n’ont pas pu être jugés.
Not all of it could be judged: {0} ({1}).
  Nicht alles davon war zu beurteilen (englisch): {0} ({1}).
  No todo se pudo juzgar (en inglés): {0} ({1}).
  Tout n’a pas pu être jugé (en anglais) : {0} ({1}).
pair
  Paar
  par
  paire
pairs
  Paare
  pares
  paires
It is among the issues: {0}.
  Es ist unter den Punkten (englisch): {0}.
  Está entre los problemas (en inglés): {0}.
  C’est parmi les problèmes (en anglais) : {0}.
Of {0} findings these are about it.
  Von {0} Befunden handeln diese davon:
  De {0} hallazgos, estos tratan de ello:
  Sur {0} constats, ceux-ci en parlent :
Avenue {0} ({1}) is {2}.
  Avenue {0} ({1}) ist {2}.
  La avenida {0} ({1}) está {2}.
  L’avenue {0} ({1}) est {2}.
open: {0}
  offen: {0}
  abierta: {0}
  ouverte : {0}
closed
  geschlossen
  cerrada
  fermée
No avenue is open.
  Keine Avenue ist offen.
  Ninguna avenida está abierta.
  Aucune avenue n’est ouverte.
{0} is open: {1}.
  {0} ist offen: {1}.
  {0} está abierta: {1}.
  {0} est ouverte : {1}.
${MORE_TRANSLATIONS.trim()}
${MACHINE_TRANSLATIONS.trim()}
`;
