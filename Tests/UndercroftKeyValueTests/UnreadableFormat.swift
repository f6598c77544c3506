import Foundation
import Synchronization
import UndercroftCore
import UndercroftKeyValue

/// A snapshot format whose reads can be made to fail, as when too many files are open.
final class UnreadableFormat: SnapshotFormat {
  let isUnreadable = Atomic(false)

  var name: String { "unreadable" }
  var isForOtherTools: Bool { false }

  func recognises(_ start: [UInt8]) -> Bool { false }

  func read(_ path: String) throws(StorageError) -> [ExactString: Data]? {
    if isUnreadable.load(ordering: .relaxed) { throw StorageError(.io, "cannot read the snapshot") }
    guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    let values = (try? JSONDecoder().decode([String: Data].self, from: bytes)) ?? [:]
    return Dictionary(uniqueKeysWithValues: values.map { (ExactString($0), $1) })
  }

  func write(_ values: [ExactString: Data], to path: String) throws(StorageError) {
    let values = Dictionary(uniqueKeysWithValues: values.map { ($0.text, $1) })
    try? JSONEncoder().encode(values).write(to: URL(filePath: path))
  }
}
