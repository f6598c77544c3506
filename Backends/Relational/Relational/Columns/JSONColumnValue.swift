public import UndercroftCore
public import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type whose values a column keeps as JSON: `struct Tags: JSONColumnValue { var names: [String] }`.
///
/// It is text with sorted keys, which SQLite's JSON functions read. What is no JSON of the type is an error when it is read, an empty text
/// too.
public protocol JSONColumnValue: ColumnValue, Codable {}

extension JSONColumnValue {
  public static var columnType: ColumnType { .text }

  /// Returns its JSON as text.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for what JSON cannot tell, such as an infinite number.
  public func sqlValue() throws(StorageError) -> SQLValue {
    try ColumnEncoder.json(self)
  }

  /// Reads JSON from text.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self {
    let text = try column.text()
    do {
      return try JSONCodec().decode(Self.self, from: Data(text.utf8))
    } catch {
      let failure = column.failure("the text is no JSON of a \(Self.self)")
      throw StorageError(
        failure.code, failure.message, backend: failure.backend, underlying: CodingFailure(error))
    }
  }
}
