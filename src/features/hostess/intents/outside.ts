/** The public site with its certificate, names and magazine; mail. */

import { type AnswerBuilder, either, ours, part, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { quoted } from '../paths.ts';
import type { QueryContext } from '../query-context.ts';
import type { Question } from '../understand.ts';

const MOST_SHOWN = 6;

export const certificate: Intent = {
  id: 'certificate',
  score: ({ question }) =>
    question.has('certificate') ? 70 : question.has('expire') && !question.has('law') ? 60 : 0,
  answer(out) {
    out.suggest('desk public');
    if (out.value('site.configured') === false) {
      out.say`I do not know: no site is configured, so no certificate is checked.`;
      return false;
    }
    if (out.read('site.certificate.days') === undefined) {
      out.ground('site.certificate');
      out.say`I do not know: no certificate was seen at ${out.ground('site.url')}. ${out.ground('site.reason')}.`;
      return false;
    }
    const get = out.at('site.certificate');
    const [days, until, verified] = [get('days'), get('valid_to'), get('verified')];
    if (Number(days.value) < 0)
      out.say`The certificate of ${get('subject')} has ended at ${until}, days left: ${days}.`;
    else
      out.say`The certificate of ${get('subject')}, signed by ${get('issuer')}, lasts ${days} more ${plural(days, 'day', 'days')}, until ${until}.`;
    out.say`Its chain ${verified.value === true ? ours('verifies') : part`does not verify: ${get('problem')}`}.`;
    if (out.value('charge.global_protect.le_ready') === false)
      out.say`That is not good: it should verify and last longer, so renew it.`;
    return true;
  },
};

const HOST = /^[\w-]+(?:\.[\w-]+)+$/;

/** The question has one of the site's names. */
const namesHost = ({ tokens, has, any }: Question, context: QueryContext): boolean =>
  !any('certificate', 'connection', 'law') &&
  !has('mail', 'not') &&
  ((context.read('site.names') ?? []) as readonly { readonly name: string }[]).some(({ name }) =>
    tokens.includes(name),
  );

/** German and Spanish also say page for the site. */
const asksSiteSpeed = (question: Question): boolean =>
  (question.has('speed') || question.says(/\b(?:response|respond|reponse|respuesta|antwortzeit\w*)\b/)) &&
  (question.has('site') ||
    question.says(
      /\b(?:seite|pagina)\b.*\b(?:antwort\w*|lad\w*|respond\w*|carg\w*)|\b(?:antwort\w*|lad\w*|respond\w*|carg\w*)\b.*\b(?:seite|pagina)\b/,
    ));

export const site: Intent = {
  id: 'site',
  score: ({ question, context }) =>
    asksSiteSpeed(question)
      ? 57
      : namesHost(question, context)
        ? 72.5
        : question.has('name_service') && !question.any('process', 'people')
          ? 53
          : question.has('magazine')
            ? 54
            : question.has('site')
              ? 51
              : 0,
  answer(out, { question }) {
    out.suggest('desk public');
    const isOfSpeed = asksSiteSpeed(question) && out.read('site.ms') !== null;
    if (isOfSpeed) out.say`It took ${out.ground('site.ms')} ms.`;
    const status = out.ground('site.status');
    const ok = out.ground('site.ok');
    if (out.value('site.configured') === false)
      out.say`No site is configured; the embedded public page takes its place.`;
    if (status.value === 0) out.say`The site ${out.ground('site.url')} did not answer.`;
    else
      out.say`The site ${out.ground('site.url')} answers ${status}, which is ${either(ok, 'good', 'not good')}.`;
    if (out.value('site.reason') !== '') out.say`${out.ground('site.reason')}.`;
    const [probed, ms] = [out.ground('site.probed'), out.ground('site.ms')];
    if (probed.value !== null) out.say`It was probed at ${probed}.`;
    if (ms.value !== null && !isOfSpeed) out.say`It took ${ms} ms.`;
    const [green, total] = [out.ground('page.site.dns_green'), out.ground('page.site.dns_total')];
    out.say`${green} of ${total} names resolve.`;
    const names = out.read<readonly { name: string; resolves: boolean }[]>('site.names') ?? [];
    for (const host of question.has('name_service') ? question.names.filter((one) => HOST.test(one)) : [])
      if (!names.some(({ name }) => name === host))
        out.say`${plain(`"${host}"`)} is not among the ${out.ground('site.names.length')} names that I resolve.`;
    for (const { name, resolves } of names.slice(0, MOST_SHOWN)) {
      const get = out.at(`site.names[name=${quoted(name)}]`);
      get('resolves');
      if (!resolves) out.say`${get('name')} does not: ${get('reason')}.`;
    }
    sayMagazine(out, question.has('magazine'));
    const changed = (out.read<readonly { changed: string }[]>('site.history') ?? []).findIndex(
      (line) => line.changed !== '',
    );
    if (changed >= 0)
      out.say`Its last change: ${out.ground(`site.history[${changed}].changed`)}, at ${out.ground(`site.history[${changed}].at`)}.`;
    return true;
  },
};

function sayMagazine(out: AnswerBuilder, asked: boolean): void {
  if (out.read('site.magazine.ok') !== undefined) {
    const ok = out.ground('site.magazine.ok');
    out.say`The magazine ${out.ground('site.magazine.url')} answers ${out.ground('site.magazine.status')}, which is ${either(ok, 'good', 'not good')}.`;
  } else if (asked) {
    out.ground('page.site.magazine_ok');
    out.say`The magazine was not probed, or is not configured.`;
  }
}

export const mail: Intent = {
  id: 'mail',
  score: ({ question }) => {
    // Whether a password is set is not secret.
    if (
      question.has('secret', 'mail') &&
      question.says(
        /\b(?:set|fail\w*|refus\w*|reject\w*|because|gesetzt|configured|konfiguriert|defini|configurad)/,
      )
    )
      return 94;
    if (question.has('client')) return 58;
    return question.has('mail') ? 45 : 0;
  },
  answer(out) {
    out.suggest('desk mail');
    const configured = out.ground('mail.configured');
    const trouble = out.ground('mail.trouble');
    if (configured.value === false) out.say`No source of people is configured, so no ledger is kept.`;
    else if (trouble.value === '') out.say`Mail is read as it should be.`;
    else out.say`Mail is not read as it should be: ${trouble}.`;
    const sources =
      out.read<readonly { source: string; state: string; progress: unknown }[]>('mail.sources') ?? [];
    for (const { source, state, progress } of sources.slice(0, MOST_SHOWN)) {
      const get = out.at(`mail.sources[source=${quoted(source)}]`);
      out.say`Source ${get('source')} is ${get('state')}, ${get('read')} messages read.`;
      if (state === 'failed') out.say`${get('reason')}.`;
      if (progress !== null)
        out.say`Its import has done ${get('progress.done')} of ${get('progress.total')} messages; seconds left: ${get('progress.left_sec')}.`;
    }
    const [set, client] = [out.ground('mail.pass_set'), out.ground('mail.claws_up')];
    const exported = out.ground('mail.ledger.export');
    if (exported.value !== '') out.say`The ledger was exported to ${exported}.`;
    out.say`A password is ${either(set, 'set', 'not set')}; the mail client ${either(client, 'runs', 'does not run')}.`;
    return true;
  },
};

const SERVER = /\b(?:imap|smtp)\b/u;
const ADDRESS = /\b(?:addres\w*|(?:mail)?adress\w*|direccion)\b/u;
const PLACE = /\b(?:host|server|serveur|servidor|port|puerto|user|adress\w*|addres\w*)\b/u;

/** As whom the desk does mail, and by which servers. */
export const identity: Intent = {
  id: 'identity',
  score: ({ question }) => {
    if (question.entities.address !== null || question.has('link')) return 0;
    const asked =
      (question.has('identity') && !question.any('baseline', 'process')) ||
      (question.says(SERVER) && question.says(PLACE)) ||
      (question.any('mail', 'write') && question.says(ADDRESS)) ||
      (question.says(ADDRESS) && question.says(/\bsend(?:s|ing)?\b/));
    return asked ? 64 : 0;
  },
  answer(out) {
    out.suggest('desk mail');
    const get = out.at('status.identity');
    const [address, provider, updated] = [get('address'), get('provider'), get('updated')];
    if (address.value === '') out.say`No mail address is configured.`;
    else out.say`The mail address of the desk is ${address}.`;
    const name = get('from_name');
    if (name.value !== '') out.say`Its mails are from ${name}.`;
    for (const kind of ['imap', 'smtp']) {
      const [host, number] = [get(`${kind}_host`), get(`${kind}_port`)];
      if (host.value === '') out.say`No ${plain(kind)} server is configured; its port is ${number}.`;
      else out.say`The ${plain(kind)} server is ${host}, port ${number}.`;
    }
    if (provider.value !== '') out.say`The provider is ${provider}.`;
    if (updated.value !== '') out.say`The identity was last changed on ${updated}.`;
    return true;
  },
};

const ALOUD = /^(?:read|lies|lis|lee)\b.* mail\b/;
const INSIDE =
  /\bwhat(?: is| was|s|s the)? (?:in|inside|contents? of|text of)\b.*\b(?:mails?|messages?|letters?)\b/;
const SAYS =
  /\b(?:write|wrote|say|said|says|schrieb|geschrieben|ecrit|dit|escribio|dijo|subject|betreff|attachment)\b/;

/** The contents of mail are never read. */
export const contents: Intent = {
  id: 'contents',
  score: ({ question }) => {
    const ofText = question.says(SAYS) || question.says(ALOUD);
    const asked =
      (question.says(INSIDE) ||
        question.says(/\bwhat (?:did|does|has) \w+ (?:say|said|write|wrote|written|want)/) ||
        (question.has('mail') && ofText)) &&
      !question.says(/^who\b/);
    return asked && question.entities.address === null ? 75 : 0;
  },
  answer(out) {
    out.say`I do not know: of mail only names, addresses, times and counts are kept, never what it says.`;
    return false;
  },
};
