import { casesOf } from './cases.ts';
import type { Tree } from './tree.ts';

const words = (all: readonly string[]): string => `words='${all.join(' ')}'`;

export function bashCompletion(tree: Tree): string {
  const cases = casesOf(tree, { next: (all) => words(all.map(([word]) => word)), values: words });
  return `# Completion of desk for bash: put  source <(desk completion bash)  into ~/.bashrc
_desk() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] || path+="\${COMP_WORDS[at]} "
  done
  case $path in
${cases}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _desk desk
`;
}
