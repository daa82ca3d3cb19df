// SPDX-License-Identifier: Apache-2.0
#include "text/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/presets.hpp"
#include "weir/core/version.hpp"

namespace weir {
namespace {

std::string joined_by(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

// "--out DIR"; a choice shows its values.
std::string value_name(const CLI::Option& option) {
  if (!takes_value(option)) return {};
  const std::string values = joined_by(choices_of(option), "|");
  if (!values.empty()) return values;
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

// Text for the formatter of manual pages.
std::string roff(const std::string& text) {
  std::string escaped;
  bool at_start = true;
  for (const char letter : text) {
    if (at_start && (letter == '.' || letter == '\'')) escaped += "\\&";
    if (letter == '\\')
      escaped += "\\e";
    else if (letter == '-')
      escaped += "\\-";
    else
      escaped += letter;
    at_start = letter == '\n';
  }
  return escaped;
}

std::vector<std::string> paragraphs_of(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return list;
}

// The paragraphs below the options: those with a heading get a section of their own.
std::string footer_sections(const std::string& footer) {
  std::string description, others;
  for (const std::string& paragraph : paragraphs_of(footer)) {
    if (paragraph.rfind("Example", 0) == 0)
      others +=
          ".SH EXAMPLES\n.nf\n" + roff(paragraph.substr(paragraph.find('\n') + 1)) + "\n.fi\n";
    else if (paragraph.rfind("Exit codes:\n", 0) == 0)
      others +=
          ".SH EXIT STATUS\n.nf\n" + roff(paragraph.substr(paragraph.find('\n') + 1)) + "\n.fi\n";
    else
      description += (description.empty() ? "" : ".PP\n") + roff(paragraph) + "\n";
  }
  return (description.empty() ? "" : ".SH DESCRIPTION\n" + description) + others;
}

std::string option_lines(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    const std::string value = value_name(*option);
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(option->get_name(false, true)),
                        value.empty() || option->get_positional() ? "" : " " + roff(value),
                        roff(option->get_description()));
  }
  return text;
}

std::string synopsis(const CLI::App& command, const std::string& words) {
  std::string text = ".B " + roff(words) + "\n";
  if (!shown_commands(command).empty()) text += ".I COMMAND\n";
  text += "[\\fIOPTION\\fR ...]\n";
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      text += fmt::format(option->get_required() ? "\\fI{}\\fR\n" : "[\\fI{}\\fR]\n",
                          roff(option->get_name(true)));
  return text;
}

// All options of a command and of the commands below it.
std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty() || option->get_positional()) list.push_back(option);
  for (const CLI::App* below : shown_commands(command))
    for (const CLI::Option* option : options_of(*below)) list.push_back(option);
  return list;
}

std::vector<std::string> spellings_of(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  return words;
}

std::vector<std::string> option_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : options_of(command))
    for (const std::string& word : spellings_of(*option))
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  return words;
}

std::vector<std::string> command_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : shown_commands(app)) words.push_back(command->get_name());
  return words;
}

std::string presets_call(const std::vector<std::string>& kinds) {
  std::string calls;
  for (const std::string& kind : kinds)
    calls += fmt::format("$(\"${{COMP_WORDS[0]}}\" list {} --names 2>/dev/null) ", kind);
  return calls;
}

// What bash proposes for the value of an option, or for a word that belongs to none.
std::string bash_values(const CLI::App& command, const CLI::Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) return fmt::format("words=\"{}\"", joined_by(choices, " "));
  const std::vector<std::string> kinds = presets_for(command, option);
  return fmt::format("words=\"{}\"; files=1", presets_call(kinds));
}

std::string bash_case(const CLI::App& command) {
  std::string before, plain;
  for (const CLI::Option* option : options_of(command)) {
    if (option->get_positional())
      plain += "        " + bash_values(command, *option) + "\n";
    else if (takes_value(*option))
      before += fmt::format("        {}) {}; option=1 ;;\n", joined_by(spellings_of(*option), "|"),
                            bash_values(command, *option));
  }
  if (!shown_commands(command).empty())
    plain += fmt::format("        words+=\" {}\"\n", joined_by(command_words(command), " "));
  if (!before.empty()) before = "      case $previous in\n" + before + "      esac\n";
  return fmt::format(
      "    {})\n{}      if [[ -z $option && $current == -* ]]; then\n        words=\"{}\"\n"
      "      elif [[ -z $option ]]; then\n        words=\n{}      fi ;;\n",
      command.get_name(), before, joined_by(option_words(command), " "), plain);
}

std::string bash_script(const CLI::App& app) {
  std::string text =
      "# bash completion for weir, made by: weir completion bash\n"
      "_weir() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command= words= files= option= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi\n"
      "  done\n"
      "  case $command in\n";
  std::vector<std::string> first = command_words(app);
  for (const CLI::Option* option : app.get_options())
    for (const std::string& word : spellings_of(*option)) first.push_back(word);
  text += fmt::format("    '') words=\"{}\" ;;\n", joined_by(first, " "));
  for (const CLI::App* command : shown_commands(app)) text += bash_case(*command);
  return text +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  if [[ -n $files ]]; then\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -F _weir weir\n";
}

// Text between single quotes of zsh and fish; brackets and colons mean something to _arguments.
std::string quoted_text(const std::string& text, bool for_arguments) {
  std::string quoted;
  for (const char letter : text) {
    if (letter == '\'') {
      quoted += for_arguments ? "'\\''" : "\\'";
    } else if (for_arguments && (letter == '[' || letter == ']' || letter == ':')) {
      quoted += std::string{"\\"} + letter;
    } else {
      quoted += letter == '\n' ? ' ' : letter;
    }
  }
  return quoted;
}

std::string zsh_action(const CLI::App& command, const CLI::Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) return "(" + joined_by(choices, " ") + ")";
  const std::vector<std::string> kinds = presets_for(command, option);
  return kinds.empty() ? "_files" : "_weir_presets " + joined_by(kinds, " ");
}

std::string zsh_arguments(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : options_of(command)) {
    if (option->get_positional()) {
      text += fmt::format(" \\\n        '*:{}:{}'", quoted_text(option->get_name(true), true),
                          zsh_action(command, *option));
      continue;
    }
    for (const std::string& word : spellings_of(*option))
      text += fmt::format(
          " \\\n        '*{}[{}]{}'", word, quoted_text(option->get_description(), true),
          takes_value(*option) ? fmt::format(":{}:{}", quoted_text(value_name(*option), true),
                                             zsh_action(command, *option))
                               : "");
  }
  return text;
}

std::string zsh_script(const CLI::App& app) {
  std::string text =
      "#compdef weir\n"
      "# zsh completion for weir, made by: weir completion zsh\n"
      "_weir_presets() {\n"
      "  local kind\n"
      "  for kind in \"$@\"; do compadd -- ${(f)\"$(weir list $kind --names 2>/dev/null)\"}; done\n"
      "  _files\n"
      "}\n"
      "_weir() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CLI::App* command : shown_commands(app))
    text += fmt::format("    '{}:{}'\n", command->get_name(),
                        quoted_text(command->get_description(), true));
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  case $words[2] in\n";
  for (const CLI::App* command : shown_commands(app))
    text += fmt::format("    {})\n      shift words; (( CURRENT-- ))\n      _arguments{} ;;\n",
                        command->get_name(), zsh_arguments(*command));
  return text + "  esac\n}\n_weir \"$@\"\n";
}

std::string fish_option(const CLI::App& command, const CLI::Option& option) {
  std::string text =
      fmt::format("complete -c weir -n '__fish_seen_subcommand_from {}'", command.get_name());
  for (const std::string& name : option.get_lnames()) text += " -l " + name;
  for (const std::string& name : option.get_snames()) text += " -s " + name;
  const std::vector<std::string> choices = choices_of(option);
  const std::vector<std::string> kinds = presets_for(command, option);
  if (takes_value(option)) text += " -r";
  if (!choices.empty()) text += fmt::format(" -f -a '{}'", joined_by(choices, " "));
  std::string calls;
  for (const std::string& kind : kinds) calls += fmt::format("(weir list {} --names)", kind);
  if (!calls.empty()) text += fmt::format(" -a '{}'", calls);
  return text + fmt::format(" -d '{}'\n", quoted_text(option.get_description(), false));
}

std::string fish_script(const CLI::App& app) {
  std::string text = "# fish completion for weir, made by: weir completion fish\n";
  for (const CLI::App* command : shown_commands(app)) {
    text += fmt::format("complete -c weir -f -n __fish_use_subcommand -a {} -d '{}'\n",
                        command->get_name(), quoted_text(command->get_description(), false));
    for (const CLI::Option* option : options_of(*command)) {
      const bool proposes = !choices_of(*option).empty() || !presets_for(*command, *option).empty();
      if (!option->get_positional() || proposes) text += fish_option(*command, *option);
    }
  }
  return text;
}

}  // namespace

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  std::vector<const CLI::App*> list;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) list.push_back(command);
  return list;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

std::vector<std::string> presets_for(const CLI::App& command, const CLI::Option& option) {
  const std::string name = option.get_name(option.get_positional());
  if (name == "SCENARIO") return {presets::scenarios.name};
  if (name == "SWEEP") return {presets::sweeps.name};
  if (name == "CHIP" || name == "--chip" || name == "--verify") return {presets::chips.name};
  if (name == "FILE" && command.get_name() == "lint")
    return {presets::chips.name, presets::scenarios.name};
  return {};
}

std::string manual_page(const CLI::App& app, const std::string& name) {
  std::string words = name;
  std::replace(words.begin(), words.end(), '-', ' ');
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string text =
      fmt::format(".TH {} 1 \"\" \"weir {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                  version, roff(name), roff(app.get_description()));
  text += ".SH SYNOPSIS\n" + synopsis(app, words);
  const std::vector<const CLI::App*> commands = shown_commands(app);
  if (!commands.empty()) text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
  text += ".SH OPTIONS\n" + option_lines(app);
  for (const CLI::App* command : commands)
    if (app.get_parent() != nullptr) text += option_lines(*command);  // import sonic
  text += footer_sections(app.get_footer());
  if (app.get_parent() == nullptr) {
    text += ".SH SEE ALSO\n";
    for (std::size_t i = 0; i < commands.size(); ++i)
      text += fmt::format(".BR weir\\-{} (1){}\n", commands[i]->get_name(),
                          i + 1 == commands.size() ? "" : ",");
    return text;
  }
  return text + ".SH SEE ALSO\n.BR weir (1)\n";
}

const std::vector<CompletionShell>& completion_shells() {
  static const std::vector<CompletionShell> table{
      {"bash", "bash-completion/completions/weir", bash_script},
      {"zsh", "zsh/site-functions/_weir", zsh_script},
      {"fish", "fish/vendor_completions.d/weir.fish", fish_script}};
  return table;
}

}  // namespace weir
