import UndercroftCore
import UndercroftInspection

/// The check of a database for damaged pages, wrong indexes and violated foreign keys.
enum DatabaseCheck {
  /// Returns what SQLite reports about a database.
  static func run(on connection: Connection) throws(StorageError) -> CheckResult {
    var result = CheckResult()
    try check("pages and indexes", \.damage, &result) { () throws(StorageError) in
      try connection.withStatement("PRAGMA integrity_check") { (statement) throws(StorageError) in
        var sentences: [String] = []
        while try statement.step() {
          sentences += Self.sentences(in: try Row(statement: statement.raw)[0])
        }
        return sentences
      }
    }
    // Foreign keys cannot be checked in damaged tables.
    guard result.damage.isEmpty else { return result }
    try check("foreign keys", \.violations, &result) { () throws(StorageError) in
      try connection.withStatement("PRAGMA foreign_key_check") { (statement) throws(StorageError) in
        var sentences: [String] = []
        while try statement.step() {
          sentences.append(try violation(Row(statement: statement.raw)))
        }
        return sentences
      }
    }
    return result
  }

  /// Returns the damage that a row of `PRAGMA integrity_check` reports.
  ///
  /// SQLite reports the damaged pages of a database in one row, with a line for each and a heading
  /// before the first.
  private static func sentences(in row: String) -> [String] {
    row.split(separator: "\n").filter { $0 != "ok" && !$0.hasPrefix("*** in database ") }
      .map { String($0) }
  }

  /// Adds the result of a check to `findings`, or adds the reason why it cannot be carried out.
  ///
  /// A function, a collation or a module that only the application defines is not damage. A foreign
  /// key that SQLite cannot use is an error of the schema.
  private static func check(
    _ subject: String, _ findings: WritableKeyPath<CheckResult, [String]>,
    _ result: inout CheckResult,
    _ body: () throws(StorageError) -> [String]
  ) throws(StorageError) {
    do throws(StorageError) {
      result[keyPath: findings] += try body()
    } catch {
      guard error.code == .misuse || error.code == .notSupported else { throw error }
      let sentence = "\(subject) cannot be checked: \(error.failure)"
      let isMissing = [
        "no such collation", "no such function", "no such module", "unknown function",
      ].contains { error.failure.contains($0) }
      if isMissing { result.unchecked.append(sentence) } else { result.damage.append(sentence) }
    }
  }

  private static func violation(_ row: borrowing Row) throws(StorageError) -> String {
    let (table, rowID, target) = (try row[0] as String, try row[1] as Int64?, try row[2] as String)
    let number = rowID.map { "\($0)" } ?? "without a rowid"
    return "the row \(number) of the table \(quoted(table)) refers to a missing row of "
      + quoted(target)
  }
}
