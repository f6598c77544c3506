import Foundation
import Undercroft

/// A backend of the toolkit, used as an application uses it: through `Storage`, with typed keys.
final class StorageStore {
  private let storage: Storage
  private let keys: [StorageKey<Data>]
  private let kind: DataKind

  /// Returns the typed keys, which are not measured because an application declares its keys once.
  static func names(of kind: DataKind) -> [StorageKey<Data>] {
    Sample.names.map { StorageKey($0, kind: kind, default: Data(), as: .bytes) }
  }

  init(_ choice: BackendChoice, keys: [StorageKey<Data>], kind: DataKind) throws {
    var storage = Storage()
    try storage.use(choice, for: kind)
    self.storage = storage
    self.kind = kind
    self.keys = keys
  }

  func get(_ index: Int) throws -> Int { try storage.load(keys[index]).count }

  func hotGet(_ index: Int) -> Int { storage[keys[index]].count }

  func set(_ index: Int, _ value: Data) throws { try storage.save(value, for: keys[index]) }

  func setBatch(_ values: [Data]) throws {
    try storage.edit(kind) { edit in
      for (key, value) in zip(keys, values) { try edit.save(value, for: key) }
    }
  }
}
