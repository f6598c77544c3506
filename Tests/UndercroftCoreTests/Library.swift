import Foundation
import UndercroftCore

// The lending library that these tests use as their example.

enum Theme: String, Codable, Sendable { case light, dark, system }

struct Loan: Codable, Equatable, Sendable {
  var book: String
  var days: Int
  var note: String?
}

extension StorageKey<Theme> {
  static var theme: Self { Self("theme", kind: .preference, default: .system) }
}

extension StorageKey<Int> {
  static var fontSize: Self { Self("fontSize", kind: .preference, default: 12) }
  static func shelf(_ number: Int) -> Self {
    Self("shelf/\(number)", kind: .preference, default: 0)
  }
}

extension StorageKey<String?> {
  static var readerCard: Self { Self("readerCard", kind: .secret) }
  static var lastReader: Self { Self("lastReader", kind: .preference) }
}

extension StorageKey<Loan?> {
  static func loan(_ number: Int) -> Self { Self("loan/\(number)", kind: .document) }
}

extension StorageKey<Data?> {
  static var cover: Self { Self("cover", kind: .blob) }
}

/// A storage with one in-memory backend for each of these kinds.
func library(_ kinds: DataKind...) throws -> Storage {
  var storage = Storage()
  for kind in kinds { try storage.use(.memory, for: kind) }
  return storage
}
