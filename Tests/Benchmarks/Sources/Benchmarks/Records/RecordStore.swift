import Foundation

/// A table of books that are stored as records, with the additional operations that are timed.
protocol RecordStore: BookStore {
  /// Fetches all books with the code that is derived from `Codable`.
  func fetchCodable() throws -> [Book]
}

extension RawBooks: RecordStore {
  func fetchCodable() throws -> [Book] { try fetchAll() }
}
