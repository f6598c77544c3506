import Foundation

/// A table of books as records, and what is timed of it besides.
protocol RecordStore: BookStore {
  /// By nothing but what `Codable` tells of a book.
  func fetchCodable() throws -> [Book]
}

extension RawBooks: RecordStore {
  func fetchCodable() throws -> [Book] { try fetchAll() }
}
