// The completion script for zsh.
import { type CompletedCommand, type CompletedOption, namesOf } from './completed-commands.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  const rows = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef ambry
# Completes ambry in zsh. Add to ~/.zshrc after compinit: source <(ambry completions zsh)
_ambry() {
  local -a commands=(
${rows.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${commands.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _ambry ]]; then
  _ambry "$@"
else
  compdef _ambry ambry
fi
`;
}

function commandCase({ name, options, choices }: CompletedCommand): string {
  const argument = choices ? `1:argument:(${choices.join(' ')})` : '*:file:_files';
  const specs = [...options.map(optionSpec), "'--help[Show the help]'", quoted(argument)];
  return `    ${name})\n      _arguments \\\n        ${specs.join(' \\\n        ')}\n      ;;`;
}

/** `'*'{-t,--to}'[The target format]:value:(amb alt)'`. The star allows an option more than once. */
function optionSpec(option: CompletedOption): string {
  const names = namesOf(option);
  const help = `[${option.help.replace(/[[\]\\]/g, '\\$&')}]`;
  const rest = `${help}${valueSpec(option)}`;
  return names.length > 1
    ? `'*'{${names.join(',')}}${quoted(rest)}`
    : quoted(`*${names[0]}${rest}`);
}

function valueSpec({ value }: CompletedOption): string {
  if (value === undefined) {
    return '';
  }
  if (value === 'file') {
    return ':file:_files';
  }
  return value === 'text' ? ':value: ' : `:value:(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
