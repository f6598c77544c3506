/// An example of a command line, for a manual page.
///
/// The application `library` is in the data directory, and `desk.sqlite` is a synchronised
/// database. A test runs each example in `bash`.
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
      "ls", purpose: "List the stores of two applications:",
      line: "undercroft ls library library-copy"),
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
      "find", purpose: "Find a text in two homes:",
      line: "undercroft find library noon --also library-copy"),
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
      "query", purpose: "Read a member of a setting that is JSON:",
      line: "undercroft query library \"\(QueryCommand.jsonExample)\""),
    ManualExample(
      "query", purpose: "Join the rows of a table with the values of another kind:",
      line: "undercroft query library \"\(QueryCommand.joinExample)\""),
    ManualExample(
      "query", purpose: "List the settings that a copy of the home does not have:",
      line: """
        undercroft query library --attach copy=library-copy \
        "SELECT name FROM preference EXCEPT SELECT name FROM copy_preference"
        """),
    ManualExample(
      "schema", purpose: "Show the statements that create a database:",
      line: "undercroft schema library --kind record"),
    ManualExample(
      "stat", purpose: "Show how many values of each type and size there are:",
      line: "undercroft stat library"),
    ManualExample(
      "top", purpose: "Show the largest values as a chart:",
      line: "undercroft top library --svg --output top.svg"),
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
      "advise",
      purpose: "Report advice as JSON in continuous integration; any but notes fails the job:",
      line: "undercroft advise library --format json"),
    ManualExample(
      "check", purpose: "Read all stores, and report damage:", line: "undercroft check library"),
    ManualExample(
      "check", purpose: "Fail also if one of two stores or a part of it is not checked:",
      line: "undercroft check library --kind preference --kind record --strict"),
    ManualExample(
      "er", purpose: "Draw the tables of a database:",
      line: "undercroft er library --kind record --svg --output record.svg"),
    ManualExample(
      "watch", purpose: "Wait for the next change of a setting:",
      line: "undercroft watch library --kind preference --count 1 --format ndjson"),
    ManualExample(
      "doctor", purpose: "Check the installation and the permissions of a home:",
      line: "undercroft doctor library || test $? = 1"),
    ManualExample(
      "log", purpose: "Show the last changes in the log of the settings:",
      line: "undercroft log library --kind preference --limit 10"),
    ManualExample(
      "migrations", purpose: "List the versions that a database has had:",
      line: "undercroft migrations library --kind record"),
    ManualExample(
      "sync", "status", purpose: "Show the progress of the synchronisation of a database:",
      line: "undercroft sync status desk.sqlite"),
    ManualExample(
      "sync", "queue", purpose: "List the changes that the server has not confirmed:",
      line: "undercroft sync queue desk.sqlite"),
    ManualExample(
      "sync", "conflicts", purpose: "List the conflicts as one JSON object on each line:",
      line: "undercroft sync conflicts desk.sqlite --format ndjson"),
    ManualExample(
      "sync", "explain", purpose: "Show why a book has its values:",
      line: "undercroft sync explain desk.sqlite book b1"),
    ManualExample(
      "sync", "digest", purpose: "Show digests that are equal on two devices with the same rows:",
      line: "undercroft sync digest desk.sqlite"),
    ManualExample(
      "cp", purpose: "Copy a home while its application may write:",
      line: "undercroft cp library library-backup"),
    ManualExample(
      "export", purpose: "Write all values and rows of a home to one file:",
      line: "undercroft export library --output library.ndjson"),
    ManualExample(
      "export", purpose: "Write all values and rows for others, with placeholders for secrets:",
      line: "undercroft export library --redact --output shared.ndjson"),
    ManualExample(
      "export", purpose: "Write a file for each kind and each table for spreadsheets:",
      line: "undercroft export library --format csv --output-directory exported"),
    ManualExample(
      "import", purpose: "Copy the settings of a home to another home:",
      line: """
        undercroft export library --kind preference \
        | undercroft import library-copy - --write --yes
        """),
    ManualExample(
      "convert", purpose: "Copy the settings to a folder with one file for each value:",
      line: "undercroft convert library settings-as-files --kind preference --to files"),
    ManualExample(
      "set", purpose: "Show the change of a setting, and change nothing:",
      line: "undercroft set library theme light --encoding text --kind preference --dry-run"),
    ManualExample(
      "set", purpose: "Store a setting without asking:",
      line: "undercroft set library theme light --encoding text --kind preference --write --yes"),
    ManualExample(
      "rm", purpose: "Remove a value without asking:",
      line: "undercroft rm library cover/dune --kind blob --write --yes"),
    ManualExample(
      "undo", purpose: "List the saved old values of an application, the newest first:",
      line: "undercroft undo library"),
    ManualExample(
      "undo", purpose: "Show what an undo of the last change would do, and change nothing:",
      line: """
        undercroft undo "$(undercroft undo library --format csv --no-header --limit 1 | cut -d , \
        -f 1)" --dry-run
        """),
    ManualExample(
      "vault", "status", purpose: "Show the slots and the permissions of a vault:",
      line: "undercroft vault status library"),
    ManualExample(
      "vault", "slots", purpose: "Add a key file that opens the vault as well:",
      line: """
        undercroft vault slots library --key-file library/keys/vault.key \
        --add-key-file recovery.key --write --yes
        """),
    ManualExample(
      "vault", "rekey", purpose: "Encrypt all values again, so that only one key file opens them:",
      line: """
        undercroft vault rekey library --key-file library/keys/vault.key --allow-losing-access \
        --write --yes
        """),
    ManualExample(
      "vault", "verify", purpose: "Decrypt every record, and report damage:",
      line: "undercroft vault verify library --key-file library/keys/vault.key"),
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
