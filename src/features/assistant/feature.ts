/** The assistant: an OpenAI-compatible chat that writes queries, which the desk runs. */
import { feature } from '../../desk/feature.ts';
import { ASSISTANT } from './api.ts';
import { assistantFacts } from './place.ts';

export * from './operations.ts';

export const FEATURE = feature({
  id: 'assistant',
  commands: {
    consult: async () => (await import('./consult-command.ts')).consult,
  },
  async make(host) {
    const { DeskAssistant } = await import('./assistant.ts');
    host.provide(ASSISTANT, new DeskAssistant(host));
    return { facts: ({ snapshot }) => ({ assistant: assistantFacts(host.config, snapshot) }) };
  },
});
