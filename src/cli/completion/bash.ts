import { branchesOf, type Leaf, type Tree } from './tree.ts';

const words = (all: readonly string[]): string => `words='${all.join(' ')}'`;

/** What is offered behind a command, by the word in front of the cursor. */
function behind({ flags, choices }: Leaf): string {
  const values = flags.filter(({ takesValue }) => takesValue);
  const cases = values.map(({ name, choices: known }) => `      ${name}) ${words(known)} ;;`);
  const rest = words([...choices, ...flags.map(({ name }) => name)]);
  return cases.length === 0
    ? `      ${rest}`
    : ['      case $before in', ...cases, `      *) ${rest} ;;`, '      esac'].join('\n');
}

export function bashCompletion(tree: Tree): string {
  const cases = branchesOf(tree).map(({ path, next, leaf }) => {
    const pattern = path === '' ? "''" : `'${path} '${leaf === null ? '' : '*'}`;
    return `    ${pattern})\n${leaf === null ? `      ${words(next.map(([word]) => word))}` : behind(leaf)}\n      ;;`;
  });
  return `# Completion of desk for bash: put  source <(desk completion bash)  into ~/.bashrc
_desk() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] || path+="\${COMP_WORDS[at]} "
  done
  case $path in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _desk desk
`;
}
