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
          "cannot declare a default value: SQL has no literal for \(number)",
          suggestion: "declare the column without this default", as: .encodingFailed)
      }
      text = "\(number)"
    case .text(let string):
      guard !string.utf8.contains(0) else {
        throw StorageError.table(
          "cannot declare a default value: the text contains a NUL character",
          suggestion: "declare the column without this default", as: .encodingFailed)
      }
      text = string.quotedLiteral
    case .blob(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      text = "x'\(digits.joined())'"
    }
  }
}
