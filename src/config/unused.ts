/** Settings that deserve a warning: those that have no effect with the other settings, and former names. */
import { type Config, configSchema } from './schema.ts';

interface Warning {
  readonly key: string;
  /** Why it has no effect, or what to write instead; follows the key in a sentence. */
  readonly message: string;
}

/** Without an address, nothing is sent to an assistant. */
const OF_ASSISTANT = ['model', 'api_key_file', 'timeout_sec', 'send_people'] as const;

/** Keys that differ from their default and have no effect. */
export function unusedKeys({ assistant }: Config): readonly Warning[] {
  if (assistant.base_url !== '') return [];
  const defaults = configSchema.parse({}).assistant;
  return OF_ASSISTANT.filter((key) => assistant[key] !== defaults[key]).map((key) => ({
    key: `assistant.${key}`,
    message: 'has no effect while assistant.base_url is empty',
  }));
}

/** Former names that are in use. */
export const formerKeys = ({ loop }: Config): readonly Warning[] =>
  loop.period_ms === undefined
    ? []
    : [{ key: 'loop.period_ms', message: 'still works, but the name is now loop.recheck_ms' }];
