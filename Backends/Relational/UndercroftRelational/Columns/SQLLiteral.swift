import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A value as a literal in SQL.
///
/// Statements that change the schema need literals, because these statements accept no
/// placeholders.
struct SQLLiteral: Sendable, Equatable {
  let text: String

  init(_ value: SQLValue) throws(StorageError) {
    switch value {
    case .null: text = "NULL"
    case .integer(let number): text = "\(number)"
    case .real(let number):
      guard number.isFinite else {
        throw StorageError.table(
          "cannot declare \(number) as the default value of a column: the number is not finite",
          suggestion: "declare a finite default value, or no default value", as: .encodingFailed)
      }
      text = "\(number)"
    case .text(let string):
      guard !string.utf8.contains(0) else {
        throw StorageError.table(
          """
          cannot declare a text as the default value of a column: the text contains a NUL character
          """,
          suggestion: "remove the NUL character from the default value", as: .encodingFailed)
      }
      text = string.quotedLiteral
    case .blob(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      text = "x'\(digits.joined())'"
    }
  }
}
