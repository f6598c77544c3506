import Foundation
import UndercroftCore

/// The test of a key-value store with any file: opening the file must throw a typed error, or the
/// store must work.
enum KeyedStore {
  /// The maximum number of values that are read, which limits the cost of inputs with many entries.
  private static let mostReads = 64

  /// Reads the values, writes one value, opens the store again and expects that value.
  static func exercise(
    _ open: () throws(StorageError) -> any StorageBackend
  ) throws {
    let names: [String]
    do throws(StorageError) {
      let backend = try open()
      names = try backend.keys(withPrefix: "")
      for name in names.prefix(mostReads) { _ = try backend.read(name) }
      try backend.apply([.set("reader", Data("Ada".utf8)), .remove("loan")])
    } catch {
      return
    }
    do {
      let backend = try open()
      guard try backend.read("reader") == Data("Ada".utf8), try backend.read("loan") == nil else {
        throw FuzzFailure("an acknowledged batch is missing after the store was opened again")
      }
      let after = Set(try backend.keys(withPrefix: "").map { Data($0.utf8) })
      let before = Set(names.map { Data($0.utf8) })
      guard after.isSuperset(of: before.subtracting([Data("loan".utf8)])) else {
        throw FuzzFailure("entries are missing after an unrelated write")
      }
    } catch let error as StorageError {
      throw FuzzFailure("a store that accepted a write cannot be opened again: \(error)")
    }
  }

  /// Batches that resemble those of an application.
  static let batches: [[StorageChange]] = [
    [.set("reader", Data("Grace".utf8)), .set("loan", Data(count: 40))],
    [.set("cover", Data(repeating: 7, count: 700)), .remove("reader")],
    [.set("book/Émile", Data())],
  ]
}
