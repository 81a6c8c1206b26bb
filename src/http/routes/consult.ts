/**
 * `/h7/consult`: the hostess, and the assistant beside her. As a stream of events it is `hostess` (her answer as `think` gives it),
 * `assistant` (`{delta}`, plain text, while it speaks) and `done` (the whole record, which alone counts).
 */
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { consult, type Thought, think } from '../../records/talk.ts';
import type { ConsultTurn, ConsultTurns } from '../consult-turns.ts';
import type { ControlHandlers } from '../control-app.ts';
import { thoughtOf } from './hostess.ts';

const NOT_ASKED = 'The assistant was not asked.';
const FAULT =
  'The assistant does not answer: a fault of the desk itself stopped it; the log has the details. Please report it.';

/** Nobody waits for anything. */
const NO_TURN: ConsultTurn = { signal: new AbortController().signal, end: () => undefined };

export function consultRoutes(desk: Desk, turns: ConsultTurns, log: Logger) {
  /** Her answer with what the assistant says of it, as JSON. `turn` null: it is not asked. It ends whatever happens. */
  const consulted = async (
    thought: Thought,
    turn: ConsultTurn | null,
    words: (text: string) => void = () => undefined,
  ): Promise<string> => {
    if (turn === null) return jsonText(consult.assemble({ ...thought, assistant: null, note: NOT_ASKED }));
    const { signal, end } = turn;
    const beside = await desk.assistant
      .ask(thought.message, thought, { signal, words })
      .catch((err) => {
        // Her answer stands whatever becomes of the assistant's.
        log.error({ err }, 'the assistant could not be asked');
        return { assistant: null, note: FAULT };
      })
      .finally(end);
    return jsonText(consult.assemble({ ...thought, ...beside }));
  };
  const stream = async (response: ServerResponse, thought: Thought, turn: ConsultTurn | null) => {
    const send = (event: string, json: string): void => {
      // JSON text without an indent has no line feeds, so one data line holds it.
      if (response.writable) response.write(`event: ${event}\ndata: ${json}\n\n`);
    };
    response.on('error', () => response.destroy());
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    send('hostess', jsonText(think.assemble(thought)));
    send('done', await consulted(thought, turn, (delta) => send('assistant', jsonText({ delta }))));
    response.end();
  };
  return {
    consult: async (call) => {
      const asks = call.body.with_assistant;
      // Nothing is asked of an assistant that is not there, so nobody takes turns.
      const turn = !asks ? null : desk.assistant.configured ? turns.begin(call.caller) : NO_TURN;
      const thought = await thoughtOf(desk, call).catch((error) => {
        turn?.end();
        throw error;
      });
      if (call.wantsStream)
        return {
          // Nobody waits for it, so nothing that it throws may come to nobody: that would end the service.
          stream: (response) =>
            void stream(response, thought, turn).catch((err) => {
              turn?.end();
              log.error({ err }, 'the stream of an answer failed');
              response.destroy();
            }),
        };
      return { json: await consulted(thought, turn) };
    },
  } satisfies Partial<ControlHandlers>;
}
