import Foundation
import Synchronization
import TestSupport
import UndercroftCore
import UndercroftInspection

/// A persistent backend with all values in one file, and with the flaw that a test requests.
final class FlawedFileBackend: StorageBackend, Inspectable {
  enum Flaw: CaseIterable, Sendable {
    case none, forgetsOnClose, writesOnClose, writesWhenInspected, refusesOverwriting, hidesKeys
    case wrongBackendInErrors, valueInErrors, losesConcurrentWrites, locksWrongly
  }

  let url: URL
  let flaw: Flaw
  let brokenName: String?
  private let pending = Mutex<[String: Data]?>(nil)
  private let lock = Mutex(())
  private let writers = Mutex(0)

  init(_ url: URL, _ flaw: Flaw = .none, brokenName: String? = nil) {
    self.url = url
    self.flaw = flaw
    self.brokenName = brokenName
  }

  deinit {
    if flaw == .writesOnClose, let values = pending.withLock({ $0 }) { try? write(values) }
  }

  var name: String { "sheet" }
  var location: URL? { url }
  var capabilities: Capabilities {
    [.persistent, .atomicBatches, .crashSafe, .inspectable, .orderedKeys]
  }

  private func load() -> [String: Data] {
    if let values = pending.withLock({ $0 }) { return values }
    let bytes = (try? Data(contentsOf: url)) ?? Data()
    return (try? JSONDecoder().decode([String: Data].self, from: bytes)) ?? [:]
  }

  private func write(_ values: [String: Data]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(values).write(to: url)
  }

  func read(_ key: String) throws(StorageError) -> Data? {
    lock.withLock { _ in load()[key] }
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    if changes.isEmpty { return }
    if flaw == .losesConcurrentWrites {
      let values = load()
      awaitAnotherWriter()
      return try change(changes, with: values)
    }
    try lock.withLock { (_) throws(StorageError) in try change(changes, with: load()) }
  }

  /// Lets another writer load the same values first, so that one of the two writes is lost.
  private func awaitAnotherWriter() {
    writers.withLock { $0 += 1 }
    _ = waitUntil { writers.withLock { $0 >= 2 } }
  }

  private func change(_ changes: [StorageChange], with values: [String: Data]) throws(StorageError)
  {
    var values = values
    for change in changes {
      switch change {
      case .set(let name, let bytes):
        if name == brokenName || name.utf8.count > 255 { throw failure(name, bytes) }
        if flaw == .refusesOverwriting, values[name] != nil { continue }
        values[name] = bytes
      case .remove(let name): values[name] = nil
      }
    }
    if flaw == .forgetsOnClose || flaw == .writesOnClose {
      let isKept = flaw == .writesOnClose
      pending.withLock { $0 = values }
      if !isKept { try? Data().write(to: url) }
      return
    }
    do { try write(values) } catch { throw StorageError(.io, "cannot write", backend: name) }
  }

  private func failure(_ key: String, _ bytes: Data) -> StorageError {
    let text = flaw == .valueInErrors ? String(decoding: bytes, as: UTF8.self) : "it is broken"
    return StorageError(
      .io, "cannot write: \(text)", backend: flaw == .wrongBackendInErrors ? "shelf" : name,
      key: key)
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    let keys = lock.withLock { _ in load().keys.filter { $0.utf8.starts(with: prefix.utf8) } }
    return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func inspect() throws(StorageError) -> InspectionReport {
    if flaw == .writesWhenInspected { try? write(load()) }
    return InspectionReport(
      format: "sheet", entryCount: load().count, byteCount: 0, isConfidential: false)
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try keys(withPrefix: flaw == .hidesKeys ? "b" : prefix)
      .map { InspectionEntry(name: $0, byteCount: nil) }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}
