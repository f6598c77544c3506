import CSQLite
import UndercroftFoundation

/// A copied value with the name of its column.
///
/// The value is read by the same rules as a column of a row.
package final class OwnedColumn {
  package let name: String
  let value: SQLValue

  package init(_ name: String, _ value: SQLValue) { (self.name, self.value) = (name, value) }

  /// Returns the value as the requested type, read with ``SQLReadable/read(from:)``.
  package func read<Value: SQLReadable>(as type: Value.Type = Value.self) throws -> Value {
    try Value.read(from: column)
  }

  /// A column that refers to the value, and is valid as long as this object lives.
  package var column: SQLColumn { SQLColumn(self) }

  // These properties correspond to SQLite's functions for reading a value.

  var code: Int32 {
    switch value {
    case .null: SQLITE_NULL
    case .integer: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    }
  }

  var integer: Int64? { if case .integer(let number) = value { number } else { nil } }
  var real: Double? { if case .real(let number) = value { number } else { nil } }
  var text: String? { if case .text(let text) = value { text } else { nil } }

  /// The bytes of a blob or of text, or `nil` for a value of another type.
  var data: Data? {
    switch value {
    case .blob(let bytes): bytes
    case .text(let text): Data(text.utf8)
    default: nil
    }
  }
}
