/// A recommendation about a store, with the change that follows it.
struct Advice {
  /// The importance of advice; programs read the raw value.
  enum Severity: String {
    /// A fact that can be intended, and that does not change the exit status.
    case note = "note"
    /// A change that is recommended.
    case advice = "advice"
  }

  /// The stable name of the rule, by which programs recognise the kind of advice.
  let rule: String
  /// The importance.
  var severity = Severity.advice
  /// The kind of the store, or its backend if it has no kind.
  let store: String
  /// The table that the advice concerns, or `nil` if it concerns no table.
  var table: String?
  /// The value, column or file that the advice concerns.
  let subject: String
  /// The number of values, rows or files that the advice concerns, or `nil` if it is unknown.
  var count: Int?
  /// The first rows that the advice concerns, each as the name and the value of its key.
  var rows: [String] = []
  /// The reason for the advice, as a sentence.
  let reason: String
  /// The code or the actions that follow the advice.
  let fix: String
  /// The command of a shell that follows the advice, or `nil` if no single command does.
  var command: String?

  /// The fix for values of a store that are rows of a table.
  static let fixWithTable = """
    search the values as they are with undercroft query; in the program: declare a `Table` with \
    these columns in a kind with tables: \
    try storage.use(.sqlite(at: home.appending(path: "records.sqlite")), for: .record)
    """
}
