import { dim, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { exit, usage } from '../../desk/failure.ts';
import { showThought as show } from '../../desk/think.ts';
import type { Consult, Think } from '../../records/talk.ts';
import { consult as operation } from './operations.ts';

/** What the service needs beside the assistant. */
const moreMs = 15_000;

export const consult: Command = {
  name: 'consult',
  summary: 'Asks the hostess and the configured assistant, whose words are not measured',
  arguments: [{ name: 'message', meaning: 'what to ask', rest: true }],
  options: [
    { flags: '--with-assistant', meaning: 'let the configured assistant answer too, as it does by default' },
    { flags: '--without-assistant', meaning: 'ask the hostess alone' },
  ],
  examples: [
    ['desk consult "what changed today?"', 'her answer, then the one of the assistant as it arrives'],
    ['desk consult "is the desk well?" --without-assistant', 'her answer alone'],
  ],
  async run({ out, json, client, config }, { arguments: args, options }) {
    if (options.withAssistant === true && options.withoutAssistant === true)
      throw usage('--with-assistant and --without-assistant exclude each other.', 'Leave one out.');
    const asked = { message: args.message ?? '', with_assistant: options.withoutAssistant !== true };
    const { timeout_sec } = (await config()).config.assistant;
    const service = await client({ timeoutMs: timeout_sec * 1000 + moreMs });
    if (json) {
      out.json(await service.ask(operation, asked));
      return exit.ok;
    }
    const printer = new AnswerPrinter(out);
    await service.converse(operation, asked, ({ event, data }) => {
      if (event === 'hostess') printer.hostess(JSON.parse(data) as Think);
      else if (event === 'assistant') printer.words((JSON.parse(data) as { readonly delta: string }).delta);
      else if (event === 'done') printer.done(JSON.parse(data) as Consult);
    });
    return exit.ok;
  },
};

/** What is said, line by line as it comes. Lines that have begun are kept until they end: they are wrapped as a whole. */
class AnswerPrinter {
  readonly #out: Terminal;
  #hostess = false;
  #lines = 0;
  #said = '';
  #rest = '';

  constructor(out: Terminal) {
    this.#out = out;
  }

  hostess(record: Think | Consult): void {
    this.#hostess = true;
    show(this.#out, record);
  }

  words(delta: string): void {
    this.#said += delta;
    const lines = (this.#rest + delta).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) this.#line(line);
    // Where there is a terminal, the line that is being said shows, and goes when it is whole.
    this.#out.progress(this.#rest.slice(-this.#out.width + 1));
  }

  done(record: Consult): void {
    if (!this.#hostess) this.hostess(record);
    this.#out.progress('');
    const { assistant, assistant_note: note } = record;
    if (assistant !== null) {
      const { answer, flags, model, truncated, ms } = assistant;
      // What was said so far is the beginning of the answer, except for one that was changed behind its first words.
      const rest = answer.startsWith(this.#said) ? this.#rest + answer.slice(this.#said.length) : answer;
      for (const line of rest.split('\n')) this.#line(line);
      this.#out.line(
        dim(`  ${model}, ${Math.round(ms / 100) / 10} s${truncated ? ', cut' : ''}; nothing acts on it`),
      );
      for (const { text, reason } of flags) this.#out.line(warn('  doubt  '), `"${text}": ${reason}`);
    }
    // Ours, not the assistant's: never under its label.
    if (note !== '') this.#out.wrapped(dim('  note  '), note);
  }

  #line(text: string): void {
    if (text !== '' || this.#lines > 0)
      this.#out.wrapped(strong(this.#lines === 0 ? '  assistant: ' : '             '), text);
    this.#lines += 1;
  }
}
