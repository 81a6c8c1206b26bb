/** The words of the interface that pages and commands show, each in one sentence. docs/glossary.md has the whole list. */
export const TERMS = {
  avenue:
    'An avenue is a family of checks. It is open while one of them has a finding or could not read its evidence.',
  explained:
    'Explained means that the baseline, law.toml or an entry you accepted covers it: it is not counted.',
  scar: 'A scar is a finding of severity medium or above that neither the baseline nor law.toml explains.',
  gatePasses: 'The gate passes: no scar is open, so what runs now may be learned as the baseline.',
  gateFails:
    'The gate fails: there is a scar, so nothing is learned until it is gone, accepted, or allowed in law.toml.',
  wrapped:
    'A wrapped process is confined by the kernel: seccomp, a namespace of its own, an enforcing security label, or fewer capabilities.',
  baseline:
    'The baseline is the list of programs and listeners that are known. Its versions are numbered generations.',
  duty: 'A duty is a part of the service. One that is configured and does not run makes the desk not ok.',
  registers:
    'A is the baseline, B is what was just observed, C is what is in B and neither A nor law.toml explains. GOD counts the authoritative generations in the store; it must be 1.',
  blind: 'Blind means the evidence could not be read. It never counts as clean.',
} as const;

/** Whether the gate passes and what that means, a sentence each. */
export const gateMeaning = ({ state }: { readonly state: 'pass' | 'fail' }): readonly string[] =>
  state === 'pass' ? [TERMS.gatePasses] : [TERMS.gateFails, TERMS.scar];
