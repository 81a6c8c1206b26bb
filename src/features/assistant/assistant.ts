/** Asks the configured assistant for queries and words, and runs the queries. */
import { DeskError } from '../../base/desk-error.ts';
import { readPrivateLine } from '../../base/private-line.ts';
import { Redactor } from '../../base/redactor.ts';
import type { Config } from '../../config/schema.ts';
import { askChat, type ChatEnd } from '../../egress/assistant.ts';
import type { Egress, EgressRefusal } from '../../egress/egress.ts';
import { webPlace } from '../../egress/https.ts';
import { now } from '../../engine/now.ts';
import type { QueryAnswer } from '../../records/query.ts';
import {
  type AssistantAnswer,
  type ChatMessage,
  type ConsultPrompt,
  consultPrompt,
} from '../../records/talk.ts';
import { assistantRole } from '../../records/texts.ts';
import { entriesFor } from '../hostess/api.ts';
import type { AskedAssistant, Assistant } from './api.ts';
import { ChatReader } from './chat.ts';
import { commandFlags } from './commands.ts';
import { fillWords } from './fill.ts';
import { plainText, withoutThoughts } from './plain.ts';
import { correction, promptOf } from './prompt.ts';
import { QuestionRedactor } from './redact.ts';
import { readReply } from './reply.ts';

/** Resolving, connecting and TLS; and the share of the whole in which the first word must come. */
const CONNECT_MS = 10_000;
const FIRST_SHARE = 2 / 3;
const LONGEST_MODEL = 100;
const MOST_FLAGS = 20;
/** A bearer token (RFC 6750 section 2.1); a shorter one is not distinguishable from other words. */
const KEY = /^[\w.~+/=:-]{8,}$/;

type Outcome = Awaited<ReturnType<Assistant['ask']>>;
type Run = Parameters<Assistant['ask']>[1];

/** One reply to messages. */
interface Said {
  /** Without reasoning; the key of the endpoint is removed. */
  readonly text: string;
  readonly model: string;
  readonly cut: boolean;
  /** A sentence: why it is missing or incomplete, else "". */
  readonly trouble: string;
}

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

  async ask(asked: AskedAssistant, run: Run): Promise<Outcome> {
    const none = (note: string): Outcome => ({ assistant: null, note });
    const { base_url: baseUrl, model } = this.#config;
    if (baseUrl === '') return none('No assistant is configured, see [assistant].');
    if (model === '') return none('The assistant was not asked: name its model in [assistant].');
    const refusal = this.#refusal();
    if (refusal !== null) return none(`The assistant was not asked: ${refusal}.`);
    const key = this.#key();
    if (!key.ok) return none(`The assistant was not asked: ${key.reason}.`);
    const started = performance.now();
    const chat = (messages: readonly ChatMessage[], withinMs: number): Promise<Said> =>
      this.#chat(messages, key.secret, run.signal, withinMs);
    const messages = this.#messages(asked, key.secret);
    let said = await chat(messages, this.withinMs);
    if (said.text === '') return none(said.trouble);
    let turn = await takeTurn(said.text, run);
    if (turn.errors.size > 0 && said.trouble === '') {
      const leftMs = Math.max(1, Math.floor(this.withinMs - (performance.now() - started)));
      const again = await chat([...messages, ...correction(said.text, turn.errors)], leftMs);
      // A correction that does not come leaves what there was.
      if (again.text !== '' && again.trouble === '') [said, turn] = [again, await takeTurn(again.text, run)];
    }
    const plain = plainText(turn.words);
    const { parts, flags } = fillWords(plain.text, turn.answers);
    if (turn.queries.length === 0 && plain.text === '')
      return none('The answer of the assistant cannot be used: it has neither a query nor plain text.');
    const assistant: AssistantAnswer = {
      role: assistantRole.configured,
      model: said.model.replace(/[^\w./:@+-]/g, '').slice(0, LONGEST_MODEL) || model,
      queries: [...turn.queries],
      answer: parts.map(({ text }) => text).join(''),
      parts: [...parts],
      ms: performance.now() - started,
      flags: [...commandFlags(plain.text, asked.answer.suggestions), ...flags].slice(0, MOST_FLAGS),
      truncated: plain.truncated || said.cut || said.trouble !== '',
    };
    return { assistant, note: said.trouble === '' ? '' : `Not all of its answer came. ${said.trouble}` };
  }

  prompt(asked: AskedAssistant): ConsultPrompt {
    const { base_url: to, model } = this.#config;
    const key = this.#key();
    const messages = [...this.#messages(asked, key.ok ? key.secret : '')];
    return consultPrompt.assemble({
      ...{ ts: now(), to, model, key: key.ok && key.secret !== '', messages },
      characters: messages.reduce((sum, { content }) => sum + content.length, 0),
      later:
        'Where it writes a query that cannot be run: its own reply, and the errors, which name tables and columns, or say that a table cannot be read. Never a row, a count or anything else that was measured.',
    });
  }

  #messages({ question, answer, tables }: AskedAssistant, secret: string): readonly ChatMessage[] {
    const known = new Redactor(secret);
    const redactor = new QuestionRedactor({
      sendPeople: this.#config.send_people,
      known: (text) => known.text(text),
    });
    redactor.learn(answer.grounds);
    const passages = entriesFor(question).map(({ kind, name, meaning }) => `${kind} ${name}: ${meaning}`);
    return promptOf({ question: redactor.text(question), tables, passages });
  }

  async #chat(
    messages: readonly ChatMessage[],
    secret: string,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<Said> {
    const { base_url: baseUrl, model } = this.#config;
    const reader = new ChatReader();
    const ended = await askChat(this.#egress, {
      ...{ baseUrl, key: secret, signal },
      body: JSON.stringify({ model, messages, stream: true }),
      limits: { connectMs: CONNECT_MS, firstMs: withinMs * FIRST_SHARE, wholeMs: withinMs },
      take: (text, type) => reader.take(text, type),
    });
    if (ended.ok && ended.status === 200) reader.end();
    const redactor = new Redactor(secret);
    const text = withoutThoughts(redactor.text(reader.words)).trim();
    return {
      text,
      model: redactor.text(reader.model),
      cut: reader.cut,
      trouble: troubleOf(ended, reader, text),
    };
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

interface Turn {
  readonly queries: AssistantAnswer['queries'];
  /** Of those that ran, by number. */
  readonly answers: ReadonlyMap<number, QueryAnswer>;
  /** Of those that did not. */
  readonly errors: ReadonlyMap<number, string>;
  readonly words: string;
}

/** Reads a reply and runs its queries, one after the other. */
async function takeTurn(text: string, { query, signal }: Run): Promise<Turn> {
  const { queries: written, words } = readReply(text);
  const queries: AssistantAnswer['queries'] = [];
  const answers = new Map<number, QueryAnswer>();
  const errors = new Map<number, string>();
  for (const [number, one] of written) {
    if (signal.aborted) break;
    try {
      const answer = await query(one);
      answers.set(number, answer);
      queries.push({ number, query: answer.query, answer: answer.sentence, rows: answer.total, error: '' });
    } catch (thrown) {
      if (!(thrown instanceof DeskError)) throw thrown;
      const error = [thrown.message, thrown.remedy].filter((part) => part !== '').join(' ');
      // What is wrong with a query names tables and columns; why a table cannot be read may name files.
      errors.set(number, thrown.code === 'usage' ? error : 'This table cannot be read now.');
      queries.push({ number, query: plainText(one).text, answer: '', rows: 0, error });
    }
  }
  return { queries, answers, errors, words };
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
