/// An example of a command line, for a manual page.
///
/// The application `library` is in the data directory. A test runs each example in `bash`.
struct ManualExample: Sendable {
  /// The words of the command without the name of the tool.
  let command: [String]
  /// A sentence that states the purpose of the command line.
  let purpose: String
  /// The command line.
  let line: String

  private init(_ command: String..., purpose: String, line: String) {
    self.command = command
    self.purpose = purpose
    self.line = line
  }

  /// The examples in the order of the commands.
  static let all = [
    ManualExample(
      "ls", purpose: "List the stores of an application by its name:", line: "undercroft ls library"
    ),
    ManualExample(
      "info", purpose: "Show the format of the settings, and which processes use them:",
      line: "undercroft info library --kind preference"),
    ManualExample(
      "keys", purpose: "List the settings whose names begin with a text:",
      line: "undercroft keys library --kind preference --prefix window"),
    ManualExample(
      "get", purpose: "Show one setting:", line: "undercroft get library theme"),
    ManualExample(
      "get", purpose: "Copy a value to a file, byte by byte:",
      line: "undercroft get library cover/emma --format raw > emma.jpeg"),
    ManualExample(
      "find", purpose: "Find a text in all stores, and read the results with another program:",
      line: "undercroft find library noon --ignore-case --format ndjson"),
    ManualExample(
      "rows", purpose: "List the tables of all databases:", line: "undercroft rows library"),
    ManualExample(
      "rows", purpose: "Show the first rows of a table:",
      line: "undercroft rows library book --limit 10"),
    ManualExample(
      "query", purpose: "Join two tables, and write the result for a spreadsheet:",
      line: """
        undercroft query library --format csv --csv-safe "SELECT title, name \
        FROM record.book b JOIN record.author a ON b.author = a.id"
        """),
    ManualExample(
      "query", purpose: "Query the settings as a table:",
      line: "undercroft query library \"SELECT name, bytes FROM preference ORDER BY bytes DESC\""),
    ManualExample(
      "schema", purpose: "Show the statements that create a database:",
      line: "undercroft schema library --kind record"),
    ManualExample(
      "stat", purpose: "Show how many values of each type and size there are:",
      line: "undercroft stat library"),
    ManualExample(
      "top", purpose: "Show the largest values as a chart:",
      line: "undercroft top library --svg top.svg"),
    ManualExample(
      "tree", purpose: "Show the structure of a value that is a property list:",
      line: "undercroft tree library shelves"),
    ManualExample(
      "du", purpose: "Show which kinds of data use the most space:",
      line: "undercroft du library"),
    ManualExample(
      "diff", purpose: "Show which settings have changed since a copy was made:",
      line: "undercroft diff library-copy library --kind preference || true"),
    ManualExample(
      "advise", purpose: "Report advice as JSON, for continuous integration:",
      line: "undercroft advise library --format json || test $? = 1"),
    ManualExample(
      "check", purpose: "Read all stores, and report damage:", line: "undercroft check library"),
    ManualExample(
      "er", purpose: "Draw the tables of a database:",
      line: "undercroft er library --kind record --svg --output record.svg"),
    ManualExample(
      "watch", purpose: "Wait for the next change of a setting:",
      line: "undercroft watch library --kind preference --count 1 --format ndjson"),
    ManualExample(
      "shell", purpose: "Type commands and statements:", line: "undercroft shell library"),
    ManualExample(
      "shell", purpose: "Run several commands of a script, up to the first failure:",
      line: #"printf 'use preference\nkeys\nget theme\n' | undercroft shell library --fail"#),
    ManualExample(
      "completion", purpose: "Complete commands and names in the running shell:",
      line: #"eval "$(undercroft completion bash)""#),
    ManualExample(
      "man", purpose: "Write the page of a command to a file:",
      line: "undercroft man ls --roff > undercroft-ls.1"),
  ]
}
