/**
 * Reads the answer of an OpenAI-compatible chat completion, streamed (`data: {"choices":[{"delta":{"content":…}}]}`, ended by
 * `data: [DONE]`) or as one JSON document (`choices[0].message.content`). Only its words are used; tool calls, roles and everything else
 * are ignored.
 */
import { eventStream } from '../../base/event-stream.ts';

/** Characters of words that are kept: most of them are room for the reasoning of a model. */
const MOST_CHARACTERS = 1 << 16;

/** `waiting`: no words yet; `enough`: ended, broken or over the limit. */
type ChatState = 'waiting' | 'going' | 'enough';

export class ChatReader {
  /** Null before the head of the answer. */
  #stream: ((text: string) => boolean) | null = null;
  #json = '';
  #ended = false;
  #broken = '';
  #tools = false;
  /** The words so far, as they came. */
  words = '';
  /** More words came than are kept. */
  cut = false;
  /** The model that the answer names, "" when it names none. */
  model = '';

  /** `type`: the Content-Type of the answer. */
  take(text: string, type: string): ChatState {
    if (/^text\/event-stream\b/i.test(type)) {
      this.#stream ??= eventStream(({ data }) => this.#event(data));
      if (!this.#stream(text)) this.#broken ||= 'an event of its stream does not end';
    } else if (/^application\/json\b/i.test(type)) this.#json += text;
    else this.#broken ||= 'it is neither JSON nor an event stream';
    if (this.#ended || this.cut || this.#broken !== '') return 'enough';
    return this.words === '' ? 'waiting' : 'going';
  }

  /** The answer has ended: a single JSON document is parsed now. */
  end(): void {
    if (this.#json === '' || this.#ended) return;
    this.#ended = true;
    this.#read(this.#json, 'message');
  }

  /** A phrase: why there are no usable words; "" when there are. */
  get trouble(): string {
    if (this.#broken !== '') return this.#broken;
    if (this.words.trim() !== '') return '';
    return this.#tools ? 'it called tools, of which it has none' : 'it has no words in it';
  }

  #event(data: string): void {
    if (this.#ended || this.cut || this.#broken !== '') return;
    if (data.trim() === '[DONE]') this.#ended = true;
    else this.#read(data, 'delta');
  }

  #read(text: string, part: 'delta' | 'message'): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#broken = 'it is broken JSON';
      return;
    }
    if (keyOf(value, 'error') !== undefined) {
      this.#broken = 'it reports an error in place of words';
      return;
    }
    const model = keyOf(value, 'model');
    if (typeof model === 'string') this.model ||= model.slice(0, 200);
    const choices = keyOf(value, 'choices');
    const said = keyOf(Array.isArray(choices) ? choices[0] : undefined, part);
    if (keyOf(said, 'tool_calls') != null || keyOf(said, 'function_call') != null) this.#tools = true;
    const content = keyOf(said, 'content');
    if (typeof content !== 'string') return;
    this.words += content.slice(0, MOST_CHARACTERS - this.words.length);
    if (this.words.length >= MOST_CHARACTERS) this.cut = true;
  }
}

const keyOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
