/** What a stack of pam.d(5) answers when no module recognises the user: missing lines can let people in too. */
type Outcome = 'success' | 'failure' | 'ignore';

interface Step {
  /** The control field: what is done for each outcome. */
  readonly actions: Readonly<Record<Outcome, string>>;
  readonly outcome: Outcome;
}

const LINE = /^-?(auth)\s+(\[[^\]]*\]|\S+)\s+(\S+)(.*)$/i;
const CONTROLS: Readonly<Record<string, Step['actions']>> = {
  required: { success: 'ok', ignore: 'ignore', failure: 'bad' },
  requisite: { success: 'ok', ignore: 'ignore', failure: 'die' },
  sufficient: { success: 'done', ignore: 'ignore', failure: 'ignore' },
  optional: { success: 'ok', ignore: 'ignore', failure: 'ignore' },
};

/** `[value=action …]`. A module that does not recognise the user returns one of several values: the most severe action counts. */
function actionsOf(control: string): Step['actions'] {
  const known = CONTROLS[control.toLowerCase()];
  if (known !== undefined) return known;
  const pairs = new Map(
    [...control.matchAll(/(\w+)\s*=\s*(\w+)/g)].map(([, value = '', action = '']) => [value, action]),
  );
  const other = pairs.get('default') ?? 'bad';
  return {
    success: pairs.get('success') ?? other,
    ignore: pairs.get('ignore') ?? other,
    failure: pairs.get('auth_err') ?? pairs.get('user_unknown') ?? other,
  };
}

/** Modules that succeed for everyone; others are assumed to refuse. */
function outcomeOf(module: string, words: string): Outcome {
  const name = module.slice(module.lastIndexOf('/') + 1);
  if (/^pam_(?:permit|env)\.so$/.test(name)) return 'success';
  if (name === 'pam_faillock.so') return /\bpreauth\b/.test(words) ? 'success' : 'failure';
  return /^pam_(?:cap|faildelay|nologin|group|warn|echo|issue|gnome_keyring|kwallet5?|motd|mail|selinux|keyinit)\.so$/.test(
    name,
  )
    ? 'ignore'
    : 'failure';
}

/** Steps of `auth`. Another file that is included is assumed to refuse: it is judged by itself. */
const stepsOf = (lines: readonly string[]): Step[] =>
  lines.flatMap((line): Step[] => {
    const [, kind, control = '', module = '', words = ''] = LINE.exec(line) ?? [];
    if (kind === undefined)
      return /^@include\s/.test(line) ? [{ actions: actionsOf('requisite'), outcome: 'failure' }] : [];
    return /^(?:include|substack)$/i.test(control)
      ? [{ actions: actionsOf('requisite'), outcome: 'failure' }]
      : [{ actions: actionsOf(control), outcome: outcomeOf(module, words) }];
  });

/** As _pam_dispatch_aux of Linux-PAM goes through them. */
function succeeds(steps: readonly Step[]): boolean {
  let state: 'undecided' | 'good' | 'bad' = 'undecided';
  for (let at = 0; at < steps.length; at++) {
    const { actions, outcome } = steps[at] as Step;
    const action = actions[outcome];
    if (/^\d+$/.test(action)) at += Number(action);
    else if (action === 'reset') state = 'undecided';
    else if (action === 'bad' || action === 'die') state = 'bad';
    else if ((action === 'ok' || action === 'done') && outcome !== 'ignore' && state === 'undecided')
      state = outcome === 'success' ? 'good' : 'bad';
    if (action === 'die' || (action === 'done' && state !== 'bad')) break;
  }
  return state === 'good';
}

/** `lines` without comments: their `auth` part lets in anyone. */
export const letsAnyoneIn = (lines: readonly string[]): boolean => succeeds(stepsOf(lines));
