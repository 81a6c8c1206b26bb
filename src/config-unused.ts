/** Settings that are read and checked, but that nothing in this version acts on yet: whoever sets one is told. */
import { type Config, configSchema } from './config-schema.ts';

const UNUSED: Readonly<Record<string, (config: Config) => unknown>> = {
  'assistant.model': (config) => config.assistant.model,
  'assistant.api_key_file': (config) => config.assistant.api_key_file,
};

/** Keys that differ from their default and have no effect, in the order of the schema. */
export function unusedKeys(config: Config): string[] {
  const defaults = configSchema.parse({});
  return Object.entries(UNUSED)
    .filter(([, of]) => JSON.stringify(of(config)) !== JSON.stringify(of(defaults)))
    .map(([key]) => key);
}
