import { programPeer } from './program.ts';

/** iproute2. */
export const ss = programPeer({
  id: 'ss',
  debianPackage: 'iproute2',
  version: ['-V'],
  pattern: /iproute2-([\w.]+)/,
  works: { listeners: ['-lntup'] },
});
