import { npmPeer } from './npm.ts';

export const psList = npmPeer({ id: 'ps-list', calls: { processes: 'psList()' }, gapMs: 0, slow: false });
