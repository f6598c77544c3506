public import UndercroftCore
import UndercroftFoundation
public import UndercroftSQLite

/// A type whose values a column stores as JSON:
/// `struct Tags: JSONColumnValue { var names: [String] }`.
///
/// The JSON is stored as text with sorted keys. The JSON functions of SQLite can read this text.
/// Reading text that is not JSON of this type throws an error, even if the text is empty.
public protocol JSONColumnValue: ColumnValue, Codable {}

extension JSONColumnValue {
  public static var columnType: ColumnType { .text }

  /// Returns the value as JSON text.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` if JSON
  ///   cannot represent the value, such as an infinite number.
  public func sqlValue() throws(StorageError) -> SQLValue {
    try ColumnEncoder.json(self)
  }

  /// Returns the value that is decoded from the JSON text of a column.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the text is not JSON of this type.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self {
    let text = try column.text()
    do {
      return try JSONCodec().decode(Self.self, from: Data(text.utf8))
    } catch {
      let failure = column.failure(
        "the text is not JSON from which a value of the type \(Self.self) can be decoded")
      throw StorageError.table(
        failure.failure,
        suggestion: "correct the text, or declare a type that can be decoded from the text",
        as: failure.code, underlying: CodingFailure(error))
    }
  }
}
