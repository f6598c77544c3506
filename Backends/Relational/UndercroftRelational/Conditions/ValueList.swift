import UndercroftCore
import UndercroftSQLite

/// The list of values of an `IN (…)` condition.
struct ValueList {
  /// The values as a list of placeholders, or a query that returns the values.
  let sql: SQL
  /// Whether the list has no value except NULL, which `IN` never matches.
  let isEmpty: Bool
  let containsNull: Bool

  /// The maximum number of values that are always bound individually.
  ///
  /// SQLite accepts 32,766 placeholders, but must compile each of them. A longer list is therefore
  /// bound as one JSON array, if JSON can represent its values.
  private static let arrayThreshold = 500
  private static let maximumCount = 32_000

  /// Creates a list of values.
  ///
  /// - Parameters:
  ///   - values: The values, which may contain `nil`.
  ///   - expression: The expression that is compared with the values, for error messages.
  init(_ values: [some ColumnValue], comparedWith expression: SQL) {
    var converted: [SQLValue] = []
    do throws(StorageError) {
      for value in values { converted.append(try value.sqlValue()) }
    } catch {
      (sql, isEmpty, containsNull) = (SQL(failing: error), false, false)
      return
    }
    containsNull = converted.contains(.null)
    if containsNull { converted.removeAll { $0 == .null } }
    isEmpty = converted.isEmpty
    if converted.count > Self.arrayThreshold, let array = Self.array(converted) {
      sql = "SELECT value FROM json_each(\(array))"
    } else if converted.count > Self.maximumCount {
      // The quotes of identifiers in SQL remain as they are.
      let operand = escaped(expression.text).replacing("\\\"", with: "\"")
      sql = SQL(
        failing: StorageError(
          .misuse,
          """
          cannot compare `\(operand)` with a list of \
          \(converted.count) values: the maximum is \(Self.maximumCount) values, unless all values \
          are integers or strings without NUL characters
          """,
          suggestion: """
            divide the list among several queries, or insert the values into a table and join this \
            table
            """,
          backend: "sqlite"))
    } else {
      sql = "\(converted)"
    }
  }

  /// Returns all values as one JSON array, or `nil` if a value is neither an integer nor text
  /// without NUL characters.
  ///
  /// SQLite reads integers and text back from JSON unchanged.
  private static func array(_ values: [SQLValue]) -> String? {
    var text = "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      switch value {
      case .integer(let number): text += "\(number)"
      case .text(let string):
        guard append(string, to: &text) else { return nil }
      case .null, .real, .blob: return nil
      }
    }
    return text + "]"
  }

  /// Appends a string to JSON text, as a JSON string.
  ///
  /// - Returns: `false` if the string has a NUL character, at which SQLite would end the text.
  private static func append(_ string: String, to text: inout String) -> Bool {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\0": return false
      case "\"", "\\": text += "\\\(scalar)"
      case "\u{1}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
    return true
  }
}
