import Foundation

/// A store in a separate suite of Foundation's `UserDefaults`.
///
/// `UserDefaults` caches values in memory, and does not report when the values are on the disk.
final class UserDefaultsStore: KeyedStore {
  private let suite: String
  private let defaults: UserDefaults

  init(at url: URL) throws {
    suite = "undercroft-benchmark-\(url.lastPathComponent)"
    guard let defaults = UserDefaults(suiteName: suite) else {
      throw BenchmarkFailure("UserDefaults has no suite")
    }
    self.defaults = defaults
  }

  deinit { defaults.removePersistentDomain(forName: suite) }

  func get(_ index: Int) throws -> Int { defaults.data(forKey: Sample.names[index])?.count ?? 0 }

  func set(_ index: Int, _ value: Data) throws { defaults.set(value, forKey: Sample.names[index]) }

  func setBatch(_ values: [Data]) throws {
    for (index, value) in values.enumerated() { try set(index, value) }
  }
}
