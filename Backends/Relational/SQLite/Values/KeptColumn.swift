import CSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value and the name of its column, to be read exactly as the column of a row is.
package final class KeptColumn {
  package let name: String
  let value: SQLValue

  package init(_ name: String, _ value: SQLValue) { (self.name, self.value) = (name, value) }

  /// The value as a type that says how it is read.
  package func read<Value: SQLReadable>(as type: Value.Type = Value.self) throws -> Value {
    try Value.read(from: SQLColumn(self))
  }

  // As the library tells them of a value of its own.

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

  /// The bytes of a blob or of a text.
  var data: Data? {
    switch value {
    case .blob(let bytes): bytes
    case .text(let text): Data(text.utf8)
    default: nil
    }
  }
}
