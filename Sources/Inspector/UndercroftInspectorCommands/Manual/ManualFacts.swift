/// The facts that the manual pages of all commands state.
enum ManualFacts {
  /// A name and its meaning.
  struct Fact {
    let name: String
    /// The only commands to which the fact applies, or no commands if it applies to all.
    var commands: [String] = []
    let text: String
  }

  /// The commands that save old values.
  private static let changing = ["set", "rm", "import", "undo"]

  /// The environment variables.
  static let variables = [
    Fact(
      name: "PAGER",
      text: "The program that shows long output on a terminal. The default is less."),
    Fact(
      name: "LESS",
      text: "The options of less. The default is FRX, with which short output needs no pager."),
    Fact(
      name: "NO_COLOR",
      text: "Output has no colours unless the option --color is always."),
    Fact(
      name: "FORCE_COLOR",
      text: "Output has colours even if it is not written to a terminal, unless the value is 0."),
    Fact(
      name: "CLICOLOR_FORCE",
      text: "Output has colours even if it is not written to a terminal, unless the value is 0."),
    Fact(name: "CLICOLOR", text: "Output has no colours if the value is 0."),
    Fact(
      name: "COLUMNS",
      text: "The width of tables in columns, instead of the width of the terminal."),
    Fact(
      name: "TERM",
      text: "The type of the terminal. Output is plain and lines are not edited if it is dumb."),
    Fact(
      name: "XDG_DATA_HOME",
      text: """
        The directory in which an application is found by its name. The default is ~/.local/share.
        """),
    Fact(
      name: "XDG_STATE_HOME", commands: ["shell"] + Self.changing,
      text: "The directory of the history and of old values. The default is ~/.local/state."),
    Fact(
      name: "TMPDIR",
      text: "The directory of the private copies of the option --snapshot. The default is /tmp."),
  ]

  /// The files.
  static let files = [
    Fact(
      name: "undercroft.json",
      text: "The manifest in the home directory of an application, which lists its stores."),
    Fact(
      name: "~/.local/state/undercroft/history", commands: ["shell"],
      text: "The lines that were typed. Only the user can read the file."),
    Fact(
      name: "~/.local/state/undercroft/undo", commands: Self.changing,
      text: "The old values of changed names. The command undo lists and restores them."),
    Fact(
      name: "~/.editrc", commands: ["shell"],
      text: "The settings of libedit, such as the keys of vi."),
  ]

  /// The exit statuses, which are those of `sysexits`, and those that a shell reports for signals.
  static let statuses = [
    Fact(name: "0", text: "The command was successful."),
    Fact(
      name: "1",
      text: """
        There is a difference, a problem, advice, a refused undo, no result, or, with --strict, a \
        store that is not checked.
        """),
    Fact(name: "64", text: "The arguments or the SQL statement are not valid."),
    Fact(name: "65", text: "The data is damaged, or its format is not supported."),
    Fact(name: "66", text: "The path, the store, the kind, the table or the value does not exist."),
    Fact(name: "74", text: "Input or output failed."),
    Fact(name: "75", text: "Another process uses the store, or the time limit was reached."),
    Fact(name: "77", text: "Permission is denied, or a secret or a vault is locked."),
    Fact(name: "130", text: "Ctrl-C has ended the command (SIGINT)."),
    Fact(name: "143", text: "Another process has ended the command (SIGTERM)."),
  ]

  /// The text about secrets and data that others have written.
  static let security = """
    Commands without the option --write open stores only for reading. Values of confidential \
    stores are shown only with the option --reveal. In other stores, secrets are recognised by \
    their names and forms. This is not reliable, so read output before you share it.

    On a terminal, characters that control it are escaped in every format except raw. A key is \
    never an argument: pass a file with the key, which only its owner can read, or type the \
    passphrase.
    """
}
