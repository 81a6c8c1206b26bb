import { dim, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { exit, usage } from '../../desk/failure.ts';
import { showThought } from '../../desk/think.ts';
import type { AssistantAnswer, Consult, ConsultPrompt, Think } from '../../records/talk.ts';
import { consultPrompt, consult as operation } from './operations.ts';

/** What the service needs beside the assistant. */
const moreMs = 15_000;

export const consult: Command = {
  name: 'consult',
  summary:
    'Asks the hostess, and the configured assistant for queries, which the desk runs; its words are its opinion',
  arguments: [{ name: 'message', meaning: 'what to ask', rest: true }],
  options: [
    { flags: '--with-assistant', meaning: 'let the configured assistant answer too, as it does by default' },
    { flags: '--without-assistant', meaning: 'ask the hostess alone' },
    { flags: '--show', meaning: 'print what the assistant would be sent, and send nothing' },
  ],
  examples: [
    ['desk consult "what changed today?"', 'her answer, then what the assistant asks and says'],
    ['desk consult "is the desk well?" --without-assistant', 'her answer alone'],
    ['desk consult "who listens?" --show', 'what would leave this machine'],
  ],
  async run({ out, json, client, config }, { arguments: args, options }) {
    if (options.withAssistant === true && options.withoutAssistant === true)
      throw usage('--with-assistant and --without-assistant exclude each other.', 'Leave one out.');
    const message = args.message ?? '';
    const asked = { message, with_assistant: options.withoutAssistant !== true };
    const { timeout_sec } = (await config()).config.assistant;
    const service = await client({ timeoutMs: timeout_sec * 1000 + moreMs });
    if (options.show === true) {
      const shown = await service.ask(consultPrompt, { message });
      if (json) out.json(shown);
      else showPrompt(out, shown);
      return exit.ok;
    }
    if (json) {
      out.json(await service.ask(operation, asked));
      return exit.ok;
    }
    let hostess = false;
    await service.converse(operation, asked, ({ event, data }) => {
      if (event === 'hostess') {
        hostess = true;
        showThought(out, JSON.parse(data) as Think);
        if (asked.with_assistant) out.progress('  the assistant is asked …');
      } else if (event === 'done') {
        out.progress('');
        const record = JSON.parse(data) as Consult;
        if (!hostess) showThought(out, record);
        if (record.assistant !== null) showAssistant(out, record.assistant);
        // Ours, not the assistant's: never under its label.
        if (record.assistant_note !== '') out.wrapped(dim('  note  '), record.assistant_note);
      }
    });
    return exit.ok;
  },
};

/** First what the desk answers to its queries, then its words under its name. */
function showAssistant(
  out: Terminal,
  { queries, parts, flags, model, truncated, ms }: AssistantAnswer,
): void {
  for (const { query, answer, error } of queries) {
    out.line();
    out.wrapped(dim('  query   '), query);
    out.wrapped(error === '' ? strong('  answer  ') : warn('  not run '), error === '' ? answer : error);
  }
  const words = parts.map(({ text }) => text).join('');
  if (words !== '') {
    out.line();
    for (const [at, line] of words.split('\n').entries())
      out.wrapped(strong(at === 0 ? `  opinion of ${model}: ` : '  '), line);
  }
  for (const { text, path } of parts) if (path !== null) out.wrapped(dim(`  ${text}  `), path);
  out.line(dim(`  ${model}, ${Math.round(ms / 100) / 10} s${truncated ? ', cut' : ''}; nothing acts on it`));
  for (const { text, reason } of flags) out.line(warn('  doubt  '), `"${text}": ${reason}`);
}

function showPrompt(out: Terminal, { to, model, key, messages, characters, later }: ConsultPrompt): void {
  out.line(to === '' ? 'No assistant is configured. One would be sent this:' : `To ${to}, model "${model}":`);
  for (const { role, content } of messages) {
    out.line();
    out.line(strong(role));
    for (const line of content.split('\n')) out.line(line);
  }
  out.line();
  out.line(dim(`${characters} characters${key ? ', with the API key in a header' : ''}`));
  out.wrapped(dim('then  '), later);
}
