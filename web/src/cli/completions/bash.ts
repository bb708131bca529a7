// The completion script for bash 3.2 and newer.
import { type CompletedCommand, type CompletedOption, namesOf } from './completed-commands.ts';

export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completes ambry in bash. Add to ~/.bashrc: source <(ambry completions bash)
_ambry() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  # bash splits --option=value at the equals sign.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    words='${names} --help --version'
  else
    case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
      *) _ambry_words ;;
    esac
  fi
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}

# The options of the command, or the words that its first argument may be.
_ambry_words() {
  case "\${COMP_WORDS[1]} $current" in
${commands.map(optionCase).join('\n')}
  esac
  if ((COMP_CWORD > 2)); then return; fi
  case "\${COMP_WORDS[1]}" in
${commands.flatMap(argumentCase).join('\n')}
  esac
}

# A text that cannot be guessed is no file.
_ambry_text() { compopt +o default 2> /dev/null; }

complete -o default -F _ambry ambry
`;
}

/** What follows an option. A file is what bash completes by default. */
function valueCases({ name, options }: CompletedCommand): string[] {
  const caseOf = (option: CompletedOption) => {
    const pattern = namesOf(option)
      .map((each) => `"${name} ${each}"`)
      .join(' | ');
    if (option.value === undefined) {
      return [];
    }
    if (option.value === 'file') {
      return [`      ${pattern}) ;;`];
    }
    if (option.value === 'text') {
      return [`      ${pattern}) _ambry_text ;;`];
    }
    return [`      ${pattern}) words='${option.value.join(' ')}' ;;`];
  };
  return options.flatMap(caseOf);
}

function optionCase({ name, options }: CompletedCommand): string {
  return `    "${name} "-*) words='${[...options.flatMap(namesOf), '--help'].join(' ')}' ;;`;
}

function argumentCase({ name, choices }: CompletedCommand): string[] {
  if (!choices) {
    return [];
  }
  return [
    choices.length > 0
      ? `    ${name}) words='${choices.join(' ')}' ;;`
      : `    ${name}) _ambry_text ;;`,
  ];
}
