/** The public site: probes, their history, and the connections of the desk. */
export { countEgress } from './egress.ts';
export { EgressWatch } from './egress-watch.ts';
export { probeEmbedded } from './embedded.ts';
export { type ProbedFacts, probedFacts, siteFacts } from './facts.ts';
export { siteTargets } from './probe.ts';
export { migrations, SiteLines } from './site-lines.ts';
export { SiteWatch } from './site-watch.ts';
