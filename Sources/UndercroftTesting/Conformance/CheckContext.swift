import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The context of one run of a check: a new directory,
/// and the backend that is opened in this directory.
final class CheckContext {
  let harness: Harness
  let directory: URL
  private(set) var backendName = ""
  private var opened: (any StorageBackend)?

  init(_ harness: Harness) throws {
    self.harness = harness
    self.directory = try Self.temporaryDirectory()
    do {
      let backend = try harness.open(directory)
      backendName = backend.name
      opened = backend
    } catch {
      end()
      throw error
    }
  }

  /// The open backend.
  ///
  /// Opens the store again if it was closed.
  var backend: any StorageBackend {
    get throws {
      if let opened { return opened }
      let backend = try harness.open(directory)
      opened = backend
      return backend
    }
  }

  /// Releases the backend.
  ///
  /// The next use opens the store again.
  func close() { opened = nil }

  /// Releases the backend and removes the directory.
  func end() {
    close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Replaces the open backend with one that rejects
  /// each batch that sets `name`, and returns `true`.
  ///
  /// If the harness provides no such backend, does nothing and returns `false`.
  func breakWrites(to name: String) throws -> Bool {
    guard let openBroken = harness.openBroken else { return false }
    close()
    opened = try openBroken(directory, name)
    return true
  }

  static func temporaryDirectory() throws -> URL {
    let parent = FileManager.default.temporaryDirectory
    // The path is resolved, because a backend may refuse to use
    // a directory through a symbolic link.
    let url = parent.resolvingSymlinksInPath()
      .appending(path: "undercroft-\(UUID().uuidString)", directoryHint: .isDirectory)
    try Folder.create(url.path(percentEncoded: false))
    return url
  }
}

// MARK: - The three methods of a backend, and expectations

extension CheckContext {
  var capabilities: Capabilities { get throws { try backend.capabilities } }

  func declares(_ capability: Capabilities) throws -> Bool {
    try capabilities.contains(capability)
  }

  func read(_ name: String) throws -> Data? { try backend.read(name) }

  func apply(_ changes: StorageChange...) throws { try backend.apply(changes) }

  func apply(_ changes: [StorageChange]) throws { try backend.apply(changes) }

  func keys(_ prefix: String = "") throws -> [String] { try backend.keys(withPrefix: prefix) }

  func set(_ name: String, _ text: String) throws { try apply(.set(name, Data(text.utf8))) }

  func expect(_ name: String, reads wanted: String?) throws {
    try expect(name, reads: wanted.map { Data($0.utf8) })
  }

  func expect(_ name: String, reads wanted: Data?) throws {
    let found = try read(name)
    try expect(
      found == wanted,
      "\(quoted(short(name))) reads as \(sized(found)) where \(sized(wanted)) were expected")
  }

  func expectKeys(_ prefix: String = "", _ wanted: [String]) throws {
    let found = try keys(prefix)
    // Compares the UTF-8 bytes of the keys, because Swift considers
    // canonically equivalent strings equal.
    try expect(
      sorted(found) == sorted(wanted),
      "the keys with prefix \(quoted(short(prefix))) are \(listed(found)) where \(listed(wanted)) were expected"
    )
  }

  func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw ConformanceFailure(reason()) }
  }

  private func sorted(_ names: [String]) -> [[UInt8]] {
    names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func sized(_ bytes: Data?) -> String {
    bytes.map { "\($0.count) bytes (\(Checksum.of($0)))" } ?? "nil"
  }

  private func listed(_ names: [String]) -> String {
    let first = names.prefix(12).map { quoted(short($0)) }.joined(separator: ", ")
    return "[\(first)\(names.count > 12 ? ", …" : "")] (\(names.count))"
  }

  func short(_ name: String) -> String { name.count > 60 ? "\(name.prefix(60))…" : name }
}
