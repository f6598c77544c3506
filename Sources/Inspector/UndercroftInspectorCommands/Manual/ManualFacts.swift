/// The facts that the manual pages of all commands state.
struct ManualFacts {
  /// A name and its meaning.
  struct Fact {
    let name: String
    /// The only command to which the fact applies, or `nil` for all commands.
    var command: String?
    let text: String
  }

  /// The environment variables.
  let variables = [
    Fact(
      name: "COLUMNS",
      text: "The width of tables in columns, instead of the width of the terminal."),
    Fact(
      name: "XDG_DATA_HOME",
      text: """
        The directory in which an application is found by its name. The default is ~/.local/share.
        """),
    Fact(
      name: "XDG_STATE_HOME", command: "shell",
      text: "The directory of the history. The default is ~/.local/state."),
    Fact(
      name: "TERM", command: "shell",
      text: "The type of the terminal. Lines cannot be edited if it is dumb."),
  ]

  /// The files.
  let files = [
    Fact(
      name: "undercroft.json",
      text: "The manifest in the home directory of an application, which lists its stores."),
    Fact(
      name: "~/.local/state/undercroft/history", command: "shell",
      text: "The lines that were typed. Only the user can read the file."),
    Fact(
      name: "~/.editrc", command: "shell",
      text: "The settings of libedit, such as the keys of vi."),
  ]

  /// The exit statuses, which are those of `sysexits`.
  let statuses = [
    Fact(name: "0", text: "The command was successful."),
    Fact(name: "1", text: "There are differences or recommendations, or nothing was found."),
    Fact(name: "64", text: "The arguments or the SQL statement are not valid."),
    Fact(name: "65", text: "The data are damaged, or their format is not supported."),
    Fact(name: "66", text: "The path, the store, the kind, the table or the value does not exist."),
    Fact(name: "74", text: "Input or output failed."),
    Fact(name: "75", text: "Another process changes the store. Repeat the command later."),
    Fact(name: "77", text: "Permission is denied, or a secret or a vault is locked."),
  ]

  /// The text about secrets and data that others have written.
  let security = """
    Stores are opened only for reading. Values of confidential stores are shown only if the \
    argument for this is given. Elsewhere, secrets in excerpts are recognised by their names and \
    forms. This is not reliable, so output that is shared should be read first.

    Characters that control a terminal are escaped in every format except raw. A key is never an \
    argument: pass a file with the key, which only its owner can read, or type the passphrase.
    """
}
