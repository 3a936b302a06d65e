import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Adds `completion`. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print completions for a shell: source <(npx archipelago completion bash)')
    .addArgument(new Argument('<shell>', 'shell that reads the completions').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      const words = wordsOf(program);
      process.stdout.write(shell === 'fish' ? fishScript(words) : bashScript(words, shell === 'zsh'));
    });
}

/** The words that may follow each command, by its path. */
type Words = readonly (readonly [path: string, words: readonly string[]])[];

function wordsOf(command: Command, path: readonly string[] = []): Words {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((sub) => sub.name()), ...options, '--help'];
  const below = command.commands.flatMap((sub) => wordsOf(sub, [...path, sub.name()]));
  return [[path.join(' '), words], ...below];
}

/** The program, and what starts it in a checkout. */
const STARTER = 'npx';

/**
 * Completes the current word with the subcommands and options of the command typed so far, otherwise with file names. Of
 * `npx`, only its program `archipelago` is completed.
 */
function bashScript(words: Words, isZsh: boolean): string {
  const cases = words.map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');
  const paths = words.flatMap(([path]) => (path === '' ? [] : `'${path}'`)).join('|');
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_archipelago() {
  local word path='' words='' next first=1
  COMPREPLY=()
  if [[ $1 == ${STARTER} ]]; then
    first=2
    if ((COMP_CWORD == 1)); then
      COMPREPLY=($(compgen -W archipelago -- "\${COMP_WORDS[1]}"))
      return
    fi
    [[ \${COMP_WORDS[1]} == archipelago ]] || return
  fi
  for word in "\${COMP_WORDS[@]:$first:$((COMP_CWORD - first))}"; do
    next="\${path:+$path }$word"
    case "$next" in
    ${paths}) path="$next" ;;
    esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _archipelago archipelago ${STARTER}
`;
}

function fishScript(words: Words): string {
  const [[, top] = ['', []]] = words;
  const commands = top.filter((word) => !word.startsWith('-')).join(' ');
  const lines = words.flatMap(([path, next]) => {
    const before = path.split(' ').filter(Boolean);
    const condition = before.length === 0 ? `not ${seen(commands)}` : before.map(seen).join('; and ');
    return [
      `complete -c archipelago -n '${condition}' -a '${next.join(' ')}'`,
      `complete -c ${STARTER} -n '${seen('archipelago')}; and ${condition}' -a '${next.join(' ')}'`,
    ];
  });
  return [`complete -c ${STARTER} -n 'not ${seen('archipelago')}' -a archipelago`, ...lines, ''].join('\n');
}

function seen(words: string): string {
  return `__fish_seen_subcommand_from ${words}`;
}
