/** What makes a grade, as `verdictFrom` decides it. */
export const GRADE_WORDS = {
  lead: 'port 8766, which must stay down, is up',
  bronze: 'a critical scar',
  silver:
    'a scar below critical, a gate, duty or recheck loop that fails, or too much that could not be seen',
  gold: 'no scar, gate, duties and recheck loop work, and enough could be seen',
} as const;

/** The words of the interface that pages and commands show, each in one sentence. docs/glossary.md has the whole list. */
export const TERMS = {
  avenue:
    'An avenue is a family of checks. It is open while one of them has a finding or could not read its evidence.',
  explained:
    'Explained means that the baseline, law.toml or an entry you accepted covers it: it is not counted.',
  scar: 'A scar is a finding of severity medium or above that neither the baseline nor law.toml explains.',
  gatePasses:
    'The gate passes: there is no scar (an unexplained finding of severity medium or above), so what runs now may be learned.',
  gateFails:
    'The gate fails: there is a scar, or not exactly one baseline is in force. Nothing is learned until that is resolved.',
  wrapped:
    'A wrapped process is confined by the kernel: seccomp, a namespace of its own, an enforcing security label, or fewer capabilities.',
  baseline:
    'The baseline is the list of programs and listeners that are known. Its versions are numbered generations.',
  duty: 'A duty is a part of the service. One that is configured and does not run makes the desk not ok.',
  registers:
    'A is the baseline, B is what was just observed, C is what is in B and neither A nor law.toml explains. GOD counts the authoritative generations in the store; it must be 1.',
  blind: 'Blind means the evidence could not be read. It never counts as clean.',
  hostess:
    'The hostess is the part of the service that judges what it sees, keeps the baseline and answers questions. Her report is called the charge report.',
  gate: 'The gate decides what may become known as good: it passes only while there is no scar (an unexplained finding of severity medium or above) and exactly one baseline is in force. Commands and records call it the scar gate.',
  grade: `The worst that applies. Lead: ${GRADE_WORDS.lead}. Bronze: ${GRADE_WORDS.bronze}. Silver: ${GRADE_WORDS.silver}. Gold: ${GRADE_WORDS.gold}.`,
  remedies:
    'Commands call these cook, av close and secure learn. The buttons show first what would be done and ask; the commands act at once.',
  openScore:
    'Every open finding adds 1, 3, 9 or 27 to the open score, by its severity. Injections are findings of the area inject_clip: hidden, disguised or altered programs, code that was loaded into them, and programs that read input.',
  processes:
    'Wrapped: confined by the kernel. Free: not confined. Blind: the desk could not read which. A zombie has ended, and its parent has not collected it.',
  links:
    'The whole stick is the list of every part that belongs to the desk. The desk checks only what is its own.',
  startup: 'A package vouches for a file when the file has the content that the package was installed with.',
} as const;

/** Whether the gate passes and what that means, a sentence each. */
export const gateMeaning = ({ state }: { readonly state: 'pass' | 'fail' }): readonly string[] =>
  state === 'pass' ? [TERMS.gatePasses] : [TERMS.gateFails, TERMS.scar];
