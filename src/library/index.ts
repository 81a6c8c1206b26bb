/** The library: `import { Probe } from 'hostess-desk'` (docs/library.md). Its types are those of types.ts. */
export { Probe } from './probe.ts';
