/** Asks the configured assistant: prompt, streamed answer, and the reason for a missing answer. */
import { randomBytes } from 'node:crypto';
import { readPrivateLine } from '../../base/private-line.ts';
import { Redactor } from '../../base/redactor.ts';
import type { Config } from '../../config/schema.ts';
import { askChat, type ChatEnd } from '../../egress/assistant.ts';
import type { Egress, EgressRefusal } from '../../egress/egress.ts';
import { webPlace } from '../../egress/https.ts';
import type { AssistantAnswer, HostessAnswer } from '../../records/talk.ts';
import { assistantRole } from '../../records/texts.ts';
import type { Assistant } from './api.ts';
import { ChatReader } from './chat.ts';
import { flagsOf } from './check.ts';
import { PlainStream, plainText } from './plain.ts';
import { promptOf } from './prompt.ts';

/** Resolving, connecting and TLS; and the share of the whole in which the first word must come. */
const CONNECT_MS = 10_000;
const FIRST_SHARE = 2 / 3;
const LONGEST_MODEL = 100;
/** A bearer token (RFC 6750 section 2.1); a shorter one is not distinguishable from other words. */
const KEY = /^[\w.~+/=:-]{8,}$/;

type Outcome = Awaited<ReturnType<Assistant['ask']>>;

export class DeskAssistant implements Assistant {
  readonly configured: boolean;
  readonly withinMs: number;
  readonly #config: Config['assistant'];
  readonly #egress: Egress;

  constructor({ config, egress }: { readonly config: Config; readonly egress: Egress }) {
    this.#config = config.assistant;
    this.#egress = egress;
    this.configured = config.assistant.base_url !== '';
    this.withinMs = config.assistant.timeout_sec * 1000;
  }

  async ask(
    question: string,
    answer: HostessAnswer,
    { signal, words = () => undefined }: Parameters<Assistant['ask']>[2],
  ): Promise<Outcome> {
    const none = (note: string): Outcome => ({ assistant: null, note });
    const { base_url: baseUrl, model, send_people: sendPeople } = this.#config;
    if (baseUrl === '') return none('No assistant is configured, see [assistant].');
    if (model === '') return none('The assistant was not asked: name its model in [assistant].');
    const refusal = this.#refusal();
    if (refusal !== null) return none(`The assistant was not asked: ${refusal}.`);
    const key = this.#key();
    if (!key.ok) return none(`The assistant was not asked: ${key.reason}.`);
    const redactor = new Redactor(key.secret);
    const redact = (text: string): string => redactor.text(text);
    const { grounds, suggestions } = answer;
    const fence = () => randomBytes(16).toString('hex');
    const prompt = promptOf({ question, grounds, sendPeople, known: redact, fence });
    const reader = new ChatReader();
    const stream = new PlainStream(redact);
    const started = performance.now();
    const ended = await askChat(this.#egress, {
      baseUrl,
      key: key.secret,
      body: JSON.stringify({ model, messages: prompt.messages, stream: true }),
      limits: { connectMs: CONNECT_MS, firstMs: this.withinMs * FIRST_SHARE, wholeMs: this.withinMs },
      signal,
      take: (text, type) => {
        const state = reader.take(text, type);
        const fresh = stream.next(reader.words);
        if (fresh !== '') words(fresh);
        return stream.full ? 'enough' : state;
      },
    });
    if (ended.ok && ended.status === 200) reader.end();
    const said = plainText(redact(reader.words));
    const trouble = troubleOf(ended, reader, said.text);
    if (said.text === '') return none(trouble);
    const assistant: AssistantAnswer = {
      role: assistantRole.configured,
      model: plainText(redact(reader.model)).text.slice(0, LONGEST_MODEL) || model,
      answer: said.text,
      ms: performance.now() - started,
      flags: [...flagsOf(said.text, { ...prompt, suggestions })],
      truncated: said.truncated || reader.cut || trouble !== '',
    };
    return { assistant, note: trouble === '' ? '' : `Not all of its answer came. ${trouble}` };
  }

  /** The egress rule that forbids it, before any lookup; null without one. */
  #refusal(): string | null {
    const place = webPlace(this.#config.base_url);
    const refusal = place.ok ? this.#egress.refusalOf(place.host, place.port) : place;
    return refusal === null ? null : reasonOf(refusal);
  }

  #key(): { readonly ok: true; readonly secret: string } | { readonly ok: false; readonly reason: string } {
    const { api_key_file: file } = this.#config;
    if (file === '') return { ok: true, secret: '' };
    const refused = (why: string) => ({ ok: false, reason: `the API key file ${file} ${why}` }) as const;
    const read = readPrivateLine(file, { ours: true, what: 'API key' });
    if (read === null) return refused(`does not exist: write the key into it, then "chmod 600 ${file}"`);
    return read.ok && !KEY.test(read.secret)
      ? refused('holds no key: at least 8 of the characters of a bearer token, and no spaces')
      : read;
  }
}

const reasonOf = ({ code, reason }: EgressRefusal): string =>
  code === 'ip-literal' ? `${reason}, "localhost" for this machine` : reason;

/** A sentence: why the answer is missing or incomplete; "" when nothing is wrong. */
function troubleOf(ended: ChatEnd, reader: ChatReader, said: string): string {
  if (!ended.ok) {
    if (ended.code === 'left') return 'The assistant was not waited for: the client disconnected.';
    if (ended.kind === 'rule') return `The assistant was not asked: ${reasonOf(ended)}.`;
    const raise = ended.code === 'timeout' ? ', or raise timeout_sec in [assistant]' : '';
    return `Asking the assistant failed: ${ended.reason}${raise}.`;
  }
  if (ended.status !== 200) return `The assistant answered ${ended.status}: ${statusWords(ended.status)}.`;
  if (said !== '' && reader.trouble === '') return '';
  return `The answer of the assistant cannot be used: ${reader.trouble || 'none of it is plain text'}.`;
}

function statusWords(status: number): string {
  if (status >= 300 && status < 400) return 'it points elsewhere, which is not followed, correct base_url';
  if (status === 401 || status === 403) return 'it does not accept the key, check api_key_file';
  if (status === 404)
    return 'it has no such path or model, check base_url (it usually ends in /v1) and model';
  if (status === 400 || status === 422) return 'it does not accept the request, check model and its log';
  if (status === 429) return 'it has too much to do, ask again later';
  if (status >= 500) return 'it failed, check its log';
  return 'that is not an answer to a chat, check base_url';
}
